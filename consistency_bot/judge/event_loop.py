"""What concerns tasks on an event loop alone: a twin that blocks has nothing to carry over."""

from collections.abc import Iterator, Sequence

from consistency_bot.align.renames import core, flat
from consistency_bot.judge.marks import Mark
from consistency_bot.syntax import Terms

_NAMES = frozenset(
    {"CancelledError", "isawaitable", "iscoroutine", "iscoroutinefunction", "isasyncgen", "isasyncgenfunction"}
    | {"create_task", "ensure_future", "gather", "shield", "TaskGroup", "create_task_group", "as_completed"}
    | {
        "get_running_loop",
        "get_event_loop",
        "new_event_loop",
        "run_in_executor",
        "to_thread",
        "run_coroutine_threadsafe",
    }
    | {"cancel_scope", "CancelScope", "get_cancelled_exc_class", "checkpoint_if_cancelled"}
)
"""Names of `asyncio`, `inspect` and `anyio` for which threads have no counterpart."""

_LOOKED_AT = 100
"""So many units of a statement are looked at."""


def is_about_tasks(mark: Mark) -> bool:
    """Whether an addition to an asynchronous function, or what guards it, speaks of tasks where the other side blocks."""
    mine, theirs = mark.half.head.definition, mark.other.definition
    if mark.is_gone or mine is None or not mine.is_async or theirs is None or theirs.is_async:
        return False
    return any(core(token) in _NAMES for terms in _spoken_around(mark) for token in flat(terms))


def without_shields(marks: Sequence[Mark]) -> list[Mark]:
    """The marks without calls that one side only shields from cancellation now, where the other side blocks."""
    bare = {(id(mark.half), _unshielded(mark.terms)): mark for mark in marks if _is_shielded(mark)}
    found = [(mark, bare.get((id(mark.half), mark.terms))) for mark in marks if mark.is_gone] if bare else []
    excused = {id(each) for pair in found if pair[1] is not None for each in pair}
    return [mark for mark in marks if id(mark) not in excused]


def _is_shielded(mark: Mark) -> bool:
    mine, theirs = mark.half.head.definition, mark.other.definition
    if mark.is_gone or mine is None or not mine.is_async or theirs is None or theirs.is_async:
        return False
    return _unshielded(mark.terms) != mark.terms


def _unshielded(terms: Terms) -> Terms:
    """What is shielded, in the place of the call that shields it."""
    if "shield" not in terms or terms[-2:] != (",", ")"):
        return terms
    at = terms.index("shield")
    return (*terms[:at], *terms[at + 2 : -2])


def _spoken_around(mark: Mark) -> Iterator[Terms]:
    """The unit, and the units of the statements around it."""
    yield mark.unit.terms
    head = mark.half.head
    statement = mark.unit.statement
    while statement >= 0:
        for index in head.units_of(statement)[:_LOOKED_AT]:
            yield head.units[index].terms
        statement = head.statements[statement].parent
