"""The kind `config_keys`: which keys of a configuration every side reads, and what it takes where there is none."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.calls import Mention, parts_of
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
_BELOW = re.compile(rb"\s*[\[.]")
"""What stands behind a name that is looked below."""
_BINDING = frozenset({"assign", "augment", "for", "with", "define", "import"})
_DEEPEST = 30
_MOST_STATIONS = 6
"""Names that are looked up one after the other, `a = cfg["x"]`, `b = a["y"]`, `c = b["z"]`."""
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
    """Reads one side: where its configuration is named, and what other names stand for parts of it.

    `_known` are names that stand for a part, in the function that is being read.
    """

    def __init__(self, rule: Rule, side: SideAt) -> None:
        self._side = side
        self._roots = frozenset(each.rpartition(".")[2] for each in rule.keys.under or _CONFIGURATIONS)
        self._known: dict[str, _Keys] = {}
        self._of_classes: dict[tuple[str, str], dict[str, _Keys]] = {}
        self._steps: dict[Definition, dict[int, Step]] = {}

    def items(self) -> Iterator[Item]:
        """The keys, function by function."""
        for each in self._side.code.mentions(self._roots):
            self._keep(each)
        for _ in range(_MOST_STATIONS):
            if not self._find_attributes():
                break
        for definition in list(self._steps):
            self._find_locals(definition)
            for step in self._steps_of(definition):
                for found, line in self._of_step(step):
                    place = Place(self._side.name, definition.path, line, line, definition.qualname or None)
                    yield Item(".".join(found.keys), found.default, place)

    def _is_station(self, name: str, definition: Definition) -> bool:
        """Whether the code looks below a name, `dp["size"]` or `"size" in dp`; the statements that do are kept."""
        last = name.rpartition(".")[2]
        is_local = not name.startswith("self.")
        span = (definition.start, definition.end) if is_local else ()
        asking = (word + name.encode() for word in (b"in ", b"getattr("))
        follow = None if any(definition.source.data.find(each, *span) >= 0 for each in asking) else _BELOW
        if not is_local:
            found = self._side.code.mentions([last], follow)
        else:
            found = self._side.code.mentions_in(definition, last, follow)
        for each in found:
            self._keep(each)
        return bool(found)

    def _keep(self, mention: Mention) -> None:
        self._steps.setdefault(mention.definition, {})[mention.step.node.start_byte] = mention.step

    def _steps_of(self, definition: Definition) -> list[Step]:
        return [step for _, step in sorted(self._steps[definition].items())]

    def _attributes_of(self, definition: Definition) -> dict[str, _Keys]:
        """What attributes of its class hold, as `self.x`."""
        return self._of_classes.setdefault((definition.path, definition.owner), {})

    def _find_attributes(self) -> bool:
        """Attributes that hold a part of the configuration, `self.dp = config["parallel"]`; whether there are new ones."""
        is_new = False
        for definition in list(self._steps):
            self._find_locals(definition)
            attributes = self._attributes_of(definition)
            for name, keys in self._known.items():
                if name.startswith("self.") and name not in attributes:
                    attributes[name] = keys
                    is_new = True
        return is_new

    def _find_locals(self, definition: Definition) -> None:
        """The names that stand for parts of the configuration in a function, those of its class included."""
        self._known = dict(self._attributes_of(definition))
        seen: set[str] = set()
        for _ in range(_MOST_STATIONS):
            count = len(self._known)
            for step in self._steps_of(definition):
                for name in step.binds if step.kind == "assign" and len(step.targets) == 1 else ():
                    found = self._keys(step.value) if step.value is not None and name not in seen else None
                    if found is None or not found.keys or name.rpartition(".")[2] in self._roots:
                        continue
                    seen.add(name)
                    if _is_given_once(definition, name) and self._is_station(name, definition):
                        self._known[name] = found.keys
            if len(self._known) == count:
                return

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
        if name and name.rpartition(".")[2] in self._roots:
            return Read((), "")
        owner, key, default = _step(expression)
        if owner is None:
            return None
        found = self._keys(owner, depth + 1)
        return Read((*found.keys, key), default) if found is not None else None


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


def _is_given_once(definition: Definition, name: str) -> bool:
    """Whether the function gives the name a value in one place alone, and takes none for it."""
    if any(each.name == name for each in definition.flow.parameters):
        return False
    needle = name.rpartition(".")[2].encode()
    steps = (step for step in definition.flow.every if step.kind in _BINDING and needle in step.own)
    return sum(name in step.binds for step in steps) == 1
