"""What two sequences have in one order."""

from bisect import bisect_left


def longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs, in their order, whose second number only rises."""
    lowest: list[int] = []  # the lowest second number that ends a chain of each length
    ends: list[int] = []
    previous: list[int] = []
    for index, (_, number) in enumerate(pairs):
        length = bisect_left(lowest, number)
        previous.append(ends[length - 1] if length else -1)
        lowest[length : length + 1] = [number]
        ends[length : length + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = previous[index]
    return chain[::-1]
