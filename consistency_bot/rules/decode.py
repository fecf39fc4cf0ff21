"""Spots to structs: a small decoder led by the types of `schema`, which goes on after a mistake."""

from types import UnionType
from typing import Annotated, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from consistency_bot.rules.places import Path, Problem, Spot
from consistency_bot.rules.schema import Kind
from consistency_bot.rules.wording import closest, found, listed, named, quoted, takes

S = TypeVar("S", bound=msgspec.Struct)


class _Invalid:
    """Stands for a value with a mistake, which has been reported."""


_INVALID = _Invalid()


def decode(top: Spot, type_: type[S]) -> tuple[S | None, list[Problem]]:
    """The value that `top` spells, and every mistake in it. None where there is a mistake that leaves no value."""
    decoding = _Decoding()
    value = decoding.value(top, type_, ())
    return value if isinstance(value, type_) else None, decoding.problems


def decode_at(spot: Spot, type_: object, path: Path) -> tuple[object, list[Problem]]:
    """A value of any type that stands at `path`, and every mistake in it; worth nothing where there are some."""
    decoding = _Decoding()
    return decoding.value(spot, type_, path), decoding.problems


class Field(msgspec.Struct, frozen=True):
    """A key that a struct takes: its name in Python and in the file, its type, and whether it must be given."""

    name: str
    key: str
    type_: object
    required: bool


def fields_of(struct: type[msgspec.Struct]) -> list[Field]:
    """The keys of a struct in the order of declaration, those of its bases first."""
    types: dict[str, object] = {}
    for base in reversed(struct.__mro__):
        types.update(getattr(base, "__annotations__", {}))
    names, keys, defaults = (struct.__struct_fields__, struct.__struct_encode_fields__, struct.__struct_defaults__)
    needed = [True] * (len(names) - len(defaults)) + [default is msgspec.NODEFAULT for default in defaults]
    return [Field(name, key, types[name], must) for name, key, must in zip(names, keys, needed, strict=True)]


