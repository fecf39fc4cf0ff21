"""Smoke jobs: short runs on real hardware that say whether what a rule claims is true here.

The only part of this program that executes code under check, and the only one that may load torch (`worker/`).
"""
