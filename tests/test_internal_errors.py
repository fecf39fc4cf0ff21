"""An error of our own in one function is `unknown` for it, and the rest of the twins is judged."""

from collections.abc import Iterator

import pytest
from memory_tree import change_between

from consistency_bot.align.definitions import Pairing
from consistency_bot.attempts import Failure, attempt
from consistency_bot.check import check_change
from consistency_bot.errors import GitError
from consistency_bot.judge import bodies, standing
from consistency_bot.judge.marks import Mark, Part, marks_of
from consistency_bot.model import Finding, Report, Rules, RulesSource, Side, Twins
from consistency_bot.syntax import Source
from consistency_bot.syntax.expressions import TermReader

RULES = Rules((Twins("pair", (Side("a", ("a.py",)), Side("b", ("b.py",)))),), RulesSource("rules.yaml", "file"))
FUNCTIONS = "".join(f"def f{n}(x):\n    y = step(x, {n})\n    return y\n\n\n" for n in range(20)).encode()
CHANGED = FUNCTIONS.replace(b"step(x, 3)", b"step(x, 33)").replace(b"step(x, 7)", b"step(x, 77)")


class OurMistake(Exception):
    """Something that nobody foresaw."""


def report(show_standing: bool = False) -> Report:
    base = {"a.py": FUNCTIONS, "b.py": FUNCTIONS}
    return check_change(RULES, change_between(base, base | {"a.py": CHANGED}), show_standing)


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str | None]]:
    return sorted((each.verdict, each.changed.function if each.changed else None) for each in findings)


def break_marks(monkeypatch: pytest.MonkeyPatch, names: set[str], error: Exception) -> None:
    def failing(part: Part) -> Iterator[Mark]:
        definition = part.a.definition
        if definition is not None and definition.name in names:
            raise error
        return marks_of(part)

    monkeypatch.setattr(bodies, "marks_of", failing)


def test_without_an_error_both_functions_are_found() -> None:
    assert told(report().findings) == [("missed", "f3"), ("missed", "f7")]


@pytest.mark.parametrize("error", [OurMistake("boom"), RecursionError("too deep"), MemoryError()])
def test_an_error_while_one_function_is_judged_is_unknown_for_it(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    break_marks(monkeypatch, {"f7"}, error)
    found = report()
    assert told(found.findings) == [("missed", "f3"), ("unknown", "f7")]
    assert found.conclusion == "drift"
    (unknown,) = (each for each in found.findings if each.verdict == "unknown")
    assert unknown.blocks
    assert ("nested too deeply" if isinstance(error, RecursionError) else type(error).__name__) in unknown.message


def test_the_message_says_which_line_of_ours_failed_and_the_fingerprint_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    break_marks(monkeypatch, {"f7"}, OurMistake())
    (before,) = (each for each in report().findings if each.verdict == "unknown")
    assert "(OurMistake), at judge/bodies.py:" in before.message
    monkeypatch.setattr("consistency_bot.attempts._place_of", lambda error: "judge/bodies.py:1")
    (after,) = (each for each in report().findings if each.verdict == "unknown")
    assert before.message != after.message
    assert before.fingerprint == after.fingerprint


def test_an_error_while_one_function_is_read_is_unknown_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read = TermReader.read

    def failing(reader: TermReader, node: object) -> object:
        if b"77" in node.text:  # type: ignore[attr-defined]
            raise OurMistake
        return read(reader, node)  # type: ignore[arg-type]

    monkeypatch.setattr(TermReader, "read", failing)
    assert told(report().findings) == [("missed", "f3"), ("unknown", "f7")]


@pytest.mark.parametrize("stage", ["causes_of", "restructured_of", "Books", "Speech", "pair_sides", "notices_of"])
def test_an_error_that_no_single_function_makes_is_unknown_for_the_sides(
    monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    def failing(*arguments: object) -> None:
        raise OurMistake

    monkeypatch.setattr(bodies, stage, failing)
    found = report()
    assert told(found.findings) == [("unknown", None)]
    assert found.conclusion == "unknown"


def test_where_every_function_fails_the_sides_are_unknown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def failing(part: Part) -> Iterator[Mark]:
        nonlocal calls
        calls += 1
        raise OurMistake

    monkeypatch.setattr(bodies, "marks_of", failing)
    base = {"a.py": FUNCTIONS, "b.py": FUNCTIONS}
    found = check_change(RULES, change_between(base, base | {"a.py": FUNCTIONS.replace(b"step", b"stop")}))
    assert told(found.findings) == [("unknown", None)]
    assert calls < 30


@pytest.mark.parametrize("stage", [(Source, "_outline"), (Pairing, "_functions"), (Pairing, "_classes")])
def test_an_error_while_a_side_is_read_is_unknown_for_it(
    monkeypatch: pytest.MonkeyPatch, stage: tuple[type, str]
) -> None:
    def failing(where: object, *arguments: object) -> None:
        if getattr(where, "left", True):
            raise OurMistake

    monkeypatch.setattr(*stage, failing)
    assert {each.verdict for each in report().findings} == {"unknown"}


def test_an_error_in_what_stands_hides_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: object) -> None:
        raise OurMistake

    monkeypatch.setattr(standing, "_standing_in", failing)
    assert told(report(show_standing=True).findings) == [("missed", "f3"), ("missed", "f7"), ("unknown", None)]


def test_an_error_that_a_user_can_act_on_is_raised_as_ever() -> None:
    def step() -> None:
        raise GitError("no such commit")

    with pytest.raises(GitError):
        attempt(step)
    assert attempt(lambda: 3) == 3
    assert isinstance(attempt(lambda: int("x")), Failure)
