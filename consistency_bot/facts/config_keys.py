"""The kind `config_keys`: which keys of a configuration every side reads, and what it takes where there is none."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.calls import parts_of, steps_of
from consistency_bot.facts.items import Item, Items, Wording, items_of, lines_of, missing, unlike
from consistency_bot.model import Place, Rule
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.parsed import (
    Attribute,
    Call,
    Comparison,
    Constant,
    Expression,
    Name,
    Negation,
    Subscript,
    worded,
)

READS_CODE_ALONE = True
_CONFIGURATIONS = ("cfg", "config", "conf", "configuration")
_WORDING = Wording("reads", "read", "with the default")
_LOOKING_UP = frozenset({"get", "pop", "setdefault"})
_DEEPEST = 30
_ASKED = "?"
"""Stands for the default of a key while it is only asked for."""

_Keys = tuple[str, ...]


class Read(msgspec.Struct, frozen=True):
    """One value read by its keys, and the default as written: empty where there is none, so that reading may fail."""

    keys: _Keys
    default: str


def read(rule: Rule, side: SideAt) -> Items:
    """The keys that a side reads below the rule's names, as items such as `parallel.tp_size` with their defaults."""
    return items_of(side, _asked_for_first(_without_stations(_Reading(rule, side).items())))


def breaches(rule: Rule, facts: Mapping[str, Items]) -> Iterator[Breach]:
    """Keys that one side alone reads, and keys with other defaults. Who reads a whole section reads the keys in it."""
    sides = list(facts.values())
    for each in missing(sides, _WORDING):
        steps = each.what.split(".")
        above = {".".join(steps[:end]) for end in range(1, len(steps))}
        if not any(item.name in above or item.name.startswith(f"{each.what}.") for item in facts[each.side].every):
            yield each
    yield from unlike(sides, _WORDING)


def told(facts: Items) -> Iterator[str]:
    """One line for each key."""
    return lines_of(facts)


def _asked_for_first(items: Sequence[Item]) -> Iterator[Item]:
    """The items; a key that the side asks for with `in` is None where there is none, and reading it does not fail."""
    asked = {each.name for each in items if each.value == _ASKED}
    for each in items:
        yield msgspec.structs.replace(each, value="None") if each.name in asked and each.value in ("", _ASKED) else each


def _without_stations(items: Iterable[Item]) -> list[Item]:
    """The items without those that only lead to another one: `dp = cfg["parallel"]` before `dp["size"]`."""
    every = list(items)
    above = {each.name[: found.start()] for each in every for found in re.finditer(r"\.", each.name)}
    return [each for each in every if each.name not in above]


