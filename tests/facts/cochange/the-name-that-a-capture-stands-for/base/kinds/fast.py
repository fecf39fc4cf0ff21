"""Fast."""


def run():
    return 1
