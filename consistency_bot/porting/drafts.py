"""What one finding's port would write, before it is judged again."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from consistency_bot.attempts import Failure, attempt
from consistency_bot.changed import Changed
from consistency_bot.judge.files import side_files
from consistency_bot.judge.sentences import tells_of_a_loss
from consistency_bot.model import Change, Finding, Place, Twins
from consistency_bot.paths import is_python
from consistency_bot.port import Decided, Decision, Half, decide, written
from consistency_bot.port.decisions import Edit, is_likely, words_of
from consistency_bot.port.surety import Surety
from consistency_bot.porting.choosing import Choice
from consistency_bot.porting.soundness import fault_of, without_waivers

_MOST_LINES = 30
"""So many lines of a port can be taken in at a glance; longer ones were not always right when all spoke for them."""

_MOST_EDITS = 3
"""Of one run of rows. Where more rows in a row changed, or rows only came, authors did it otherwise in the twin more often."""

_COMMENT = re.compile(r"#[^\n]*")
_TOKEN = re.compile(r"\w+|[-+*/%&|^~@<>=!]+|[^\w\s,]")


class Draft(msgspec.Struct, frozen=True):
    """The edits of the file at `path`, which count in the characters of its text at head, and what speaks against them.

    `dropped` are names whose imports go where nothing uses them any more. `declined` says why there are no edits; it is
    empty where there are some. `decisions` are what was decided about the finding's lines, which are lines of `source`.
    """

    path: str = ""
    source: str = ""
    edits: tuple[Edit, ...] = ()
    dropped: frozenset[str] = frozenset()
    decisions: tuple[Decision, ...] = ()
    doubts: tuple[str, ...] = ()
    declined: str = ""


class _Both(msgspec.Struct, frozen=True):
    """The file that lacks the change of another one, what was decided run by run, and what is asked about that.

    `has_moved` says whether the change touches the other file too.
    """

    theirs: Half
    decided: Decided
    choice: Choice
    surety: Surety
    has_moved: bool


class Drafts:
    """Drafts the ports of one change; two files are read once for all findings between them."""

    def __init__(self, change: Change, changed: Changed) -> None:
        self._change = change
        self._changed = changed
        self._known: dict[str, dict[tuple[str, ...], _Both | Failure]] = {}

    def draft(self, pair: Twins, finding: Finding) -> Draft:
        """The finding's draft; one that is declined where nothing can be written honestly."""
        changed, counterpart = finding.changed, finding.counterpart
        if changed is None or counterpart is None:
            return Draft(declined="the other side has no place for it")
        if not (is_python(changed.path) and is_python(counterpart.path)):
            return Draft(declined="only Python is ported")
        if pair.id not in self._known:  # findings come twins by twins, and what was read of the last ones is large
            self._known = {pair.id: {}}
        known, key = self._known[pair.id], (changed.side, changed.path, counterpart.side, counterpart.path)
        if key not in known:
            known[key] = attempt(partial(self._both, pair, changed, counterpart))
        both = known[key]
        if isinstance(both, Failure):
            return Draft(declined=both.reason + (f", at {both.where}" if both.where else ""))
        drafted = attempt(partial(_drafted, finding, both))
        return drafted if isinstance(drafted, Draft) else Draft(declined=drafted.reason)

    def _both(self, pair: Twins, changed: Place, counterpart: Place) -> "_Both | Failure":
        old, new = self._file(pair, changed)
        _, theirs = self._file(pair, counterpart)
        if new is None or theirs is None:
            return Failure("a file is not there any more")
        if old is None:
            return Failure("the whole file is new")
        mine = _half(self._change.base.read(old[0]), old)
        mine_new = _half(self._change.head.read(new[0]), new, mine)
        other = _half(self._change.head.read(theirs[0]), theirs)
        if not mine.rows:
            return Failure("the whole file is new")
        is_one_file = new[0] == theirs[0]
        has_moved = not is_one_file and bool({counterpart.path, theirs[0]} & self._changed.paths)
        decided = decide(mine, mine_new, other, is_likely)
        choice = Choice(mine, mine_new, decided.decisions)
        surety = Surety(decided.matching, mine_new, decided.decisions)
        return _Both(other, decided, choice, surety, has_moved)

    def _file(self, pair: Twins, place: Place) -> "tuple[_File | None, _File | None]":
        """The file of a place at base and at head."""
        side = next(each for each in pair.sides if each.name == place.side)
        found = side_files(pair, side, self._change, self._changed)
        base, head = (
            next(((each.path, each.symbols) for each in files if each.name == place.path), None) for files in found
        )
        return base, head


_File = tuple[str, tuple[str, ...]]
"""A path, and the symbols that count there; none for the whole file."""


def _half(raw: bytes | None, file: _File, like: Half | None = None) -> Half:
    return Half(file[0], raw or b"", file[1], like)


