"""Slow."""


def run():
    return 4
