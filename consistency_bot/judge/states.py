"""A side that is not there yet, or not any more: a state of the twins, told in a sentence of its own.

None of these blocks. Whoever takes a side away, or begins a new one, means it; but that twins have stopped being twins,
or that an entry of the rules speaks of nothing, must not pass in silence.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from consistency_bot.judge.files import named_paths
from consistency_bot.judge.reading import SideRead, Unread, is_pair
from consistency_bot.model import SYMBOLIC_LINK, Change, Place, Twins, Verdict
from consistency_bot.paths import is_glob, split_symbol


class State:
    """What is said about a side that is held against nothing, and the two places that it is about."""

    __slots__ = ("changed", "concept", "counterpart", "message", "side", "verdict", "what")

    def __init__(
        self,
        verdict: Verdict,
        side: str,
        what: tuple[str, str],
        message: str,
        changed: Place,
        counterpart: Place | None,
        concept: str = "",
    ) -> None:
        self.verdict: Verdict = verdict
        self.side = side
        self.what = what
        self.concept = concept or ("symbol" if what[1] else "file")
        self.message = message
        self.changed = changed
        self.counterpart = counterpart


def states_of(twins: Twins, sides: Sequence[SideRead], change: Change) -> Iterator[State]:
    """The states of all sides that are not there at base, at head, or at all; nothing where all of them are gone."""
    here = [side for side in sides if side.exists]
    if not here and not any(side.lacking for side in sides):
        return  # all of them deleted together: nothing is left to keep in step
    is_new = not any(side.was for side in sides)
    if not is_pair(twins, sides):
        yield from _alone(twins, sides)
        return
    for side in sides:
        if side.side.name == twins.retired:
            continue  # that it is not there is as declared; that it is, is told as a trespass
        others = [each for each in here if each is not side]
        if side.unread is None and side.was and not side.exists:
            yield _ended(twins, side, others)
        elif side.unread is None and side.exists and not side.was and not is_new:
            yield _begun(side, [each for each in others if each.was])
        elif side.cured is not None:
            yield _cured(side, side.cured, others)
        elif others and side.unread is None and side.exists and side.strays:
            if not twins.captured:
                yield _renamed(side, others)
            elif len(side.strays) == len(side.paths):
                yield _parted(side, others)
        for what in side.lacking if not twins.captured else ():
            yield _lacking(side, what, sides, change)


def expired(twins: Twins, sides: Sequence[SideRead], today: date | None) -> Iterator[State]:
    """The reminder that the twins' last day has passed; it comes with every change that touches them."""
    moved = next((side for side in sides if side.is_modified), None)
    if twins.expires is not None and today is not None and today > twins.expires and moved is not None:
        message = (
            f"the twins {twins.entry} expired: their last day was {twins.expires}. Take the entry out of the rules if they are"
            " twins no more, or give it a later day."
        )
        place = opening_of_side(moved)
        yield State("broken", moved.side.name, (str(twins.expires), ""), message, place, None, "expires")


def _alone(twins: Twins, sides: Sequence[SideRead]) -> Iterator[State]:
    """A name that a capture stands for and that only one side has: told where it is new, as it may be the first half."""
    for side in sides:
        if side.exists and not side.was:
            paths = [path for each in sides if each is not side for path, _ in named_paths(each.side)]
            what = _main(side)
            owed = f"; there is no {' nor '.join(paths)} to hold it against" if paths else ", and has no counterpart"
            message = f"{side.side.name} begins here: {what[0]} is new{owed}."
            yield State("one_sided", side.side.name, what, message, opening_of_side(side), None)


def _renamed(side: SideRead, others: Sequence[SideRead]) -> State:
    """A file of a side was renamed: under the name that the rules have, nothing will be found any more."""
    strays = side.strays
    message = (
        f"{side.side.name} goes on as {', '.join(strays)}, renamed by this change; an entry of the rules that does not name"
        f" {'that path' if len(strays) == 1 else 'those paths'} holds nothing against it from the next change on."
    )
    place = Place(side.side.name, strays[0], 1, 1)
    return State("one_sided", side.side.name, (strays[0], ""), message, place, opening_of_side(others[0]))


def _parted(side: SideRead, others: Sequence[SideRead]) -> State:
    """One half of a pair that goes by a name was renamed, and by its new name it is no half of this pair."""
    what = _main(side)
    message = (
        f"{side.side.name} goes on as {what[0]}, renamed by this change; by that name nothing holds it against"
        f" {_named(others)} from the next change on."
    )
    return State("one_sided", side.side.name, what, message, opening_of_side(side), opening_of_side(others[0]))


