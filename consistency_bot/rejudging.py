"""Ports that may be called safe: judged once more, in memory, as if they had been made."""

from collections.abc import Container, Iterable, Sequence

from consistency_bot.check import check_change
from consistency_bot.model import (
    PLAIN_FILE,
    Change,
    ChangedPath,
    Entry,
    Finding,
    Place,
    Rules,
    RulesSource,
    Side,
    Twins,
)
from consistency_bot.paths import compile_pattern
from consistency_bot.port import Decided, Decision, Half, Ported, decide
from consistency_bot.port.changes import Run
from consistency_bot.port.decisions import is_likely
from consistency_bot.port.surety import Surety

_UNEASY = frozenset({"missed", "diverged", "unknown", "undecided"})
_MINE, _THEIRS = "mine.py", "theirs.py"


class _Texts:
    """A tree of two files."""

    def __init__(self, mine: str, theirs: str) -> None:
        self._files = {_MINE: mine.encode(), _THEIRS: theirs.encode()}

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def find(self, patterns: Sequence[str]) -> list[str]:
        matchers = [compile_pattern(pattern) for pattern in patterns]
        return sorted(path for path in self._files if any(matches(path) for matches in matchers))

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        return []  # no rules are asked here, and patches neither

    def entry(self, path: str) -> Entry | None:
        return Entry(PLAIN_FILE, str(hash(self._files[path]))) if path in self._files else None


def port_safely(mine: Half, mine_new: Half, theirs: Half) -> Ported:
    """Only what is sure, and of that only what leaves nothing to be said when it is judged together with the change.

    A function that still has something to be said about it is left alone as a whole, and what is left is judged once
    more. The text is the old one where nothing is left.
    """
    drafted = decide(mine, mine_new, theirs, is_likely)
    surety = Surety(drafted.matching, mine_new, drafted.decisions)
    sure = {each.run for each in drafted.decisions if each.edits and surety.is_sure(each)}
    before: list[Finding] | None = None
    while sure:  # with each turn it holds less
        ported = _kept(drafted, surety, sure).ported()
        if ported.text == theirs.text:
            return ported
        found = findings_with(mine, mine_new, theirs, ported.text)
        if not found:
            return ported
        if before is None:
            before = findings_with(mine, mine_new, theirs, theirs.text)
        against = _against(ported.decisions, found, mine_new)
        if not against and not _are_new(found, before, ported.decisions):
            return ported
        sure = sure - against if against else set()
    return _kept(drafted, surety, sure).ported()


def _kept(drafted: Decided, surety: Surety, sure: Container[Run]) -> Decided:
    """The draft without what is not among the sure runs."""
    return drafted.only(lambda each: surety.is_sure(each) and each.run in sure)


def _against(decisions: Iterable[Decision], found: Sequence[Finding], new: Half) -> set[Run]:
    """The runs that are written where something is to be said: on those lines, or in that function."""
    places = _places(found)
    functions = {place.function for place in places if place.function}
    return {
        each.run
        for each in decisions
        if each.edits and (_is_met(each, places) or new.owner_at(each.run.new_start).qualname in functions)
    }


def _are_new(found: Iterable[Finding], before: Iterable[Finding], decisions: Sequence[Decision]) -> bool:
    """Whether one of the findings was not there before the port, nor is about what the port leaves out."""
    known = {each.fingerprint for each in before}
    left = [each for each in decisions if not each.edits]
    return any(
        each.fingerprint not in known and not any(_is_met(one, _places([each])) for one in left) for each in found
    )


def findings_with(mine: Half, mine_new: Half, theirs: Half, text: str) -> list[Finding]:
    """What would have to be said about the two files as twins if the other side had that text."""
    twins = Twins("ported", (Side("mine", (_MINE,)), Side("theirs", (_THEIRS,))))
    rules = Rules((twins,), RulesSource("", "file"))
    paths = (ChangedPath(_MINE, _MINE), ChangedPath(_THEIRS, _THEIRS))
    change = Change("0" * 40, "1" * 40, _Texts(mine.text, theirs.text), _Texts(mine_new.text, text), paths)
    return [each for each in check_change(rules, change).findings if each.verdict in _UNEASY]


def _is_met(decision: Decision, places: Iterable[Place]) -> bool:
    """Whether one of the places is on the lines of a decision, or right beside them."""
    low, high = decision.lines
    return any(place.line <= high + 1 and low - 1 <= place.end_line for place in places)


def _places(found: Iterable[Finding]) -> list[Place]:
    """Where on this side something is said."""
    return [place for each in found for place in each.places if place.path == _MINE]
