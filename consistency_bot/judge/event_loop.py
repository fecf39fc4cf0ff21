"""What concerns tasks on an event loop alone: a twin that blocks has nothing to carry over."""

from collections.abc import Iterator

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


def _spoken_around(mark: Mark) -> Iterator[Terms]:
    """The unit, and the units of the statements around it."""
    yield mark.unit.terms
    head = mark.half.head
    statement = mark.unit.statement
    while statement >= 0:
        for index in head.units_of(statement)[:_LOOKED_AT]:
            yield head.units[index].terms
        statement = head.statements[statement].parent