class _Decoding:
    """The mistakes met so far. Every method gives a value, or `_INVALID` after it has noted why."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def note(self, spot: Spot, path: Path, what: str, takes_: str) -> _Invalid:
        self.problems.append(Problem(spot.line, what, takes_, path))
        return _INVALID

    def wrong(self, spot: Spot, type_: object, path: Path) -> _Invalid:
        """Notes that something of another type stands here."""
        if spot.kind == "unknown":  # its tag has been reported
            return _INVALID
        hint = ", in quotes" if type_ is not bool and spot.kind in {"int", "float", "bool", "timestamp"} else ""
        hint = hint if _is_text(type_) else ""
        return self.note(spot, path, f"{named(path)} is {found(spot)}", takes(type_) + hint)

    def value(self, spot: Spot, type_: object, path: Path) -> object:
        """The value of this type that the spot spells."""
        if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
            return self.struct(spot, type_, path)
        origin = get_origin(type_)
        if origin is Annotated:
            return self.text(spot, type_, path)
        if origin is Literal:
            return self.choice(spot, type_, path)
        if origin is tuple:
            return self.items(spot, type_, path)
        if origin is dict:
            return self.mapping(spot, type_, path)
        if origin in (Union, UnionType):
            return self.either(spot, type_, path)
        return self.scalar(spot, type_, path)

    def scalar(self, spot: Spot, type_: object, path: Path) -> object:
        if type_ is bool and spot.kind == "bool":
            return spot.text.lower() in {"true", "yes", "on"}
        try:
            if type_ is int and spot.kind == "int":
                return int(spot.text)
            if type_ is float and spot.kind in {"int", "float"}:
                return float(spot.text)
        except ValueError:  # YAML's other spellings, such as 1:30 for ninety
            return self.wrong(spot, type_, path)
        return spot.text if type_ is str and spot.kind == "str" else self.wrong(spot, type_, path)

    def text(self, spot: Spot, type_: object, path: Path) -> object:
        numbers = {"int", "float"} if any(kind.is_also_number for kind in get_args(type_)[1:]) else set()
        if spot.kind not in {"str", "timestamp"} | numbers:
            return self.wrong(spot, type_, path)
        return spot.text if self.is_good(spot.text, type_, spot, path) else _INVALID

    def is_good(self, text: str, type_: object, spot: Spot, path: Path) -> bool:
        """Whether a text is what its type asks for; a fault is noted."""
        for kind in get_args(type_)[1:]:
            fault = kind.fault(text) if isinstance(kind, Kind) else None
            if fault is not None:
                what = f"{named(path)} is empty" if fault == "is empty" else f"{named(path)}: {quoted(text)} {fault}"
                self.note(spot, path, what, kind.takes)
                return False
        return True

    def choice(self, spot: Spot, type_: object, path: Path) -> object:
        values = get_args(type_)
        for value in values:
            # YAML 1.1 reads a bare `off` as false; it is meant as the word here.
            if spot.text == str(value) and spot.kind in ({"str", "bool"} if isinstance(value, str) else {"int"}):
                return value
        if spot.kind in {"map", "seq", "null", "unknown"}:
            return self.wrong(spot, type_, path)
        near = closest(spot.text, [str(value) for value in values])
        noun = "the text " if spot.kind == "str" and spot.text in map(str, values) else ""
        return self.note(spot, path, f"{named(path)} is {noun}{found(spot)}{near}", takes(type_))

    def items(self, spot: Spot, type_: object, path: Path) -> object:
        if spot.kind != "seq":
            return self.wrong(spot, type_, path)
        item_type = get_args(type_)[0]
        values = tuple(self.value(item, item_type, (*path, at)) for at, item in enumerate(spot.items))
        return _INVALID if _INVALID in values else values

    def mapping(self, spot: Spot, type_: object, path: Path) -> object:
        if spot.kind != "map":
            return self.wrong(spot, type_, path)
        key_type, value_type = get_args(type_)
        values: dict[str, object] = {}
        for key, item in spot.keys.items():
            good = self.is_good(key, key_type, item, (*path, key))
            value = self.value(item, value_type, (*path, key))
            values[key] = value if good else _INVALID
        return _INVALID if any(value is _INVALID for value in values.values()) else values

    def either(self, spot: Spot, type_: object, path: Path) -> object:
        members = [member for member in get_args(type_) if _fits(spot, member)]
        if not members:
            return self.wrong(spot, type_, path)
        if len(members) > 1 and spot.kind == "map":
            return self.tagged(spot, members, path)
        return self.value(spot, members[0], path)

    def tagged(self, spot: Spot, members: list[type[msgspec.Struct]], path: Path) -> object:
        """One of several structs, which a key of theirs names."""
        key = str(members[0].__struct_config__.tag_field)
        tags = {str(member.__struct_config__.tag): member for member in members}
        given = spot.keys.get(key)
        if given is None:
            return self.note(spot, path, f"`{key}` is missing", listed(list(tags)))
        if given.kind != "str" or given.text not in tags:
            near = closest(given.text, list(tags))
            return self.note(given, (*path, key), f"`{key}` is {found(given)}{near}", listed(list(tags)))
        return self.struct(spot, tags[given.text], path)

    def struct(self, spot: Spot, type_: type[msgspec.Struct], path: Path) -> object:
        if spot.kind != "map":
            return self.wrong(spot, type_, path)
        fields = fields_of(type_)
        tag_field = type_.__struct_config__.tag_field
        known = [*([tag_field] if tag_field else []), *(field.key for field in fields)]
        for key, item in spot.keys.items():
            if key not in known:
                near = closest(key, known)
                self.note(item, (*path, key), f"unknown key {quoted(key)}{near}", listed(known, "and"))
        values: dict[str, object] = {}
        for field in fields:
            item_ = spot.keys.get(field.key)
            if item_ is not None:
                values[field.name] = self.value(item_, field.type_, (*path, field.key))
            elif field.required:
                values[field.name] = self.note(spot, path, f"`{field.key}` is missing", takes(field.type_))
        return _INVALID if any(value is _INVALID for value in values.values()) else type_(**values)


def _is_text(type_: object) -> bool:
    members = get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)
    return any(member is str or get_origin(member) is Annotated for member in members)


_SCALAR_KINDS: dict[object, set[str]] = {bool: {"bool"}, int: {"int"}, float: {"float"}, str: {"str"}}


def _fits(spot: Spot, member: object) -> bool:
    """Whether this member of a union is the one that a value of this shape can only mean."""
    if isinstance(member, type) and issubclass(member, msgspec.Struct):
        return spot.kind == "map"
    origin = get_origin(member)
    if origin in (tuple, dict):
        return spot.kind == ("seq" if origin is tuple else "map")
    if spot.kind in {"map", "seq", "null"}:
        return False
    return spot.kind in _SCALAR_KINDS.get(member, {spot.kind})
