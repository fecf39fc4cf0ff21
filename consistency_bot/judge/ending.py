"""Twins that have come to the end of one side: frozen, it takes no more changes; retired, it must not come back."""

from collections.abc import Iterator, Sequence

from consistency_bot.judge.reading import SideRead
from consistency_bot.judge.states import State, opening_of_side
from consistency_bot.model import Place, Twins

CONCEPT = "status"


def trespasses(twins: Twins, sides: Sequence[SideRead]) -> Iterator[State]:
    """What the change does to a side that has ended. Taking it away is what was to come, and no trespass."""
    for side in sides:
        if not side.exists or not side.is_modified or side.unread is not None:
            continue
        other = next((each for each in sides if each is not side and each.exists), None)
        counterpart = opening_of_side(other) if other is not None else None
        if side.side.name == twins.frozen:
            yield _of_frozen(twins, side, counterpart)
        elif side.side.name == twins.retired:
            yield _of_retired(side, counterpart)


def _of_frozen(twins: Twins, side: SideRead, counterpart: Place | None) -> State:
    name = side.side.name
    changed = [each for each in _changed(side) if each.function is not None]
    place = changed[0] if changed else opening_of_side(side)
    what = f"`{place.function}`" if place.function else "the file"
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    rest = "" if changed or not side.is_python else ", outside of all functions, or in comments and layout alone"
    message = (
        f"{name} no longer takes changes: it is frozen (twins {twins.entry}), and this change touches {what}"
        f" ({place.path}:{place.line}){more}{rest}."
    )
    return State("broken", name, ("frozen", place.function or ""), message, place, counterpart, CONCEPT)


def _of_retired(side: SideRead, counterpart: Place | None) -> State:
    place = opening_of_side(side)
    what = "edits it where it was to go" if side.was else "brings it back"
    message = f"{side.side.name} is retired: this change {what} ({place.path}:{place.line})."
    return State("broken", side.side.name, ("retired", what), message, place, counterpart, CONCEPT)


def _changed(side: SideRead) -> Iterator[Place]:
    """The functions and classes of a side that say something else, or are new, in the order of the side."""
    for was, now in side.versions.versions():
        if side.versions.has_changed(was, now):
            each = now if now is not None else was
            if each is not None:
                line = each.header_line if now is not None else 1
                end_line = line if now is not None else 0
                yield Place(side.side.name, each.path, line, end_line, each.qualname or None)
