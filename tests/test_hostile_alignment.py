"""Alignment and pairing by content: as before for what people write, and never the square of what nobody would."""

from difflib import SequenceMatcher
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_tree import change_between, rules_from

from consistency_bot.align import sequences
from consistency_bot.align.likeness import worth_comparing
from consistency_bot.align.sequences import Alignment, opcodes
from consistency_bot.check import check_change
from consistency_bot.judge.modules import _STRING
from consistency_bot.syntax.bindings import given_in
from consistency_bot.syntax.parsing import parse

members = st.lists(st.integers(0, 6), max_size=40)

N = 3000
DEAR = {
    "one thing only": ([0] * N, [0] * (N + 500)),
    "two things by turns": ([0, 1] * (N // 2), [1, 0, 0] * (N // 3)),
    "every other one changed": (list(range(N)), [n if n % 2 else -n for n in range(N)]),
    "turned round": (list(range(N)), list(range(N))[::-1]),
    "one thing in the midst of many": ([*range(N), *[-1] * N], [*[-1] * N, *range(N)]),
}


@given(members, members)
def test_what_is_short_is_aligned_as_difflib_aligns_it(left: list[int], right: list[int]) -> None:
    assert opcodes(left, right) == SequenceMatcher(None, left, right, autojunk=False).get_opcodes()


@settings(deadline=None)
@given(members, members, st.integers(0, 60))
def test_however_few_steps_there_are_the_alignment_is_one(left: list[int], right: list[int], steps: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequences, "_STEPS", steps)
        patch.setattr(sequences, "_STEPS_FOR_EACH", 0)
        found = opcodes(left, right)
    i = j = 0
    for tag, i1, i2, j1, j2 in found:
        assert (i1, j1) == (i, j)
        assert tag != "equal" or left[i1:i2] == right[j1:j2]
        i, j = i2, j2
    assert (i, j) == (len(left), len(right))
    assert [tag == "equal" for tag, *_ in found[1:]] == [tag != "equal" for tag, *_ in found[:-1]]


@pytest.mark.parametrize("case", DEAR)
def test_an_alignment_takes_no_more_steps_than_so_many_for_each_member(case: str) -> None:
    left, right = DEAR[case]
    alignment = Alignment(left, right)
    list(alignment.opcodes())
    assert alignment.steps <= 100_000 + 30 * (len(left) + len(right))


def test_beyond_the_steps_the_ends_and_what_is_said_once_are_still_aligned() -> None:
    left = [*"abc", *[0] * N, "here", *[0] * N, *"xyz"]
    right = [*"abc", *[0] * (N - 1), 1, "here", *[0] * N, *"xyz"]
    changed = [code for code in opcodes(left, right) if code[0] != "equal"]
    assert changed == [("replace", N + 2, N + 3, N + 2, N + 3)]


def test_few_bags_are_compared_one_and_all() -> None:
    assert list(worth_comparing(["a", "b"], ["c", "d"])) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_of_many_bags_those_are_compared_that_hold_the_same_or_something_rare() -> None:
    left = [{"common", f"rare{n}"} for n in range(N)] + [{"common"}] * 3
    right = [{"common", f"rare{n + 1}"} for n in range(N)] + [{"common"}] * 3
    pairs = list(worth_comparing(left, right))
    assert pairs == [(n, n - 1) for n in range(1, N)] + [(N, N), (N + 1, N + 1), (N + 2, N + 2)]


@pytest.mark.parametrize("call", ["codec.convert(x)", "codec \\\n        .convert(x)", "(codec\n        .convert)(x)"])
def test_another_module_is_seen_however_its_line_is_broken(call: str) -> None:
    code = "import codec\nimport legacy\n\ndef read(x):\n    y = legacy.convert(x)\n    return y\n"
    files = {"a.py": code.encode(), "b.py": code.encode()}
    moved = {**files, "a.py": code.replace("legacy.convert(x)", call).encode()}
    rules = rules_from("version: 1\ntwins:\n  - {id: pair, sides: {a: a.py, b: b.py}}\n")
    assert [each.concept for each in check_change(rules, change_between(files, moved)).findings] == ["import"]


@pytest.mark.parametrize("text", ['"' * 100_001, '"\\' * 50_000, "'''x" * 30_000, "\\'" * 50_000])
def test_quotes_without_end_are_passed_over_once(text: str) -> None:
    start = process_time()
    _STRING.sub(b"", text.encode())
    assert process_time() - start < 1


def test_what_has_no_name_is_nowhere_given_a_value() -> None:
    text = b"def f(x):\n    x = 1\n    y = 2\n"
    assert given_in(parse(text).root_node.children[0], text, frozenset({b"", b"x", b"os.path"})) == {"x"}
