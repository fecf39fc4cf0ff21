"""The rules file as a JSON Schema for editors, made from the types that the decoder follows."""

import inspect
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

import msgspec

from consistency_bot.rules.decode import fields_of
from consistency_bot.rules.schema import Kind, RulesFile

Schema = dict[str, object]

_TOP = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Rules of consistency-bot, version 1",
}
"""Draft 7, as the editors' YAML plug-ins read no later one."""

_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string"}

_ALSO: dict[str, Schema] = {
    "Status": {"minProperties": 1, "maxProperties": 1},
    "Present": {"oneOf": [{"required": ["pattern"]}, {"required": ["regex"]}]},
    "SmokeJob": {"oneOf": [{"required": ["probe"]}, {"required": ["command"]}]},
    "Waiver": {"oneOf": [{"required": ["finding"]}, {"required": ["rule", "where"]}]},
}
"""What `conflicts` asks of an entry beyond the types of its keys, as far as a schema can say it."""

_ALSO_OF_KEYS: dict[tuple[str, str], Schema] = {("TwinsEntry", "sides"): {"minProperties": 2}}


def json_schema() -> Schema:
    """The schema, as plain values."""
    definitions: dict[str, Schema] = {}
    top = _schema(RulesFile, definitions)
    return {**_TOP, **top, "definitions": dict(sorted(definitions.items()))}


def _schema(type_: object, definitions: dict[str, Schema]) -> Schema:
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        return _reference(type_, definitions)
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return _text(arguments[1:])
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    if origin in (Union, UnionType):
        members = [_schema(each, definitions) for each in arguments if each is not type(None)]
        return members[0] if len(members) == 1 else {"anyOf": members}
    return {"type": next(name for scalar, name in _SCALARS.items() if scalar is type_)}


def _text(kinds: tuple[object, ...]) -> Schema:
    """A text that has to be something; what it is goes into the description."""
    found = [kind for kind in kinds if isinstance(kind, Kind)]
    is_also_number = any(kind.is_also_number for kind in found)
    schema: Schema = {"type": ["string", "number"] if is_also_number else "string", "minLength": 1}
    return schema | {"description": found[0].takes} if found else schema


def _reference(struct: type[msgspec.Struct], definitions: dict[str, Schema]) -> Schema:
    name = struct.__name__
    if name not in definitions:
        definitions[name] = {}  # a struct that holds itself would end here
        definitions[name] = _struct(struct, definitions)
    return {"$ref": f"#/definitions/{name}"}


def _struct(struct: type[msgspec.Struct], definitions: dict[str, Schema]) -> Schema:
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for key, tag in _tag(struct):
        properties[key] = {"const": tag}
        required.append(key)
    for field in fields_of(struct):
        also = _ALSO_OF_KEYS.get((struct.__name__, field.key), {})
        properties[field.key] = _schema(field.type_, definitions) | also
        required += [field.key] * field.required
    schema: Schema = {"type": "object", "description": inspect.cleandoc(struct.__doc__ or "")}
    if "probe" in properties:
        properties["probe"] = _probe(properties["probe"])
    schema |= {"properties": properties, "required": required, "additionalProperties": False}
    return schema | _ALSO.get(struct.__name__, {})


def _probe(schema: Schema) -> Schema:
    """A probe's own keys follow from its name."""
    from consistency_bot.probes import OPTIONS

    takes = [
        {
            "if": {"properties": {"name": {"const": name}}},
            "then": {"propertyNames": {"enum": ["name", *options.__struct_fields__]}},
        }
        for name, options in OPTIONS.items()
    ]
    named: Schema = {"properties": {"name": {"enum": list(OPTIONS)}}, "required": ["name"], "allOf": takes}
    return schema | named


def _tag(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    """The key that tells a struct from its siblings, and its value; nothing where there are no siblings."""
    config = struct.__struct_config__
    if config.tag_field is not None and config.tag is not None:
        yield config.tag_field, str(config.tag)
