"""Sizes of batches."""

from stack import profile

DEFAULT = profile.standard()


def sizes(profile, rank):
    if rank < 0:
        raise ValueError("a rank counts from 0")
    micro = profile.micro * 2
    micro = min(micro, profile.total // profile.parts)
    return micro, profile.total
