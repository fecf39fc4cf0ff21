"""Mistakes that no single value has: what the parts of a rules file must be to one another.

All of these read spots, not decoded values, so that a typing mistake elsewhere in an entry hides none of them.
"""

from collections.abc import Iterator

from consistency_bot.concepts import CONCEPTS, spelt
from consistency_bot.paths import captures_in
from consistency_bot.rules.places import Path, Problem, Spot
from consistency_bot.rules.wording import closest, listed, quoted

_BODIES = "bodies"
_RESERVED = {_BODIES: "the rule which is always on", "waivers": "findings about waivers"}
"""Values of a finding's `rule` that are none of the declared ones, and what they stand for."""


def find_conflicts(top: Spot) -> Iterator[Problem]:
    """Ids given twice, names of twins, sides, jobs and rules that do not exist, and keys that exclude one another."""
    twins = _entries(top, "twins")
    rules = _entries(top, "rules")
    yield from _repeated(twins)
    yield from _repeated(rules)
    for path, entry in twins:
        yield from _twins_entry(path, entry)
    sides = {entry.get("id").text: list(entry.get("sides").keys) for _, entry in twins}
    captures = {entry.get("id").text: _captured(entry.get("sides")) for _, entry in twins}
    jobs = list(top.get("smoke").keys)
    for path, entry in rules:
        yield from _rule(path, entry, sides, jobs)
        yield from _uncaptured(path, entry, captures)
    for path, entry in _entries(top, "patches"):
        yield from _asked_jobs(path, entry, jobs)
    for path, entry in _entries(top, "atoms"):
        if entry.kind == "seq" and not entry.items:
            yield Problem(entry.line, f"the atom {quoted(str(path[-1]))} has no spelling", "one spelling or more", path)
    section = top.get("twins")
    if section.kind == "seq" and not section.items and not top.get("patches").keys:
        yield Problem(
            section.line, "`twins` has no entry, so there is nothing to check", "one entry or more", ("twins",)
        )
    names = {
        "rule": [_BODIES, *(entry.get("id").text for _, entry in rules), *top.get("patches").keys],
        "twins": list(sides),
        "concept": list(CONCEPTS),
    }
    for path, entry in _entries(top, "waivers"):
        yield from _waiver(path, entry, names)


def _entries(top: Spot, section: str) -> list[tuple[Path, Spot]]:
    spot = top.get(section)
    named: list[tuple[Path, Spot]] = [((section, key), entry) for key, entry in spot.keys.items()]
    return named + [((section, at), entry) for at, entry in enumerate(spot.items)]


def _repeated(entries: list[tuple[Path, Spot]]) -> Iterator[Problem]:
    lines: dict[str, int] = {}
    for path, entry in entries:
        given = entry.get("id")
        first = lines.setdefault(given.text, given.line) if given.text else given.line
        if first != given.line:
            yield Problem(
                given.line, f"the id {quoted(given.text)} is taken, by line {first}", "an id of its own", path
            )


def _twins_entry(path: Path, entry: Spot) -> Iterator[Problem]:
    sides = entry.get("sides")
    if sides.kind == "map" and len(sides.keys) < 2:
        count = "one side" if sides.keys else "no side"
        yield Problem(sides.line, f"`sides` has {count}", "two or more named sides", (*path, "sides"))
    yield from _shared_files(path, sides)
    yield from _captures(path, sides)
    for name, side in sides.keys.items():
        if side.kind == "seq" and not side.items:
            yield Problem(side.line, f"side {quoted(name)} has no file", "one path or more", (*path, "sides", name))
    for at, group in enumerate(entry.get("same").items):
        if group.kind == "seq" and len(group.items) < 2:
            takes = "a list of two or more names that are one name"
            yield Problem(group.line, f"`same` item {at + 1} has fewer than two names", takes, (*path, "same", at))
    status = entry.get("status")
    if status.kind == "map" and len(status.keys) != 1:
        takes = "`active`, or one of `{frozen: SIDE}` and `{retired: SIDE}`"
        yield Problem(status.line, "`status` has not exactly one key", takes, (*path, "status"))
    for word, given in status.keys.items():
        if given.text and given.text not in sides.keys:
            yield _unknown(given, (*path, "status", word), "side", list(sides.keys))


def _shared_files(path: Path, sides: Spot) -> Iterator[Problem]:
    """The same path or pattern on two sides, or a symbol and what it stands in: they would agree with themselves."""
    given = [(name, spot) for name, side in sides.keys.items() for spot in side.items or (side,) if spot.kind == "str"]
    owner: dict[str, str] = {}
    for name, spot in given:
        owner.setdefault(spot.text, name)
    for name, spot in given:
        for part in _around(spot.text):
            first = owner.get(part, name)
            if first != name and (part != spot.text or owner[spot.text] != name):
                too = "too" if part == spot.text else f"as part of {quoted(part)}"
                what = f"side {quoted(name)} has {quoted(spot.text)}, which is on side {quoted(first)} {too}"
                yield Problem(spot.line, what, "files of its own for each side", (*path, "sides", name))


