"""What a rules file sees in one tree, whether or not anything changes there: for `rules show` and `rules check`."""
