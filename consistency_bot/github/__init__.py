"""A change as GitHub sees it: its events and environment in, one comment and one commit status out.

`client` is the only module that talks to GitHub; all others decide what is to be said.
"""