def _captures(path: Path, sides: Spot) -> Iterator[Problem]:
    """Captures that do not say which file of one side goes with which of another."""
    given = [(name, spot) for name, side in sides.keys.items() for spot in side.items or (side,) if spot.kind == "str"]
    every = list(dict.fromkeys(each for _, spot in given for each in captures_in(spot.text)))
    if not every:
        return
    takes = f"{listed([f'{{{each}}}' for each in every], 'and')} in a path of every side"
    for name, spot in given:
        missing = [f"{{{each}}}" for each in every if each not in captures_in(spot.text)]
        if captures_in(spot.text) and missing:
            what = f"side {quoted(name)}: {quoted(spot.text)} has no {listed(missing)}, which other paths have"
            yield Problem(spot.line, what, takes, (*path, "sides", name))
    for name, side in sides.keys.items():
        if not any(captures_in(spot.text) for spot in side.items or (side,)):
            what = f"side {quoted(name)} has no {listed([f'{{{each}}}' for each in every])}, which other sides have"
            yield Problem(side.line, what, takes, (*path, "sides", name))


def _around(pattern: str) -> Iterator[str]:
    """The pattern itself, and what it lies in: `a.py::B.c` lies in `a.py::B` and in `a.py`."""
    yield pattern
    file, mark, symbol = pattern.partition("::")
    parts = symbol.split(".")
    for end in range(len(parts) - 1, 0, -1):
        yield f"{file}::{'.'.join(parts[:end])}"
    if mark:
        yield file


def _rule(path: Path, entry: Spot, sides: dict[str, list[str]], jobs: list[str]) -> Iterator[Problem]:
    rule_id, twins = entry.get("id"), entry.get("twins")
    if rule_id.text in _RESERVED:
        what = f"the id `{rule_id.text}` is that of {_RESERVED[rule_id.text]}"
        yield Problem(rule_id.line, what, "another id", path)
    if twins.kind == "str" and twins.text not in sides:
        yield _unknown(twins, (*path, "twins"), "twins", list(sides))
    for key in ("only", "files") if twins.text in sides else ():
        for name, spot in entry.get(key).keys.items():
            if name not in sides[twins.text]:
                yield _unknown(Spot(spot.line, "str", name), (*path, key, name), "side", sides[twins.text])
    yield from _asked_jobs(path, entry, jobs)
    if entry.get("check").text == "present" and ("pattern" in entry.keys) == ("regex" in entry.keys):
        yield Problem(entry.line, "not exactly one of `pattern` and `regex`", "one of the two", path)


def _asked_jobs(path: Path, entry: Spot, jobs: list[str]) -> Iterator[Problem]:
    for at, job in enumerate(entry.get("smoke").items):
        if job.kind == "str" and job.text not in jobs:
            yield _unknown(job, (*path, "smoke", at), "smoke job", jobs)


def _captured(sides: Spot) -> list[str]:
    """The captures of a twins entry."""
    given = (spot for side in sides.keys.values() for spot in side.items or (side,))
    return list(dict.fromkeys(each for spot in given for each in captures_in(spot.text)))


def _uncaptured(path: Path, entry: Spot, captures: dict[str, list[str]]) -> Iterator[Problem]:
    """Captures in the paths of a rule that its twins do not have."""
    twins = entry.get("twins").text
    paths = [("any_of", entry.get("any_of")), *(("files", each) for each in entry.get("files").keys.values())]
    for key, spot in paths:
        for each in spot.items or (spot,):
            for name in captures_in(each.text) if twins in captures else ():
                if name not in captures[twins]:
                    known = [f"{{{word}}}" for word in captures[twins]]
                    what = f"{quoted(f'{{{name}}}')} is no capture of the twins {quoted(twins)}"
                    takes = listed(known) if known else "paths without captures, as the sides have none"
                    yield Problem(each.line, what, takes, (*path, key))


def _waiver(path: Path, entry: Spot, names: dict[str, list[str]]) -> Iterator[Problem]:
    keys = set(entry.keys) & {"finding", "rule", "where"}
    if entry.kind == "map" and keys not in ({"finding"}, {"rule", "where"}):
        yield Problem(entry.line, "what it waives is unclear", "`finding`, or `rule` and `where`", path)
    rule = entry.get("rule")
    known = [name for group in names.values() for name in group if name]
    if rule.kind == "str" and rule.text and rule.text not in known and spelt(rule.text) not in map(spelt, CONCEPTS):
        what = f"there is no rule, twins or concept {quoted(rule.text)}{closest(rule.text, known)}"
        groups = {word: list(dict.fromkeys(filter(None, group))) for word, group in names.items()}
        takes = "; ".join(f"{word} {listed(group)}" for word, group in groups.items() if group)
        yield Problem(rule.line, what, takes, (*path, "rule"))


def _unknown(spot: Spot, path: Path, what: str, known: list[str]) -> Problem:
    known = list(dict.fromkeys(word for word in known if word))
    takes = listed(known) if known else f"nothing, as no {what} is declared"
    return Problem(spot.line, f"there is no {what} {quoted(spot.text)}{closest(spot.text, known)}", takes, path)
