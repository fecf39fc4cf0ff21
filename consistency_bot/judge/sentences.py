"""One sentence per finding. It says that the sides differ, and where; never which side is right."""

from collections.abc import Iterator, Sequence

from consistency_bot.judge.edits import answer_of, is_carried_over, kept_beside, predecessor_of, reply_of, successor_of
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.places import at, counterpart_of, place_of
from consistency_bot.judge.snippets import snippet, snippet_at, snippets, source_of
from consistency_bot.judge.versions import Version
from consistency_bot.model import Finding, Place, Verdict
from consistency_bot.paths import is_python

_NAMED = 3
"""So many more units of a cause are named, the others counted."""

_MOST_MARKS = 200
"""Units of one kind in one stretch of lines that are looked through for what took the place of another one."""

CONCEPTS = {
    "parameter": "signature",
    "entry": "dictionary entry",
    "context": "with",
}
"""Names of concepts in reports, where they differ from the names of units."""

_LOST = "no longer has"

_LABELS = {"parameter": "parameter", "while_statement": "while", "case_clause": "case"}
"""What sentences call a unit, where that is not its concept."""


def concept_of(mark: Mark) -> str:
    """The concept as reports name it."""
    concept = mark.unit.concept
    if concept == "assignment" and mark.part.a.definition is not None and mark.part.a.definition.kind != "function":
        return "constant"
    return CONCEPTS.get(concept, concept)


def where(place: Place) -> str:
    """The function and its place, as sentences say it."""
    name = f"`{place.function}`" if place.function else "the module" if is_python(place.path) else "the file"
    return f"{name} ({place.path}:{place.line})"


class Account:
    """What a cause says: its leading unit, what happened to it, what the other side says, and what more belongs to it.

    `elsewhere` is where the other side says it, if that is in another function.
    """

    def __init__(self, marks: Sequence[Mark], lead: Mark, verdict: Verdict, elsewhere: Place | None) -> None:
        self._marks = marks
        self._lead = lead
        self._verdict = verdict
        self._new = successor_of(lead, marks)
        self._old = predecessor_of(lead)
        self._beside = kept_beside(lead)
        is_open = lead.partner is None and elsewhere is None
        self._reply = reply_of(lead, marks) if is_open else None
        self._answer = answer_of(lead) if is_open and self._reply is None else None
        self.changed = place_of(lead)
        self.counterpart = elsewhere or self._counterpart()

    def _counterpart(self) -> Place | None:
        if self._reply is not None:
            return place_of(self._reply)
        if self._answer is not None:
            unit = self._lead.other.head.units[self._answer]
            return at(self._lead.other, unit.line, unit.end_line)
        return counterpart_of(self._lead)

    @property
    def message(self) -> str:
        """The sentence, with both places."""
        text = f"{self.changed.side} {self._happened()} in {where(self.changed)}"
        if self.counterpart is not None:
            text += f"; {self.counterpart.side} {self._said_there()} {where(self.counterpart)}"
        return text + self._more() + "."

    def _happened(self) -> str:
        lead, edit = self._lead, self._edit()
        old, new = snippets(*edit) if edit is not None else ("", "")
        if old != new:
            return f"changed the {_labelled(lead, old)} to `{new}`"
        return f"{_LOST if lead.is_gone else 'now has'} the {_labelled(lead, snippet(lead))}"

    def _edit(self) -> tuple[tuple[Version, int], tuple[Version, int]] | None:
        """What stood there at base and what does at head, where something did and does."""
        half, here = self._lead.half, source_of(self._lead)
        if self._new is not None:
            return here, source_of(self._new)
        if self._old is not None:
            return (half.base, self._old), here
        return ((half.base, self._beside[0]), (half.head, self._beside[1])) if self._beside is not None else None

    def _said_there(self) -> str:
        lead, there = self._lead, self._lead.other.head
        if self._reply is not None:
            return f"now says `{snippet(self._reply)}` in"
        if self._answer is not None:
            return f"says `{snippet_at(there, self._answer)}` in"
        if not lead.is_gone:
            there_too = lead.part.opposite(lead.half, self._beside[1]) if self._beside is not None else None
            return f"says `{snippet_at(there, there_too)}` in" if there_too is not None else "has no such thing in"
        if lead.partner is None:
            return "still has it in" if self._verdict == "missed" else "says it differently now, in"
        if self._edit() is not None:
            return f"still says `{snippet_at(there, lead.partner)}` in"
        return "still has it in" if lead.verdict == "missed" else "still has it, in a statement that changed too, in"

    def _more(self) -> str:
        """Some of the other units by their source, as far as it has not been quoted, and in which other functions they are."""
        told = (self._lead, self._new, self._reply)
        rest = [mark for mark in self._marks if mark not in told and not is_carried_over(mark)]
        replaced = _successors(rest)
        said = {snippet(mark) for mark in told if mark is not None}
        more = dict.fromkeys(snippet(mark) for mark in rest if mark not in replaced)
        text = listed([f"`{each}`" for each in more if each and each not in said])
        others = list(dict.fromkeys(f"`{name}`" for name in self._elsewhere(rest)))[:5]
        return (f"; with it: {text}" if text else "") + (f"; also in {', '.join(others)}" if others else "")

    def _elsewhere(self, marks: Sequence[Mark]) -> Iterator[str]:
        told = (None, self._lead.half.definition, self._lead.other.definition)
        for mark in marks:
            definition = mark.half.definition
            if definition is not None and definition not in told and is_python(definition.path):
                yield definition.qualname or "the module"


def _successors(marks: Sequence[Mark]) -> frozenset[Mark]:
    """What took the place of units that are gone. Where there are too many in one stretch nobody reads which did."""
    stretches: dict[tuple[int, str], list[Mark]] = {}
    for mark in marks:
        stretches.setdefault((id(mark.hunk), mark.unit.concept), []).append(mark)
    few = (each for each in stretches.values() if len(each) <= _MOST_MARKS)
    found = (successor_of(mark, each) for each in few for mark in each)
    return frozenset(each for each in found if each is not None)


def tells_of_a_loss(finding: Finding) -> bool:
    """Whether its sentence says that something went, and not what came in its place."""
    return finding.changed is not None and finding.message.startswith(f"{finding.changed.side} {_LOST} the ")


def _labelled(mark: Mark, source: str) -> str:
    """What a unit is and its source, unless the source says it: the condition `if x:`, but the `return x`."""
    label = _LABELS.get(mark.unit.concept, concept_of(mark))
    words = source.replace(":", " ").split()
    return f"`{source}`" if words and words[0] == label else f"{label} `{source}`"


def listed(names: Sequence[str]) -> str:
    """The names as a sentence has them: all of a few, of many the first ones and how many more."""
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
