"""Fast."""


def run():
    return 3