def _ended(twins: Twins, side: SideRead, others: Sequence[SideRead]) -> State:
    path, symbol = what = _main(side)
    name = side.side.name
    taken = f"takes `{symbol}` out of {path}" if symbol else f"takes {path} away"
    message = f"{name} ends here: this change {taken}"
    if len(twins.sides) == 2:
        message += "; with it this pair ends here"
        message += f": {_named(others)} goes on alone, and nothing is held against it from now on" if others else ""
        advice = (
            f". If that is meant, retire the entry (`status: {{retired: {name}}}` tells when {name} comes back), or take the"
            " twins out of the rules with it"
        )
    else:
        message += f"; {_named(others)} go{'es' * (len(others) == 1)} on without it" if others else ""
        advice = ". If that is meant, take the side out of the rules with it" if others else ""
    advice = "" if twins.captured else advice
    gap = Place(name, path, 1, 0, symbol or None)
    return State("one_sided", name, what, f"{message}{advice}.", gap, opening_of_side(others[0]) if others else None)


def _begun(side: SideRead, others: Sequence[SideRead]) -> State:
    path, symbol = what = _main(side)
    new = f"`{symbol}` is new in {path}" if symbol else f"{path} is new"
    rest = f"it is held against {_named(others)} from the next change on" if others else "the others have ended"
    message = f"{side.side.name} begins here: {new}, so there is nothing before this change to compare; {rest}."
    return State(
        "one_sided",
        side.side.name,
        what,
        message,
        opening_of_side(side),
        opening_of_side(others[0]) if others else None,
    )


def _cured(side: SideRead, cured: Unread, others: Sequence[SideRead]) -> State:
    """A file could not be read at base and can be now: the change that cures it cannot be judged."""
    rest = f"; it is held against {_named(others)} from the next change on" if others else ""
    message = (
        f"{side.side.name} could not be read at base ({cured.path}: {cured.reason}), so there is nothing before this"
        f" change to compare{rest}."
    )
    place = Place(side.side.name, cured.path, 1, 1)
    return State("undecided", side.side.name, (cured.path, ""), message, place, None)


def _lacking(side: SideRead, what: tuple[str, str], sides: Sequence[SideRead], change: Change) -> State:
    path, symbol = what
    name = side.side.name
    known = [each for each in (*side.versions.base, *side.versions.head) if each.path == path]
    if symbol and (path in side.paths or known):
        said = f"{name} names `{symbol}` in {path}, which has no such class or function at base or at head"
        said += _closest(symbol, path, side, change)
    else:
        said = f"{name} names {path}, {_nothing_at(path, change)}"
    rest = "it is passed over" if side.was or side.exists else "nothing is held against this side"
    message = f"{said}: {rest}. A slip in the rules, or something that is not there yet or any more."
    gap = Place(name, path, 1, 0, symbol or None)
    moved = next((each for each in sides if each.is_modified and each.exists), None)
    changed = gap if moved is None else opening_of_side(moved)
    return State("undecided", name, what, message, changed, gap if moved is not None else None)


def _nothing_at(path: str, change: Change) -> str:
    """What is wrong with a path where no regular file is, as the end of a sentence that begins with it."""
    if is_glob(path):
        return "which matches no file at base or at head"
    entry = change.head.entry(path) or change.base.entry(path)
    if entry is None:
        return "which is neither at base nor at head"
    if entry.is_folder:
        return "which is a folder (add `/*` for the files in it, or `/**` for all below)"
    kind = "a symbolic link, which is not followed" if entry.mode == SYMBOLIC_LINK else "no file"
    return f"which is {kind}"


def _closest(symbol: str, path: str, side: SideRead, change: Change) -> str:
    """` (did you mean `Client`?)` where the file has a name like it."""
    from difflib import get_close_matches  # only a mistake costs it

    names = {each.qualname for source in side.sources for each in source.outline if source.path == path}
    near = get_close_matches(symbol, sorted(names - {""}), 1)
    return f" (did you mean `{near[0]}`?)" if near else ""


def _main(side: SideRead) -> tuple[str, str]:
    """(path, symbol) that stands for the side in a sentence: what is declared first, under the name that it has now."""
    path, symbol = split_symbol(side.side.patterns[0])
    definitions = side.versions.head or side.versions.base
    if definitions:
        path = definitions[0].path
    elif side.opaque:
        path = side.opaque[0].path
    return path, symbol


def opening_of_side(side: SideRead) -> Place:
    """Where the side begins at head: its main symbol, or the first line of its main file."""
    path, symbol = _main(side)
    line = next((each.header_line for each in side.versions.head if symbol and each.qualname == symbol), 1)
    return Place(side.side.name, path, line, line, symbol or None)


def _named(sides: Sequence[SideRead]) -> str:
    return " and ".join(f"{each.side.name} ({_main(each)[0]})" for each in sides)
