"""Judges what changed: end states, not diffs."""
