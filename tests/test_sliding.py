"""Where the order of equal members leaves open which of them is new, their likeness says it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consistency_bot.align.sequences import opcodes
from consistency_bot.align.sliding import opcodes_by

members = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), max_size=30)
Members = list[tuple[str, int]]


def aligned(left: Members, right: Members) -> list[tuple[str, int, int, int, int]]:
    """The opcodes of the letters; the numbers are what makes equal letters more or less alike."""
    return opcodes_by(
        [letter for letter, _ in left], [letter for letter, _ in right], lambda i, j: int(left[i] == right[j])
    )


def told(text: str) -> Members:
    """`a0 b1` as members."""
    return [(each[0], int(each[1:])) for each in text.split()]


@pytest.mark.parametrize(
    ("left", "right", "changed"),
    [
        ("x0 a0 y0", "x0 a0 a1 y0", ("insert", 2, 2, 2, 3)),
        ("x0 a0 y0", "x0 a1 a0 y0", ("insert", 1, 1, 1, 2)),
        ("x0 a0 a1 y0", "x0 a0 y0", ("delete", 2, 3, 2, 2)),
        ("x0 a0 a1 y0", "x0 a1 y0", ("delete", 1, 2, 1, 1)),
        ("a0 b0 c0 c1", "a0 b0 a1 b1 c0 c1", ("insert", 2, 2, 2, 4)),
        ("a0 a1", "a0 a2 a1", ("insert", 1, 1, 1, 2)),
    ],
)
def test_what_came_or_went_is_what_has_no_like(left: str, right: str, changed: tuple[str, int, int, int, int]) -> None:
    assert [code for code in aligned(told(left), told(right)) if code[0] != "equal"] == [changed]


@pytest.mark.parametrize(
    ("left", "right", "changed"),
    [
        ("x0 a0 y0", "z0 a0 b0 a1 y0", [("replace", 0, 1, 0, 1), ("insert", 2, 2, 2, 4)]),
        ("y0 a0 x0", "y0 a1 b0 a0 z0", [("insert", 1, 1, 1, 3), ("replace", 2, 3, 4, 5)]),
        ("z0 a0 b0 a1 y0", "x0 a0 y0", [("replace", 0, 1, 0, 1), ("delete", 2, 4, 2, 2)]),
        ("y0 a1 b0 a0 z0", "y0 a0 x0", [("delete", 1, 3, 1, 1), ("replace", 4, 5, 2, 3)]),
        ("x0 a0 y0", "z0 a1 b0 a2 y0", [("replace", 0, 1, 0, 3)]),
    ],
)
def test_what_came_beside_something_replaced_is_what_has_no_like(
    left: str, right: str, changed: list[tuple[str, int, int, int, int]]
) -> None:
    assert [code for code in aligned(told(left), told(right)) if code[0] != "equal"] == changed


@given(members, members)
def test_the_alignment_stays_one_and_keeps_as_much_as_before(left: Members, right: Members) -> None:
    found = aligned(left, right)
    letters, there = [letter for letter, _ in left], [letter for letter, _ in right]
    i = j = 0
    for tag, i1, i2, j1, j2 in found:
        assert (i1, j1) == (i, j)
        assert tag != "equal" or letters[i1:i2] == there[j1:j2]
        i, j = i2, j2
    assert (i, j) == (len(left), len(right))
    assert [tag == "equal" for tag, *_ in found[1:]] == [tag != "equal" for tag, *_ in found[:-1]]
    plain = opcodes(letters, there)
    assert _kept(found) == _kept(plain)


@given(members, members)
def test_where_all_are_alike_nothing_is_moved(left: Members, right: Members) -> None:
    letters, there = [letter for letter, _ in left], [letter for letter, _ in right]
    assert opcodes_by(letters, there, lambda i, j: 1) == opcodes(letters, there)


def _kept(codes: list[tuple[str, int, int, int, int]]) -> int:
    return sum(i2 - i1 for tag, i1, i2, _, _ in codes if tag == "equal")
