import os


def start():
    return 1
