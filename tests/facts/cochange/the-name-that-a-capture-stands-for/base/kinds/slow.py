"""Slow."""


def run():
    return 2
