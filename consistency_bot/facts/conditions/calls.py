"""The functions of a side, and who calls them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from sys import maxsize

import msgspec

from consistency_bot.syntax import Definition, Source
from consistency_bot.syntax.flow import Function, Step
from consistency_bot.syntax.occurrences import places_of
from consistency_bot.syntax.parsed import (
    Attribute,
    Call,
    Collection,
    Conditional,
    Expression,
    Junction,
    Mapping,
    Name,
    Negation,
    Operation,
    Selection,
    Splat,
    Subscript,
)
from consistency_bot.syntax.parsed import Comparison as Compared

Guards = tuple[tuple[Expression, bool], ...]
"""Conditions inside an expression, and whether they hold where one of its parts is reached."""


class CallSite(msgspec.Struct, frozen=True):
    """A call in the code of a side: the call, its statement, the function around it and what guards it there."""

    call: Call
    step: Step
    function: Function
    definition: Definition
    guards: Guards = ()


class Mention(msgspec.Struct, frozen=True):
    """A statement in which a name stands, the function that it is in, and the definition of the side around that."""

    definition: Definition
    function: Function
    step: Step


class SideCode:
    """The definitions of one side at one revision, to be asked by name."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.definitions = definitions
        self.sources: list[Source] = list({id(each.source): each.source for each in definitions}.values())
        self._by_name: dict[str, list[Definition]] = {}
        self._sites: dict[str, list[CallSite]] = {}
        for each in definitions:
            self._by_name.setdefault(each.name, []).append(each)

    def named(self, name: str) -> list[Definition]:
        """All definitions with this last name; those of the empty name are the modules."""
        return self._by_name.get(name, [])

    def module(self, path: str) -> Definition | None:
        """The module of a file."""
        return next((each for each in self._by_name.get("", ()) if each.path == path), None)

    def classes(self, name: str) -> list[Definition]:
        """The classes of this name."""
        return [each for each in self._by_name.get(name, ()) if each.kind == "class"]

    def class_of(self, definition: Definition) -> Definition | None:
        """The class that a method belongs to."""
        name = definition.owner.rpartition(".")[2]
        found = [each for each in self.classes(name) if each.path == definition.path]
        return found[0] if found else None

    def with_bases(self, owner: Definition) -> list[Definition]:
        """A class and its base classes on the side, nearest first."""
        out = [owner]
        for each in out:
            for base in each.flow.bases:
                out.extend(found for found in self.classes(base) if found not in out)
        return out

    def methods(self, owner: Definition) -> list[Definition]:
        """The methods of a class, without those of its bases."""
        return [
            each
            for each in self.definitions
            if each.kind == "function" and (each.path, each.owner) == (owner.path, owner.qualname)
        ]

    def function(self, name: str, owner: Definition | None = None) -> Definition | None:
        """The function of this name: a method of the class or its bases, or else the only one that has the name."""
        functions = [each for each in self._by_name.get(name, ()) if each.kind == "function" and not each.role]
        for each in self.with_bases(owner) if owner is not None else ():
            for found in functions:
                if (found.path, found.owner) == (each.path, each.qualname):
                    return found
        return functions[0] if len(functions) == 1 else None

    def mentions(self, names: Iterable[str], follow: re.Pattern[bytes] | None = None) -> list[Mention]:
        """The statements in which one of the names stands, with something behind it that `follow` matches."""
        out: dict[int, Mention] = {}
        wanted = [each.encode() for each in names]
        for source in self.sources:
            places = sorted(at for name in wanted for at in _places(source.data, name, follow))
            for at in places:
                definition = source.definition_at(at)
                found = definition.step_at(at) if definition is not None else None
                if definition is not None and found is not None and found[1].kind != "import":
                    out.setdefault(id(found[1]), Mention(definition, *found))
        return list(out.values())

    def mentions_in(self, definition: Definition, name: str, follow: re.Pattern[bytes] | None = None) -> list[Mention]:
        """The same for one name in one definition."""
        out: dict[int, Mention] = {}
        source = definition.source
        for at in _places(source.data, name.encode(), follow, definition.start, definition.end):
            found = definition.step_at(at) if source.definition_at(at) is definition else None
            if found is not None and found[1].kind != "import":
                out.setdefault(id(found[1]), Mention(definition, *found))
        return list(out.values())

    def mentioning(self, words: re.Pattern[bytes]) -> Iterator[Definition]:
        """Functions in whose text a pattern occurs, and modules and classes with a file where it does."""
        for source in self.sources:
            if words.search(source.data) is None:
                continue
            for each in source.definitions:
                if each.kind != "function" or words.search(each.text):
                    yield each

    def naming(self, names: Iterable[str], follow: re.Pattern[bytes] | None = None) -> list[Definition]:
        """The functions in which one of the names stands, decorators included."""
        out: dict[int, Definition] = {}
        wanted = [each.encode() for each in names]
        for source in self.sources:
            for at in sorted(at for name in wanted for at in _places(source.data, name, follow)):
                definition = source.definition_at(at)
                if definition is not None and definition.kind == "function":
                    out[id(definition)] = definition
        return list(out.values())

    def calls(self, name: str) -> list[CallSite]:
        """Every call of something with this last name, in source order."""
        found = self._sites.get(name)
        if found is None:
            found = self._sites[name] = list(self._find(name))
        return found

    def _find(self, name: str) -> Iterator[CallSite]:
        for each in self.mentions([name], CALLED):
            for expression in each.step.expressions:
                for part, guards in parts_of(expression):
                    if isinstance(part, Call) and last_name(part.callee) == name:
                        yield CallSite(part, each.step, each.function, each.definition, guards)
            yield from self._decorating(each, name)

    def _decorating(self, mention: Mention, name: str) -> Iterator[CallSite]:
        """Calls that decorate a nested function stand on no statement of their own."""
        function = mention.step.function if mention.step.kind == "define" else None
        for part in function.decorators if function is not None else ():
            if isinstance(part, Call) and last_name(part.callee) == name:
                yield CallSite(part, mention.step, mention.function, mention.definition)


