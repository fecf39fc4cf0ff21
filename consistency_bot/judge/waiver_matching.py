"""Questions about one waiver and one place: does it name this, does it stand there."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from consistency_bot.concepts import spelt
from consistency_bot.judge.code_waivers import CodeWaiver, CodeWaivers
from consistency_bot.judge.twins import Judged
from consistency_bot.model import Finding, Place, Waiver
from consistency_bot.paths import compile_pattern, is_glob

if TYPE_CHECKING:
    from consistency_bot.judge.differing import Differing

_CAPTURE = re.compile(r"\{\w+\}")


def names_finding(names: frozenset[str], finding: Finding) -> bool:
    """Whether the finding's rule, twins or concept is among the names."""
    return finding.rule in names or _names_twins(names, finding.twins or "") or _names_concept(names, finding.concept)


def names_unit(names: frozenset[str], twins: str, unit: "Differing") -> bool:
    """Whether a unit that differs, now or from before, is meant by the names."""
    return "bodies" in names or _names_twins(names, twins) or _names_concept(names, unit.concept)


def _names_twins(names: frozenset[str], twins: str) -> bool:
    """Whether these twins are meant; the id of an entry with captures means every pair that it stands for."""
    return twins in names or twins.partition("[")[0] in names


def _names_concept(names: frozenset[str], concept: str) -> bool:
    return spelt(concept) in {spelt(name) for name in names}


def covers(waiver: CodeWaiver, place: Place, file: CodeWaivers) -> bool:
    """Whether the comment is about the line of a place, or another of the statement that begins there.

    A place of several statements has its comment at the first, where reports say that it is. Where something is
    missing, the comment may be at the line before the gap, in it or behind it.
    """
    if waiver.path != place.path:
        return False
    if place.end_line < place.line:
        first, last = place.end_line, place.line
    else:
        first, last = place.line, min(place.end_line, file.end_of_statement(place.line))
    return waiver.first <= last and first <= waiver.last


def stands_in(waiver: Waiver, place: Place) -> bool:
    """Whether a place is within the waiver's `where`: the file, and the function or class if it names one."""
    path, _, symbol = waiver.where.partition("::")
    function = place.function or ""
    is_within = not symbol or function == symbol or function.startswith(f"{symbol}.")
    return is_within and compile_pattern(path)(place.path)


def paths_of(judged: Judged) -> Iterator[str]:
    """The files at head of all sides."""
    for paths in judged.checked.sides.values():
        yield from paths


def is_in(waiver: Waiver, judged: Judged) -> bool:
    """Whether the waiver's `where` is a file of these twins."""
    matches = compile_pattern(waiver.where.partition("::")[0])
    return any(matches(path) for path in paths_of(judged))


def may_meet(pattern: str, of_side: str) -> bool:
    """Whether some path may match a waiver's pattern and a side's. Of two with wildcards it is not told: they may."""
    other = _CAPTURE.sub("*", of_side.partition("::")[0])
    if is_glob(pattern) and is_glob(other):
        return True
    return compile_pattern(pattern)(other) or compile_pattern(other)(pattern)
