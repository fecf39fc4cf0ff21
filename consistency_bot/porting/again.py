"""A change judged once more in memory, as if some of its files said something else at head."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from consistency_bot.check import check_change
from consistency_bot.git.trees import has_word
from consistency_bot.model import BLOCKING, PLAIN_FILE, Change, ChangedPath, Entry, Finding, Rules, Tree, Twins
from consistency_bot.paths import compile_pattern

_UNEASY = frozenset({"missed", "diverged", "broken", "unknown", "undecided"})
"""Verdicts that a port must not bring."""


class _Overlaid:
    """A tree with other contents at some of its paths (the protocol `model.Tree`)."""

    def __init__(self, under: Tree, files: Mapping[str, bytes]) -> None:
        self._under = under
        self._files = files

    def read(self, path: str) -> bytes | None:
        return self._files[path] if path in self._files else self._under.read(path)

    def find(self, patterns: Sequence[str]) -> list[str]:
        return self._under.find(patterns)

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        matches = compile_pattern(pattern)
        found = {path for path in self._under.holding(words, pattern) if path not in self._files}
        found |= {path for path, data in self._files.items() if words and matches(path) and has_word(data, words)}
        return sorted(found)

    def entry(self, path: str) -> Entry | None:
        if path not in self._files:
            return self._under.entry(path)
        found = self._under.entry(path)
        return Entry(found.mode if found is not None else PLAIN_FILE, "")


class Outcome(msgspec.Struct, frozen=True):
    """What judging again came to: whether the ports put the sides in step, and what speaks against them, "" for nothing."""

    is_cure: bool
    against: str = ""


class Again:
    """Judges a change's twins anew. `rules` and `change` are those of the report that `findings` are from."""

    def __init__(self, rules: Rules, change: Change, findings: Sequence[Finding]) -> None:
        self._rules = rules
        self._change = change
        self._before = findings

    def judge(self, pair: Twins, cured: Sequence[Finding], files: Mapping[str, bytes]) -> Outcome:
        """Whether the cured findings of the pair go, and no other one comes, if the files hold that at head."""
        found = self._findings(pair, files)
        before = [each for each in self._before if each.twins == pair.id]
        if not all(_is_gone(each, before, found) for each in cured):
            return Outcome(is_cure=False, against="judged again with it, the finding would still be there")
        known = {each.fingerprint for each in before}
        new = [each for each in found if each.fingerprint not in known and each.verdict in _UNEASY]
        if not new:
            return Outcome(is_cure=True)
        first = min(new, key=lambda each: each.verdict not in BLOCKING)
        where = first.changed or first.counterpart
        place = f" in `{where.function}`" if where is not None and where.function else ""
        against = f"judged again with it, there would be a new finding: {first.verdict}, {first.concept}{place}"
        return Outcome(is_cure=first.verdict not in BLOCKING, against=against)

    def _findings(self, pair: Twins, files: Mapping[str, bytes]) -> list[Finding]:
        rules = self._rules
        declared = tuple(rule for rule in rules.declared if rule.twins == pair.entry)
        head = _Overlaid(self._change.head, files)
        known = {each.new for each in self._change.paths}
        paths = (*self._change.paths, *(ChangedPath(path, path) for path in files if path not in known))
        change = replace(self._change, head=head, paths=paths)
        report = check_change(Rules((pair,), rules.source, declared=declared), change)
        return [each for each in report.findings if each.twins == pair.id]


def _is_gone(finding: Finding, before: Sequence[Finding], after: Sequence[Finding]) -> bool:
    """Whether it, or one of its equals: these are numbered, and when the first one goes the next takes its number."""
    if finding.fingerprint not in {each.fingerprint for each in after}:
        return True
    counts = [sum(_is_equal(each, finding) for each in findings) for findings in (before, after)]
    return counts[1] < counts[0]


def _is_equal(one: Finding, other: Finding) -> bool:
    return _kind(one) == _kind(other)


def _kind(finding: Finding) -> tuple[object, ...]:
    places = [each and (each.side, each.path, each.function) for each in (finding.changed, finding.counterpart)]
    return finding.rule, finding.verdict, finding.concept, *places
