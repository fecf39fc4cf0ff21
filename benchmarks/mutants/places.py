"""Where two real twins agree: functions that play the same part, and what they both say in them."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from mutants.text import Text, header, is_prose

Role = Literal["statement", "default", "decorator", "base"]
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

LEAST_AGREEMENT = 0.5
"""Functions that say less than this in common are no place for an edit with a known answer."""

NEUTRAL = (
    (re.compile(r"Async(?:IO)?(?=[A-Z])|async_|_async\b|_asyncio\b|(?<=[a-z])V2\b|_v2\b"), ""),
    (re.compile(r"__a(enter|exit|iter|next)__"), r"__\1__"),
    (re.compile(r"\baclose\b"), "close"),
    (re.compile(r"\bStopAsyncIteration\b"), "StopIteration"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a function says: a statement without the statements in it, a default, a decorator, a base."""

    role: Role
    said: str
    node: ast.expr | ast.stmt | ast.ExceptHandler
    body: tuple[ast.stmt, ...] = ()
    """The statements among which it stands; empty for what is no statement."""


@dataclass(frozen=True, slots=True)
class Scoped:
    """A function or a class body with its parts."""

    name: str
    node: Scope
    parts: tuple[Part, ...]
    parent: ast.AST
    counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two counterparts that agree in half of what they say or more, and their parts that agree one to one."""

    sides: tuple[Scoped, Scoped]
    parts: tuple[tuple[Part, Part], ...]


def neutral(name: str) -> str:
    """A name without what tells the sides apart by habit."""
    for pattern, replacement in NEUTRAL:
        name = pattern.sub(replacement, name)
    return name


def said(node: object) -> str:
    """What a tree says, without `async`, `await` and annotations, as a text to compare."""
    if isinstance(node, ast.Await):
        return said(node.value)
    if isinstance(node, ast.AST):
        silent = ("ctx", "kind", "type_comment", "annotation", "returns", "is_async", "simple")
        values = [said(value) for name, value in ast.iter_fields(node) if name not in silent]
        return f"{type(node).__name__.removeprefix('Async').replace('AnnAssign', 'Assign')}({','.join(values)})"
    if isinstance(node, list):
        return f"[{','.join(said(each) for each in node)}]"
    return repr(neutral(node)) if isinstance(node, str) else repr(node)


def scopes(text: Text) -> dict[str, Scoped]:
    """Functions and class bodies by qualified neutral name; those of one name more than once are left out."""
    found: dict[str, Scoped] = {}
    twice: set[str] = set()

    def visit(parent: ast.AST, prefix: str) -> None:
        for node in ast.iter_child_nodes(parent):
            if not isinstance(node, Scope):
                visit(node, prefix)
                continue
            name = prefix + neutral(node.name)
            parts = tuple(_parts(node))
            twice.update({name} & found.keys())
            found[name] = Scoped(name, node, parts, parent, Counter(part.said for part in parts))
            visit(node, name + ".")

    visit(text.tree, "")
    return {name: scope for name, scope in found.items() if name not in twice}


def agreements(one: Text, other: Text) -> list[Agreement]:
    """Pairs of counterparts: by qualified name, then functions by their own name where that is unique on both sides."""
    left, right = scopes(one), scopes(other)
    pairs = [(left[name], right[name]) for name in left if name in right]
    lonely = [_by_own_name(here, there) for here, there in ((left, right), (right, left))]
    pairs += [(lonely[0][name], lonely[1][name]) for name in lonely[0] if name in lonely[1]]
    return [found for pair in pairs if (found := _agreement(*pair)) is not None]


def _by_own_name(here: dict[str, Scoped], there: dict[str, Scoped]) -> dict[str, Scoped]:
    names = Counter(name.rpartition(".")[2] for name in here)
    return {
        own: scope
        for name, scope in here.items()
        if name not in there and names[own := name.rpartition(".")[2]] == 1 and not isinstance(scope.node, ast.ClassDef)
    }


def _agreement(one: Scoped, other: Scoped) -> Agreement | None:
    shared = (one.counts & other.counts).total()
    if type(one.node) is ast.ClassDef and type(other.node) is not ast.ClassDef:
        return None
    if shared < 3 or 2 * shared < LEAST_AGREEMENT * (one.counts.total() + other.counts.total()):
        return None
    there = {part.said: part for part in other.parts}
    parts = [(part, there[part.said]) for part in one.parts if one.counts[part.said] == 1 == other.counts[part.said]]
    return Agreement((one, other), tuple(parts))


def _parts(scope: Scope) -> Iterator[Part]:
    for decorator in scope.decorator_list:
        yield Part("decorator", f"@{said(decorator)}", decorator)
    if isinstance(scope, ast.ClassDef):
        for base in scope.bases:
            yield Part("base", f"base {said(base)}", base)
    else:
        named = [*scope.args.posonlyargs, *scope.args.args]
        defaults = [*zip(named[len(named) - len(scope.args.defaults) :], scope.args.defaults, strict=True)]
        keyword_only = zip(scope.args.kwonlyargs, scope.args.kw_defaults, strict=True)
        for name, default in [*defaults, *((name, default) for name, default in keyword_only if default is not None)]:
            yield Part("default", f"{name.arg} = {said(default)}", default)
    yield from _statements(scope.body)


def _statements(body: list[ast.stmt]) -> Iterator[Part]:
    for node in body:
        if isinstance(node, Scope) or _is_silent(node):
            continue
        if isinstance(node, ast.Raise):
            yield Part("statement", said(node), node, tuple(body))
        elif own := header(node):
            yield Part("statement", type(node).__name__.removeprefix("Async") + said(own), node, tuple(body))
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, name, []))
        for handler in getattr(node, "handlers", []):
            if handler.type is not None:
                yield Part("statement", f"except {said(handler.type)}", handler)
            yield from _statements(handler.body)
        for case in getattr(node, "cases", []):
            yield from _statements(case.body)


def _is_silent(node: ast.stmt) -> bool:
    """Docstrings, talk, and what a type checker alone reads."""
    if isinstance(node, ast.Expr):
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        return isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and is_prose(value))
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return True
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Pass | ast.Global | ast.Nonlocal)
