"""Parentheses are part of the normal form where Python would bind otherwise without them, and nowhere else."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consistency_bot.align.translation import PLAIN
from consistency_bot.judge.inlining import Inlined
from consistency_bot.judge.versions import Version
from consistency_bot.syntax import Readings, Source, Terms

NAMES = st.sampled_from(["a", "b", "c", "d.e", "f(g)", "h[i]", "1"])
OPERATORS = "+ - * / // % @ ** | & ^ << >> and or < == in is".split()
HEADS = ["({}).x", "({})(y)", "({})[z]", "-({})", "~({})", "not ({})", "await ({})", "f(*({}))", "f(**({}))"]


def operations(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions one level deeper; whatever stands inside is in parentheses."""
    two = st.builds("({}) {} ({})".format, inner, st.sampled_from(OPERATORS), inner)
    one = st.builds(lambda shape, value: shape.format(value), st.sampled_from(HEADS), inner)
    three = st.builds("({}) if ({}) else ({})".format, inner, inner, inner)
    return two | one | three


EXPRESSIONS = st.recursive(NAMES, operations, max_leaves=8)


def terms_of(value: str) -> tuple[Terms, ...]:
    """What a function says that returns the value."""
    source = Source("a.py", f"async def read():\n    return {value}\n".encode(), Readings())
    (definition,) = [each for each in source.definitions if each.name == "read"]
    return tuple(unit.terms for unit in definition.units)


@given(EXPRESSIONS)
def test_parentheses_that_bind_nothing_otherwise_say_nothing(value: str) -> None:
    assert terms_of(ast.unparse(ast.parse(value, mode="eval"))) == terms_of(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a + b) * c", "a + b * c"),
        ("a - (b - c)", "a - b - c"),
        ("a / (b * c)", "a / b * c"),
        ("(a or b) and c", "a or b and c"),
        ("(a if b else c) or d", "a if b else c or d"),
        ("(2 ** a) ** b", "2 ** a ** b"),
        ("(-a) ** b", "-a ** b"),
        ("(a < b) < c", "a < b < c"),
        ("(a or b).c", "a or b.c"),
        ("(lambda: a)(b)", "lambda: a(b)"),
        ("(a + b)[c]", "a + b[c]"),
        ("await (a or b) + c", "await a or b + c"),
    ],
)
def test_parentheses_that_bind_otherwise_are_said(one: str, other: str) -> None:
    assert terms_of(one) != terms_of(other)


@pytest.mark.parametrize(
    "around", ["{} * c", "c - {}", "{}.size", "-{}", "{} ** 2", "2 ** {}", "use({}, c)", "c or {}", "f(*{})"]
)
@pytest.mark.parametrize("value", ["a + b", "a * b", "-a", "a or b", "a and b", "a", "f(a + b)", "a if b else c"])
def test_a_temporary_put_back_reads_like_its_value_in_its_place(value: str, around: str) -> None:
    assert put_back(f"    held = {value}\n    return {around.format('held')}\n", "held") == put_back(
        f"    return {around.format(f'({value})')}\n", "held"
    )


def put_back(body: str, name: str) -> set[Terms]:
    """What a function says with a variable put back."""
    source = Source("a.py", f"def read():\n{body}".encode(), Readings())
    (definition,) = [each for each in source.definitions if each.name == "read"]
    return set(Inlined(Version(definition, PLAIN), frozenset({name})).places)
