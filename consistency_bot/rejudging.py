"""Ports that may be called safe: judged once more, in memory, as if they had been made."""

from collections.abc import Sequence

from consistency_bot.check import check_change
from consistency_bot.model import PLAIN_FILE, Change, ChangedPath, Entry, Finding, Rules, RulesSource, Side, Twins
from consistency_bot.paths import compile_pattern
from consistency_bot.port import Decision, Half, Ported, port
from consistency_bot.port.decisions import is_sure

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

    The text is the old one where nothing is left.
    """
    ported = port(mine, mine_new, theirs, is_sure)
    if ported.text == theirs.text:
        return ported
    uneasy = _places(findings_with(mine, mine_new, theirs, ported.text))

    def is_quiet(decision: Decision) -> bool:
        low, high = decision.lines
        return is_sure(decision) and not any(first <= high + 1 and low - 1 <= last for first, last in uneasy)

    return port(mine, mine_new, theirs, is_quiet) if uneasy else ported


def findings_with(mine: Half, mine_new: Half, theirs: Half, text: str) -> list[Finding]:
    """What would have to be said about the two files as twins if the other side had that text."""
    twins = Twins("ported", (Side("mine", (_MINE,)), Side("theirs", (_THEIRS,))))
    rules = Rules((twins,), RulesSource("", "file"))
    paths = (ChangedPath(_MINE, _MINE), ChangedPath(_THEIRS, _THEIRS))
    change = Change("0" * 40, "1" * 40, _Texts(mine.text, theirs.text), _Texts(mine_new.text, text), paths)
    return [each for each in check_change(rules, change).findings if each.verdict in _UNEASY]


def _places(findings: list[Finding]) -> list[tuple[int, int]]:
    places = [each.changed for each in findings] + [each.counterpart for each in findings]
    return [(each.line, each.end_line) for each in places if each is not None and each.path == _MINE]
