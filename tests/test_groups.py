"""Three sides and more: one finding per side that lacks something, told together, and nothing told twice."""

import itertools

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Finding, Rules, RulesSource, Side, Twins

CODE = """\
def send(channel, text, limit=3):
    channel.open(limit)
    if len(text) > limit:
        raise ValueError(text)
    channel.write(text, urgent=False)
    channel.flush()
    return channel.close()
"""
WIDER = CODE.replace("> limit", ">= limit")
LOST = CODE.replace("    channel.flush()\n", "")
MORE = CODE.replace("    channel.flush()\n", "    channel.flush()\n    channel.mark(text)\n")
OTHER = MORE.replace("mark(text)", "mark(text, limit)")
THIRD = MORE.replace("mark(text)", "mark(limit)")


def findings_of(base: str | list[str], head: list[str], mode: str = "block") -> list[Finding]:
    """The findings for sides `a`, `b`, `c`, … that say this at base (one text for all of them) and at head."""
    before = [base] * len(head) if isinstance(base, str) else base
    names = "abcdefgh"[: len(head)]
    files = [{f"{name}.py": text.encode() for name, text in zip(names, texts, strict=True)} for texts in (before, head)]
    sides = tuple(Side(name, (f"{name}.py",)) for name in names)
    twins = Twins("group", sides, mode="warn" if mode == "warn" else "block")
    return list(check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change_between(*files)).findings)


def told(findings: list[Finding]) -> list[tuple[str, str, str]]:
    """(verdict, side that moved, side that lacks it) of each."""
    return [
        (each.verdict, each.changed.side if each.changed else "", each.counterpart.side if each.counterpart else "")
        for each in findings
    ]


@pytest.mark.parametrize("moved", [WIDER, LOST, MORE])
def test_one_side_of_three_that_moves_is_missed_by_each_of_the_others(moved: str) -> None:
    found = findings_of(CODE, [moved, CODE, CODE])
    assert told(found) == [("missed", "a", "b"), ("missed", "a", "c")]
    assert found[0].changed == found[1].changed
    assert told(findings_of(CODE, [CODE, moved, CODE])) == [("missed", "b", "a"), ("missed", "b", "c")]


@pytest.mark.parametrize("moved", [WIDER, LOST, MORE])
def test_two_sides_of_three_that_move_alike_are_missed_by_the_third_once(moved: str) -> None:
    (finding,) = findings_of(CODE, [moved, moved, CODE])
    assert told([finding]) == [("missed", "a", "c")]
    assert " Moved alike: b (b.py:" in finding.message
    (finding,) = findings_of(CODE, [CODE, moved, moved])
    assert told([finding]) == [("missed", "b", "a")]
    assert " Moved alike: c (c.py:" in finding.message


def test_sides_that_all_move_alike_are_in_step() -> None:
    assert findings_of(CODE, [WIDER] * 4) == []


def test_two_sides_of_four_that_move_alike_are_missed_by_each_of_the_others_once() -> None:
    found = findings_of(CODE, [WIDER, WIDER, CODE, CODE])
    assert told(found) == [("missed", "a", "c"), ("missed", "a", "d")]
    assert all("Moved alike: b " in each.message for each in found)


def test_three_sides_that_go_three_ways_are_told_in_two_findings() -> None:
    found = findings_of(CODE, [MORE, OTHER, CODE])
    assert told(found) == [("diverged", "a", "b"), ("missed", "a", "c")]
    assert "Moved alike" not in found[1].message
    assert told(findings_of(CODE, [MORE, OTHER, THIRD])) == [("diverged", "a", "b"), ("diverged", "a", "c")]


def test_two_that_move_alike_and_one_that_moves_otherwise_are_one_finding() -> None:
    (finding,) = findings_of(CODE, [MORE, MORE, OTHER])
    assert told([finding]) == [("diverged", "a", "c")]
    assert "Moved alike: b " in finding.message


def test_two_causes_are_told_one_after_the_other_and_each_with_all_its_sides() -> None:
    both = WIDER.replace("    channel.flush()\n", "")
    found = findings_of(CODE, [both, CODE, CODE])
    assert [(each.concept, each.counterpart and each.counterpart.side) for each in found] == [
        ("guard", "b"),
        ("guard", "c"),
        ("call", "b"),
        ("call", "c"),
    ]


def test_what_one_of_two_sides_that_moved_did_beyond_the_other_is_told_too() -> None:
    beyond = WIDER.replace("ValueError(text)", "KeyError(text)")
    assert told(findings_of(CODE, [WIDER, beyond, CODE])) == [
        ("missed", "b", "a"),
        ("missed", "a", "c"),
        ("missed", "b", "c"),
    ]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_side_that_catches_up_with_another_is_not_to_blame_for_the_third(order: tuple[int, ...]) -> None:
    def arranged(*texts: str) -> list[str]:
        return [texts[place] for place in order]

    (finding,) = findings_of(arranged(WIDER, CODE, CODE), arranged(WIDER, WIDER, CODE))
    had_it, caught_up, left_behind = ("abc"[order.index(place)] for place in range(3))
    assert (finding.verdict, finding.blocks) == ("repaired", False)
    assert told([finding]) == [("repaired", caught_up, had_it)]
    assert finding.message.endswith(f" Not so yet: {left_behind}.")


def test_a_side_that_catches_up_and_does_more_is_to_blame_for_what_is_more() -> None:
    beyond = WIDER.replace("ValueError(text)", "KeyError(text)")
    found = findings_of([WIDER, CODE, CODE], [WIDER, beyond, CODE])
    assert ("missed", "b", "a") in told(found)
    assert ("missed", "b", "c") in told(found)


def test_a_new_function_that_no_other_side_has_is_told_once() -> None:
    (finding,) = findings_of(CODE, [CODE + "\n\ndef extra(x):\n    return probe(x, 1)\n", CODE, CODE])
    assert finding.verdict == "one_sided"
    assert finding.message.endswith("b has no counterpart of it. The same holds for c.")


def test_a_group_in_mode_warn_is_told_alike_and_does_not_block() -> None:
    found = findings_of(CODE, [WIDER, WIDER, CODE], mode="warn")
    assert told(found) == [("missed", "a", "c")]
    assert not found[0].blocks
