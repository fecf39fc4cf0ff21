"""What a loop is called: by what it says, never by its line, so that it is the same one wherever it stands."""

from collections import Counter
from typing import TYPE_CHECKING

from consistency_bot.facts.conditions.frames import Frame
from consistency_bot.syntax.flow import Function, Step
from consistency_bot.syntax.parsed import worded

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.reader import Reader


def called(reader: "Reader", step: Step, frame: Frame) -> str:
    """A loop that may leave its function, such as `the loop over devices`; of those that say the same, by its number.

    That of a function that is entered through a call is told with the function: its caller may have one like it.
    """
    function = step.block.function
    if id(function) not in reader.loops:
        reader.loops[id(function)] = _called(function), function
    names, _ = reader.loops[id(function)]
    return names[step.node.start_byte] + (f" of {function.name}" if frame.depth else "")


def _called(function: Function) -> dict[int, str]:
    """{where it starts: what it is called} for the loops of a function that may leave it."""
    out: dict[int, str] = {}
    count: Counter[str] = Counter()
    for step in function.every:
        if step.kind in ("for", "while") and step.may_leave:
            header = _header(step)
            count[header] += 1
            out[step.node.start_byte] = (
                f"the loop {count[header]} {header}" if count[header] > 1 else f"the loop {header}"
            )
    return out


def _header(step: Step) -> str:
    """What is looped over, or how long. A target is only a name for what is met there, which each side may choose."""
    asked = step.value if step.kind == "for" else step.branches[0].test
    word = "over" if step.kind == "for" else "while"
    return f"{word} {worded(asked)}" if asked is not None else word
