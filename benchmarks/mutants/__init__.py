"""Edits of real twins whose right answer is known: drifts, which must alarm, and rewrites, which must not."""
