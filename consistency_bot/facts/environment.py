"""The kind `environment`: variables that every side reads, and sets to the same."""

from collections.abc import Iterator, Mapping

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.calls import parts_of
from consistency_bot.facts.items import Item, Items, Wording, items_of, lines_of, missing, unlike
from consistency_bot.facts.names import is_named
from consistency_bot.model import Place, Rule
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.imported import dotted
from consistency_bot.syntax.parsed import Call, Comparison, Constant, Expression, Subscript, worded

READS_CODE_ALONE = True
_WORDING = Wording("uses", "use", "as")
_MENTIONS = ("environ", "getenv", "putenv")
_READING = frozenset({"os.environ.get", "os.getenv", "os.environ.pop", "os.environ.__getitem__"})
_SETTING = frozenset({"os.environ.setdefault", "os.putenv"})
_READS = "read"


def read(rule: Rule, side: SideAt) -> Items:
    """The variables that a side reads or sets."""
    return items_of(side, (each for each in _items(side) if is_named(each.name, rule.keys.names)))


def breaches(rule: Rule, facts: Mapping[str, Items]) -> Iterator[Breach]:
    """Variables that a side does not use, or that it sets to something else."""
    sides = list(facts.values())
    yield from missing(sides, _WORDING)
    yield from unlike(sides, _WORDING)


def _items(side: SideAt) -> Iterator[Item]:
    for each in side.code.mentions(_MENTIONS):
        yield from _of_step(side.name, each.definition, each.step, each.definition.source.imported)


def _of_step(side: str, definition: Definition, step: Step, names: Mapping[str, str]) -> Iterator[Item]:
    place = Place(side, definition.path, step.line, step.own_end_line, definition.qualname or None)
    for target in step.targets:
        name = _subscript(target, names)
        if name:
            yield Item(name, _sets(step.value), place)
    targets = {id(part) for target in step.targets for part, _ in parts_of(target)}
    for expression in step.expressions:
        for part, _ in parts_of(expression):
            if id(part) not in targets:
                for name, value in _used(part, names):
                    yield Item(name, value, place)


def _used(part: Expression, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(variable, what is done to it) of one expression."""
    name = _subscript(part, names)
    if name:
        yield name, _READS
    if isinstance(part, Comparison) and part.operator in ("in", "not in") and dotted(part.right, names) == "os.environ":
        name = _text(part.left)
        if name:
            yield name, _READS
    if isinstance(part, Call) and part.arguments:
        called, given = dotted(part.callee, names), _text(part.arguments[0].value)
        if given and called in _READING:
            yield given, _READS
        elif given and called in _SETTING:
            yield given, _sets(part.arguments[1].value if len(part.arguments) > 1 else None)


def _subscript(expression: Expression, names: Mapping[str, str]) -> str:
    """The variable of `os.environ["X"]`; empty for everything else."""
    if isinstance(expression, Subscript) and dotted(expression.owner, names) == "os.environ":
        return _text(expression.key)
    return ""


def _text(expression: Expression) -> str:
    """A text that is written out; empty for everything else."""
    is_text = isinstance(expression, Constant) and isinstance(expression.value, str)
    return str(expression.value) if is_text and isinstance(expression, Constant) else ""


def _sets(value: Expression | None) -> str:
    return f"set to {worded(value)}" if isinstance(value, Constant) else "set"


def told(facts: Items) -> Iterator[str]:
    """One line for each of them."""
    return lines_of(facts)
