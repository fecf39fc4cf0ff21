"""Where code is looked at: a function as it is called from somewhere, and a place between two of its statements."""

from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Block, Function, Step
from consistency_bot.syntax.parsed import Argument, Call, Expression

OWNERS = frozenset({"self", "cls"})
"""What a method calls its owner: a first parameter for which no call hands anything over."""


class Frame:
    """A function, and the call that it is looked at through; None where it is called by nobody that is known.

    `definition` is the definition of the side that it stands in: itself, or the one around a nested function.
    `closure` is where a nested function is defined.
    """

    __slots__ = ("call", "closure", "definition", "depth", "function")

    def __init__(
        self,
        function: Function,
        definition: Definition,
        call: "tuple[Call, Spot] | None" = None,
        closure: "Spot | None" = None,
    ) -> None:
        self.function = function
        self.definition = definition
        self.call = call
        self.closure = closure
        self.depth: int = call[1].frame.depth + 1 if call is not None else 0

    @property
    def end(self) -> "Spot":
        """After its last statement."""
        return Spot(self, self.function.body, len(self.function.body.steps))


class Spot:
    """The place before the statement `index` of a block, in a frame."""

    __slots__ = ("block", "frame", "index")

    def __init__(self, frame: Frame, block: Block, index: int) -> None:
        self.frame = frame
        self.block = block
        self.index = index

    @staticmethod
    def before(step: Step, frame: Frame) -> "Spot":
        """The place before a statement."""
        return Spot(frame, step.block, step.index)


def handed_over(name: str, frame: Frame, arguments: tuple[Argument, ...]) -> Expression | None:
    """The argument that a call hands over for a parameter; None where it hands over none that can be told."""
    for each in arguments:
        if each.name == name:
            return each.value
    names = [each.name for each in frame.function.parameters if not each.stars]
    if names[:1] and names[0] in OWNERS and frame.closure is None:
        names = names[1:]
    for each, parameter in zip(arguments, names, strict=False):
        if each.name:
            return None  # behind a keyword or something unpacked, positions tell nothing
        if parameter == name:
            return each.value
    return None


def inside(function: Function, frame: Frame) -> Frame:
    """The frame of a nested function, which stands for one that is called where it is defined."""
    if function is frame.function or function.outer is None:
        return frame
    outer = inside(function.outer.block.function, frame)
    return Frame(function, frame.definition, closure=Spot.before(function.outer, outer))