CALLED = re.compile(rb"\s*\(")
"""What stands behind a name that is called."""


def _places(
    data: bytes, name: bytes, follow: re.Pattern[bytes] | None, start: int = 0, stop: int = maxsize
) -> Iterator[int]:
    """Where a name stands as a whole word, with something behind it that `follow` matches."""
    found = places_of(data, name, start, stop)
    return found if follow is None else (at for at in found if follow.match(data, at + len(name)))


def steps_of(definition: Definition) -> Iterator[tuple[Function, Step]]:
    """The statements of a definition and of functions nested in it; of a class or module only its own."""
    yield from _steps(definition.flow, definition.kind == "function")


def _steps(function: Function, with_nested: bool) -> Iterator[tuple[Function, Step]]:
    for step in function.every:
        yield function, step
        if step.kind == "define" and with_nested and step.function is not None:
            yield from _steps(step.function, with_nested)


def last_name(callee: Expression) -> str:
    """`c` for `a.b.c`; empty for what has no name."""
    if isinstance(callee, Name | Attribute):
        return callee.name
    return ""


def parts_of(expression: Expression, guards: Guards = ()) -> Iterator[tuple[Expression, Guards]]:
    """The expression and all expressions in it, each with what has to hold inside it to get there."""
    yield expression, guards
    match expression:
        case Conditional(test=test, then=then, otherwise=otherwise):
            yield from parts_of(test, guards)
            yield from parts_of(then, (*guards, (test, True)))
            yield from parts_of(otherwise, (*guards, (test, False)))
        case Junction(word=word, members=members):
            for member in members:
                yield from parts_of(member, guards)
                guards = (*guards, (member, word == "and"))
        case _:
            for part in _inside(expression):
                yield from parts_of(part, guards)


def _inside(expression: Expression) -> Iterable[Expression]:
    match expression:
        case Attribute(owner=owner):
            return (owner,)
        case Subscript(owner=owner, key=key):
            return owner, key
        case Call(callee=callee, arguments=arguments):
            return callee, *(each.value for each in arguments)
        case Compared(left=left, right=right) | Operation(left=left, right=right):
            return left, right
        case Negation(member=member) | Splat(member=member):
            return (member,)
        case Collection(members=members):
            return members
        case Mapping(entries=entries):
            return [each for entry in entries for each in entry if each is not None]
        case Selection(member=member, source=source, tests=tests):
            return member, source, *tests
    return ()