def _drafted(finding: Finding, both: _Both) -> Draft:
    assert finding.changed is not None
    places = [finding.changed, *(finding.also if isinstance(finding.also, tuple) else ())]
    here = [each for each in places if each.path == finding.changed.path]
    choice = both.choice
    met = choice.meeting(here)
    draft = Draft(both.theirs.source.path, finding.changed.path, decisions=tuple(met))
    left = [each for each in met if each.state in ("none", "unsure")]
    writing = [each for each in met if each.edits]
    if not writing:
        return replace(draft, declined=_reasons(left) or _ALREADY if met else _NOT_SEEN)
    if len(left) > len(writing):
        return replace(draft, declined=f"most of it cannot be written: {_reasons(left)}")
    chosen = choice.with_needed(writing)
    kept = [each if each in chosen else each.without("it is of another finding") for each in both.decided.decisions]
    edits = tuple(without_waivers(edit, both.theirs.text) for edit in both.decided.edits(kept))
    draft = replace(draft, edits=edits, dropped=_dropped(both, edits), decisions=_in_order([*met, *chosen]))
    edited = Half(draft.path, ported_text(both.theirs.text, [draft]).encode(), like=both.theirs)
    fault = fault_of(both.theirs, edited)
    if fault:
        return replace(draft, edits=(), declined=fault)
    # An import is as sure as what uses it.
    code = [each for each in chosen if not choice.is_of_imports(each)]
    doubts = [*_doubts(places, here, left), *_said_against(both.surety, code or chosen)]
    own = {
        _MOVED_TOO: both.has_moved,
        _TAKES_AWAY: tells_of_a_loss(finding) or any(_only_takes(each, both.theirs.text) for each in chosen),
        _NEW_FUNCTION: _size(edited) > _size(both.theirs),
        _MORE: any(each not in met for each in code) or len(edits) > sum(len(each.edits) for each in chosen),
        _LONG: sum(edit.text.count("\n") for edit in edits) > _MOST_LINES
        or any(len(each.edits) > _MOST_EDITS for each in code),
        _ONLY_ADDS: bool(code) and all(each.evidence.adds == "code" for each in code),
    }
    return replace(draft, doubts=(*doubts, *(text for text, is_so in own.items() if is_so)))


_MOVED_TOO = "the other side changed as well: see that it does not say it in its own way"
_NEW_FUNCTION = "it brings in a function: see its name, and whether it waits (`async`) there"
_MORE = "it takes along what the change does elsewhere to the same names"
_LONG = "it is long"
_ONLY_ADDS = "it only adds: nothing that both sides had shows that this one wants it"
_TAKES_AWAY = "it takes something away: see that it was meant to go"
_ALREADY = "the other side says all of that already, if in its own words"
_NOT_SEEN = "nothing changed on its lines: it follows from something else in the change"


def ported_text(text: str, drafts: Sequence[Draft]) -> str:
    """The text of a file at head with the edits of these drafts of it; where two want one place, the first has it."""
    edits = dict.fromkeys(edit for each in drafts for edit in each.edits)
    dropped = frozenset[str]().union(*(each.dropped for each in drafts))
    return written(text, list(edits), dropped)


def _in_order(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    by_run = {each.run: each for each in decisions}
    return tuple(sorted(by_run.values(), key=lambda each: (each.lines[0], each.lines[1])))


def _dropped(both: _Both, edits: Collection[Edit]) -> frozenset[str]:
    """Names that this side imports no more, and that stand in what the edits replace on the other."""
    gone = words_of(both.theirs.text[edit.start : edit.end] for edit in edits)
    return gone & both.decided.dropped


def _only_takes(decision: Decision, text: str) -> bool:
    """Whether all the code that it writes stood there before, and more did."""
    before = _tokens(text[edit.start : edit.end] for edit in decision.edits)
    return _tokens(edit.text for edit in decision.edits) < before


def _tokens(texts: Iterable[str]) -> "Counter[str]":
    return Counter(token for text in texts for token in _TOKEN.findall(_COMMENT.sub("", text)))


def _size(half: Half) -> int:
    """How many classes and functions it has."""
    return len(half.source.outline)


def _reasons(decisions: Iterable[Decision]) -> str:
    return "; ".join(dict.fromkeys(each.reason for each in decisions if each.reason))


def _doubts(places: Collection[Place], here: Collection[Place], left: Sequence[Decision]) -> Iterable[str]:
    """What a person should look at, the weightiest first."""
    if left:
        lines = ", ".join(str(each.lines[0]) for each in left)
        yield f"a part of the change is not in it (at line{'s' * (len(left) > 1)} {lines}: {_reasons(left)})"
    if len(here) < len(places):
        others = dict.fromkeys(each.path for each in places if each not in here)
        yield f"what changed in {', '.join(others)} is not in it"


def _said_against(surety: Surety, chosen: Iterable[Decision]) -> Iterable[str]:
    return dict.fromkeys(doubt for each in chosen if each.edits for doubt in surety.doubts(each))
