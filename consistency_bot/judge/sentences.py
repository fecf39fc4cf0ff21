"""One sentence per finding. It says that the sides differ, and where; never which side is right."""

from collections.abc import Sequence

from consistency_bot.align.renames import flat
from consistency_bot.judge.marks import Mark
from consistency_bot.model import Place, Verdict
from consistency_bot.paths import is_python

_LONGEST = 100

CONCEPTS = {
    "parameter": "signature",
    "entry": "dictionary entry",
    "context": "with",
}
"""Names of concepts in reports, where they differ from the names of units."""


def concept_of(mark: Mark) -> str:
    """The concept as reports name it."""
    concept = mark.unit.concept
    if concept == "assignment" and mark.part.a.definition is not None and mark.part.a.definition.kind != "function":
        return "constant"
    return CONCEPTS.get(concept, concept)


def snippet(mark: Mark) -> str:
    """The source of the unit on one line, shortened; a parameter's name and default alone."""
    definition = (mark.half.base if mark.is_gone else mark.half.head).definition
    if mark.unit.concept in ("parameter", "default"):
        return "".join(flat(mark.unit.terms[1:-1])).replace("'", '"')
    lines = definition.source.lines if definition is not None else []
    text = lines[mark.unit.line - 1].strip() if 0 < mark.unit.line <= len(lines) else ""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def where(place: Place) -> str:
    """The function and its place, as sentences say it."""
    name = f"`{place.function}`" if place.function else "the module" if is_python(place.path) else "the file"
    return f"{name} ({place.path}:{place.line})"


def sentence(marks: Sequence[Mark], lead: Mark, changed: Place, counterpart: Place | None, verdict: Verdict) -> str:
    """What a cause says: the leading unit, what happened to it, both places, and how much more belongs to it."""
    what = f"the {concept_of(lead)} `{snippet(lead)}`"
    if lead.is_gone:
        text = f"{changed.side} no longer has {what} in {where(changed)}"
        rest = "still has it in" if verdict == "missed" else "says it differently now, in"
    else:
        text = f"{changed.side} now has {what} in {where(changed)}"
        rest = "has no such thing in"
    if counterpart is not None:
        text += f"; {counterpart.side} {rest} {where(counterpart)}"
    return text + _more(marks, lead) + "."


def _more(marks: Sequence[Mark], lead: Mark) -> str:
    if len(marks) == 1:
        return ""
    here = lead.half.definition
    names = {
        mark.half.definition.qualname or "the module": None
        for mark in marks
        if mark.half.definition not in (here, None) and is_python(mark.half.definition.path)
    }
    others = [f"`{name}`" for name in names][:5]
    text = f"; {len(marks) - 1} more unit{'s' if len(marks) > 2 else ''} of the same change"
    return text + (f", also in {', '.join(others)}" if others else "")