class _Reading:
    """Reads one side. `_known` are names of the function being read that stand for a part of the configuration."""

    def __init__(self, rule: Rule, side: SideAt) -> None:
        self._side = side
        self._roots: dict[str, _Keys] = dict(_root(each) for each in rule.keys.under or _CONFIGURATIONS)
        self._known: dict[str, _Keys] = {}
        self._of_classes: dict[str, dict[str, _Keys]] = {}

    def items(self) -> Iterator[Item]:
        roots = [re.escape(each.encode()) for each in self._roots]
        mention = re.compile(rb"\b(?:%s)\b" % b"|".join(roots))
        functions = [each for each in self._side.definitions if each.kind == "function" or not each.qualname]
        for each in functions:
            if mention.search(each.text or each.source.data):
                self._of_classes.setdefault(each.owner, {}).update(self._attributes(each))
        for each in functions:
            names = self._of_classes.get(each.owner, {})
            words = [mention.pattern, *(re.escape(name.encode()) for name in names)]
            if re.search(b"|".join(words), each.text or each.source.data):
                self._known = {**names, **self._locals(each)}
                yield from self._of_function(each)

    def _attributes(self, definition: Definition) -> Iterator[tuple[str, _Keys]]:
        """Attributes of `self` that hold a part of the configuration, `self.dp = config["parallel"]`."""
        self._known = self._locals(definition)
        for name, value in _assigned_once(definition):
            found = self._keys(value) if name.startswith("self.") else None
            if found is not None and found.keys and name.partition(".")[2] not in self._roots:
                yield name, found.keys

    def _locals(self, definition: Definition) -> dict[str, _Keys]:
        """Local names of parts of the configuration, in the order in which they are given."""
        self._known = dict(self._of_classes.get(definition.owner, {}))
        for name, value in _assigned_once(definition):
            found = self._keys(value)
            if found is not None and found.keys and name not in self._roots:
                self._known[name] = found.keys
        return {name: keys for name, keys in self._known.items() if not name.startswith("self.")}

    def _of_function(self, definition: Definition) -> Iterator[Item]:
        words = re.compile(b"|".join(rb"\b%s\b" % re.escape(name.encode()) for name in (*self._roots, *self._known)))
        for _, step in steps_of(definition):
            if words.search(step.own):
                place = Place(
                    self._side.name, definition.path, step.line, step.own_end_line, definition.qualname or None
                )
                for each in self._of_step(step):
                    where = msgspec.structs.replace(place, line=each[1], end_line=each[1])
                    yield Item(".".join(each[0].keys), each[0].default, where)

    def _of_step(self, step: Step) -> Iterator[tuple[Read, int]]:
        """What a statement reads, each with its line; of `cfg["a"]["b"]` not `cfg["a"]` once more, and not what it sets."""
        targets: set[int] = {id(target) for target in step.targets} if step.kind == "assign" else set()
        inner = set(targets)
        for expression in step.expressions:
            for part, _ in parts_of(expression):
                if id(part) in targets:
                    inner.update(map(id, _owners(part)))
                if isinstance(part, Call):
                    inner.add(id(part.callee))  # a method is no key
                found = self._contained(part) or (None if id(part) in inner else self._keys(part))
                if found is not None and found.keys:
                    inner.update(map(id, _owners(part)))
                    yield found, part.line

    def _contained(self, part: Expression) -> Read | None:
        """`"key" in config` asks for a key without failing."""
        if isinstance(part, Negation):
            return None
        if isinstance(part, Comparison) and part.operator in ("in", "not in") and isinstance(part.left, Constant):
            owner = self._keys(part.right)
            if owner is not None and isinstance(part.left.value, str):
                return Read((*owner.keys, part.left.value), _ASKED)
        return None

    def _keys(self, expression: Expression, depth: int = 0) -> Read | None:
        """The keys by which a value is read from a configuration; None for everything else, empty for all of it."""
        if depth > _DEEPEST:
            return None
        name = _name(expression)
        if name in self._known:
            return Read(self._known[name], "")
        if name and name.rpartition(".")[2] in self._roots and name.count(".") < 2:
            return Read(self._roots[name.rpartition(".")[2]], "")
        owner, key, default = _step(expression)
        if owner is None:
            return None
        found = self._keys(owner, depth + 1)
        return Read((*found.keys, key), default) if found is not None else None


def _root(under: str) -> tuple[str, _Keys]:
    """A name of `under`: `cfg`, or `self.cfg` for the same."""
    return under.rpartition(".")[2], ()


def _name(expression: Expression) -> str:
    """`x`, or `self.x`; empty for everything else."""
    if isinstance(expression, Name):
        return expression.name
    if isinstance(expression, Attribute) and isinstance(expression.owner, Name) and expression.owner.name == "self":
        return f"self.{expression.name}"
    return ""


def _step(expression: Expression) -> tuple[Expression | None, str, str]:
    """(what is read from, the key, the default); (None, "", "") where nothing is read by a key."""
    match expression:
        case Subscript(owner=owner, key=Constant(value=str(key))):
            return owner, key, ""
        case Attribute(owner=owner, name=key):
            return owner, key, ""
        case Call(callee=Attribute(owner=owner, name=called), arguments=(first, *rest)) if called in _LOOKING_UP:
            if isinstance(first.value, Constant) and isinstance(first.value.value, str):
                return owner, first.value.value, worded(rest[0].value) if rest else _absent(called)
        case Call(callee=Name(name="getattr"), arguments=(first, second, *rest)):
            if isinstance(second.value, Constant) and isinstance(second.value.value, str):
                return first.value, second.value.value, worded(rest[0].value) if rest else ""
    return None, "", ""


def _absent(called: str) -> str:
    return "" if called == "pop" else "None"


def _owners(expression: Expression) -> Iterator[Expression]:
    """The expressions inside a chain of keys that are no reading of their own, methods that are called among them."""
    if isinstance(expression, Call):
        yield expression.callee
    if isinstance(expression, Comparison):
        yield from (expression.right, *_owners(expression.right))
    owner, _, _ = _step(expression)
    while owner is not None:
        yield owner
        if isinstance(owner, Call):
            yield owner.callee
        owner, _, _ = _step(owner)


def _assigned_once(definition: Definition) -> Sequence[tuple[str, Expression]]:
    """(name, value) of what the function assigns in one place alone."""
    bound: Counter[str] = Counter(each.name for each in definition.flow.parameters)
    values: list[tuple[str, Expression]] = []
    for _, step in steps_of(definition):
        bound.update(step.binds)
        if step.kind == "assign" and len(step.targets) == 1 and step.value is not None:
            values.extend((name, step.value) for name in step.binds)
    return [(name, value) for name, value in values if bound[name] == 1]
