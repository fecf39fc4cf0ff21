"""The source of a unit as sentences quote it: on one line, and not too long."""

import re

from consistency_bot.align.renames import flat
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.versions import Version
from consistency_bot.syntax import Unit

_LONGEST = 100
_BEFORE = 30
"""So much of what two long texts have in common is shown before the first letter in which they differ."""

_LINES = 50
"""Of longer statements no more is looked at: no more would be shown."""

_WIDEST = 5_000
"""A longer line is not searched for the beginning of each of its pieces."""

_TOKEN = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*|[()\[\]{},]|\blambda\b""")


def snippet(mark: Mark) -> str:
    """The source of a mark's unit: at base for what is gone, else at head."""
    return snippet_at(*source_of(mark))


def source_of(mark: Mark) -> tuple[Version, int]:
    """The version and the index that a mark's unit has there."""
    return (mark.half.base if mark.is_gone else mark.half.head), mark.index


def snippet_at(version: Version, index: int) -> str:
    """The source of a unit, shortened; a parameter's name and default, an argument or an entry alone."""
    return _cut(_text_of(version, index))


def snippets(old: tuple[Version, int], new: tuple[Version, int]) -> tuple[str, str]:
    """The sources of two units, shortened so that the first difference is seen."""
    first, second = _text_of(*old), _text_of(*new)
    same = next(
        (i for i, (x, y) in enumerate(zip(first, second, strict=False)) if x != y), min(len(first), len(second))
    )
    start = max(0, same - _BEFORE) if same >= _LONGEST - _BEFORE else 0
    return (_cut(first[start:], "…" * (start > 0)), _cut(second[start:], "…" * (start > 0)))


def _cut(text: str, before: str = "") -> str:
    text = before + text
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _text_of(version: Version, index: int) -> str:
    """The whole source of a unit on one line; empty where there is none."""
    unit = version.units[index]
    if unit.concept in ("parameter", "default"):
        return "".join(flat(unit.terms[1:-1])).replace("'", '"')
    lines = version.definition.source.lines if version.definition is not None else []
    if not 0 < unit.line <= len(lines):
        return ""
    end_line = version.statements[unit.statement].end_line
    alone = _piece(unit, "\n".join(lines[unit.line - 1 : min(end_line, unit.line + _LINES)]))
    return alone or _on_one_line("\n".join(lines[unit.line - 1 : min(unit.end_line, unit.line + _LINES)]))


def _on_one_line(text: str) -> str:
    if "\n" not in text:
        return text.strip()
    return re.sub(r",? ([)\]}])", r"\1", re.sub(r"([(\[{]) ", r"\1", " ".join(text.split())))


def _piece(unit: Unit, text: str) -> str:
    """An argument or an entry without what stands around it; empty where its name does not tell where it begins."""
    pattern, first = _beginning_of(unit), text.partition("\n")[0]
    if not pattern or len(first) > _WIDEST:
        return ""
    found = list(re.finditer(pattern, first))
    return _on_one_line(_until_comma(text[found[0].start() :])) if len(found) == 1 else ""


def _beginning_of(unit: Unit) -> str:
    """What an argument's or entry's own text begins with, as a pattern; empty where it has no name."""
    name = unit.terms[1:3][-1] if unit.concept == "argument" else unit.terms[1] if unit.concept == "entry" else ""
    if not isinstance(name, str):
        return ""
    if unit.concept == "argument" and name.endswith("="):
        return rf"(?<![\w.]){re.escape(name[:-1])}\s*=(?!=)"
    if name.startswith("'") and unit.terms[2:3] == (":",):
        return rf"""(["']){re.escape(name[1:])}\1\s*:"""
    return ""


def _until_comma(text: str) -> str:
    """The text up to the comma or bracket that ends it; empty where a `lambda`, with commas of its own, hides that."""
    depth = 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == "lambda":
            return ""
        if token in ")]}" or (token == "," and not depth):
            if not depth:
                return text[: found.start()]
            depth -= 1
        elif token in "([{":
            depth += 1
    return text
