"""What is wrong with a patch, each as a sentence with its place."""

from collections.abc import Iterator, Sequence

import msgspec

from consistency_bot.model import Patch, Place
from consistency_bot.patches.needs import Answer
from consistency_bot.patches.sides import Sides
from consistency_bot.syntax import Definition
from consistency_bot.syntax.claims import empty_claims
from consistency_bot.syntax.mentions import Mention
from consistency_bot.syntax.swallowing import Swallowed, swallowing_handlers

_MOST = 12
"""Places that one sentence lists; the registry (`consistency-bot patches`) has them all."""


class Fault(msgspec.Struct, frozen=True):
    """Something wrong with a patch.

    `said` tells it from others, without lines; its first word is the kind. `message` is a sentence that names its place as
    `(path:line)`. `doubt` tells that nobody can say whether it is wrong. `other` is a second place, None where there is none.
    A place's side is the word for what stands there: a side's name, `patch`, `lock`, `the caller`, `handler`, `rules`.
    """

    said: tuple[str, ...]
    message: str
    place: Place
    doubt: bool = False
    other: Place | None = None


class Found(msgspec.Struct, frozen=True):
    """Where the function is named: calls and other uses outside tests, import lines, and tests."""

    uses: tuple[Mention, ...] = ()
    imports: tuple[Mention, ...] = ()
    tests: tuple[Mention, ...] = ()


def gone(patch: Patch, reason: str = "") -> Fault:
    """The function is not there: the entry is stale, unless its file cannot be read, for which `reason` says why."""
    place = Place("patch", patch.path, 1, 0, patch.symbol)
    if reason:
        message = f"the patch `{patch.symbol}` ({patch.path}:1) cannot be judged: {reason}."
        return Fault(("unreadable", reason), message, place, doubt=True)
    message = (
        f"stale entry: there is no `{patch.symbol}` ({patch.path}:1) any more, so nothing is known of this patch; take"
        f" its entry out of the rules, or name the function that took its place."
    )
    return Fault(("gone",), message, place)


def of_need(patch: Patch, definition: Definition, answer: Answer, found: Found, sides: Sides) -> Iterator[Fault]:
    """That the patch is needed no more, with everything that can go; or that nobody can tell."""
    place = _place(definition)
    lock = Place("lock", answer.path, answer.line, answer.line) if answer.path else None
    name = f"`{patch.symbol}` ({patch.path}:{place.line})"
    if answer.need == "undecided":
        message = f"whether {name} is still needed is not decided: {answer.reason}; it is needed for `{patch.needed}`."
        yield Fault(("undecided",), message, place, doubt=True, other=lock)
    elif answer.need == "not_needed":
        word = "not needed yet" if answer.is_older else "no longer needed"
        message = f"{name} is {word}: {answer.reason}, and it is needed for `{patch.needed}`. "
        message += _removal(patch, found, sides) if not answer.is_older else _postponement(patch)
        yield Fault(("not needed",), message, place, other=lock)
    elif not found.uses:
        message = f"no side calls {name}, though it is needed: {answer.reason}."
        yield Fault(("uncalled",), message, place)


def _removal(patch: Patch, found: Found, sides: Sides) -> str:
    """What goes with the function."""
    tests = [each for each in found.tests if each.kind != "import"]
    parts = ["Remove this function"]
    for name, mentions in (("call site", found.uses), ("import", found.imports), ("test", () if patch.test else tests)):
        if mentions:
            parts.append(f"its {name}{'s' * (len(mentions) != 1)}: {_listed(mentions, sides)}")
    parts += [f"the test {patch.test}"] if patch.test else []
    upstream = f" The fix itself is in {patch.upstream}." if patch.upstream else ""
    return f"{'; '.join(parts)}; and the entry in the rules.{upstream}"


def _postponement(patch: Patch) -> str:
    return f"A version lower than `{patch.needed}` has is locked: is the entry right?"


def _listed(mentions: Sequence[Mention], sides: Sides) -> str:
    """`v1 in Worker.__init__ (a.py:3)` and so on."""
    named: list[str] = []
    for each in mentions[:_MOST]:
        words = (sides.of(each.path), f"in `{each.function}`" if each.function else "")
        named.append(" ".join([*filter(None, words), f"({each.path}:{each.line})"]))
    if len(mentions) > _MOST:
        named.append(f"{len(mentions) - _MOST} more")
    return ", ".join(named)


def of_function(definition: Definition) -> Iterator[Fault]:
    """What in the function hides that it failed."""
    handlers = swallowing_handlers(definition.node)
    if handlers:
        where = " and ".join(f"`{each.text}` ({definition.path}:{each.line})" for each in handlers[:_MOST])
        message = (
            f"`{definition.qualname}` hides its own failure: after {where} it goes on as if it had patched, and whoever"
            " calls it never learns."
        )
        said = ("swallows", *(each.text for each in handlers))
        yield Fault(said, message, at_line(definition, handlers[0].line))
    for claim in empty_claims(definition.node):
        message = (
            f'`{definition.qualname}` tells success ({definition.path}:{claim.line}: "{claim.text[:80]}") though'
            f" nothing need have been replaced: {claim.why}."
        )
        yield Fault(("claims", claim.text), message, at_line(definition, claim.line))


def of_calls(patch: Patch, uses: Sequence[Mention], sides: Sides) -> Iterator[Fault]:
    """Call sites whose surroundings hide that the patch failed."""
    for each in uses:
        if each.swallowed is not None:
            yield _of_call(patch, each, each.swallowed, sides.of(each.path))


def _of_call(patch: Patch, call: Mention, handler: Swallowed, side: str) -> Fault:
    who = side or "the caller"
    message = (
        f"{who} hides that `{patch.symbol}` failed: the call ({call.path}:{call.line}) stands under `{handler.text}`"
        f" ({call.path}:{handler.line}), which goes on without it."
    )
    place = Place(who, call.path, call.line, call.end_line, call.function or None)
    said = ("call swallowed", call.function, handler.text)
    return Fault(said, message, place, other=Place("handler", call.path, handler.line, handler.line))


def _place(definition: Definition) -> Place:
    return at_line(definition, definition.header_line)


def at_line(definition: Definition, line: int) -> Place:
    """A line of the patch's function as a place."""
    return Place("patch", definition.path, line, line, definition.qualname)
