"""Edits of a function or a module that keep what it does. On one side alone they are still no drift."""

import ast
import re
from collections.abc import Callable, Iterator

from mutants.places import Scope, Scoped
from mutants.text import Edit, Edits, Text

FunctionRewrite = Callable[[Text, Scoped], Iterator[Edits]]
ModuleRewrite = Callable[[Text], Iterator[Edits]]

LONGEST_RUN = 4
"""The most statements that are moved into a helper."""


def edit_docstring(text: Text, scope: Scoped) -> Iterator[Edits]:
    """The docstring says it in other words, or there is one at last."""
    first = scope.node.body[0]
    if _is_docstring(first):
        yield text.replace(first, '"""Other words for the same, as long as it takes."""')
    elif lines := text.whole_lines(first):
        yield (Edit(lines[0], lines[0], f'{text.indent(first)}"""What this is for."""\n'),)


def rename_local(text: Text, scope: Scoped) -> Iterator[Edits]:
    """A local variable gets another name."""
    if isinstance(scope.node, ast.ClassDef):
        return
    for name in sorted(_stored(scope.node) - _bound_otherwise(scope.node)):
        if not text.has(f"{name}_value"):
            uses = [each for each in ast.walk(scope.node) if isinstance(each, ast.Name) and each.id == name]
            yield tuple(edit for each in uses for edit in text.replace(each, f"{name}_value"))


def extract_helper(text: Text, scope: Scoped) -> Iterator[Edits]:
    """A run of statements moves into a helper, a method for a method."""
    for lines, needs, _ in _movable(text, scope):
        yield _move_out(text, scope, lines, needs, needs, text.text[slice(*lines)])


def extract_helper_under_other_names(text: Text, scope: Scoped) -> Iterator[Edits]:
    """The same, and the helper calls what it is given by names of its own."""
    for lines, needs, run in _movable(text, scope):
        own = {name: f"given_{name}" for name in needs}
        inside = [node for statement in run for node in ast.walk(statement)]
        if needs and not any(isinstance(node, ast.JoinedStr) for node in inside):  # names in it have no place
            names = [node for node in inside if isinstance(node, ast.Name) and node.id in own]
            moved = text.text[slice(*lines)]
            for node in sorted(names, key=text.start, reverse=True):
                start, end = text.start(node) - lines[0], text.end(node) - lines[0]
                moved = moved[:start] + own[node.id] + moved[end:]
            yield _move_out(text, scope, lines, needs, list(own.values()), moved)


def _movable(text: Text, scope: Scoped) -> Iterator[tuple[tuple[int, int], list[str], list[ast.stmt]]]:
    """Runs of statements that can move into a helper: their lines, and the locals that they read."""
    node = scope.node
    is_method = isinstance(scope.parent, ast.ClassDef)
    if isinstance(node, ast.ClassDef) or not (is_method or isinstance(scope.parent, ast.Module)):
        return
    names = [each.arg for each in node.args.args]
    if text.has("_extracted_step") or (is_method and (names[:1] != ["self"] or _has_static_decorator(node))):
        return
    for first in range(len(node.body)):
        for length in range(2, LONGEST_RUN + 1):
            run = node.body[first : first + length]
            needs = _needs(node, run) if len(run) == length else None
            lines = text.whole_lines(run[0], run[-1]) if needs is not None else None
            if needs is not None and lines is not None:
                yield lines, sorted(needs - {"self"} if is_method else needs), run


def _move_out(
    text: Text, scope: Scoped, lines: tuple[int, int], passed: list[str], parameters: list[str], moved: str
) -> Edits:
    is_method = isinstance(scope.parent, ast.ClassDef)
    indent = text.indent(scope.node.body[0])
    outer = indent[4:] if is_method else ""
    call = f"{indent}{'self.' if is_method else ''}_extracted_step({', '.join(passed)})\n"
    header = ", ".join(["self", *parameters] if is_method else parameters)
    gap = "\n" if is_method else "\n\n"
    end = text.line_start(text.last_line(scope.node) + 1)
    return (Edit(*lines, call), Edit(end, end, f"{gap}{outer}def _extracted_step({header}):\n{moved}"))


def inline_alias(text: Text, scope: Scoped) -> Iterator[Edits]:
    """A local that only abbreviates a chain (`cfg = self.cfg`) goes, and the chain stands in its place."""
    if isinstance(scope.node, ast.ClassDef):
        return
    stored = [each for each in ast.walk(scope.node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    bound = _bound_otherwise(scope.node)
    for statement in scope.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() | ast.Subscript() as value):
                once = sum(each.id == name for each in stored) == 1 and name not in bound
                lines = text.whole_lines(statement)
                root = _root(value)
                if once and lines and root and root not in {each.id for each in stored} and not _written(scope, value):
                    uses = [each for each in ast.walk(scope.node) if isinstance(each, ast.Name) and each.id == name]
                    loads = [each for each in uses if isinstance(each.ctx, ast.Load)]
                    if 1 <= len(loads) <= 6:
                        replaced = [edit for each in loads for edit in text.replace(each, text.segment(value))]
                        yield (Edit(*lines, ""), *replaced)


def import_locally(text: Text, scope: Scoped) -> Iterator[Edits]:
    """A function imports for itself what the module imports already."""
    first = scope.node.body[0]
    lines = text.whole_lines(first)
    if isinstance(scope.node, ast.ClassDef) or lines is None:
        return
    loaded = {each.id for each in ast.walk(scope.node) if isinstance(each, ast.Name)} - _stored(scope.node)
    headers = {each.id for each in ast.walk(scope.node.args) if isinstance(each, ast.Name)}
    place = lines[1] if _is_docstring(first) and len(scope.node.body) > 1 else lines[0]
    for statement in text.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
            for alias in statement.names:
                name = alias.asname or alias.name
                if name in loaded - headers and name not in _bound_otherwise(scope.node):
                    module = "." * statement.level + (statement.module or "")
                    line = f"{text.indent(first)}from {module} import {text.segment(alias)}\n"
                    yield (Edit(place, place, line),)


def alias_import(text: Text) -> Iterator[Edits]:
    """An imported name gets an alias, everywhere."""
    names = [each for each in ast.walk(text.tree) if isinstance(each, ast.Name)]
    for statement in text.tree.body:
        match statement:
            case ast.ImportFrom(names=[ast.alias(name=name, asname=None) as alias]) if statement.module != "__future__":
                uses = [each for each in names if each.id == name]
                loads = all(isinstance(each.ctx, ast.Load) for each in uses)
                if uses and loads and name != "*" and name not in _in_strings(text) and not _is_parameter(text, name):
                    replaced = [edit for each in uses for edit in text.replace(each, f"{name}_imported")]
                    yield (*text.replace(alias, f"{name} as {name}_imported"), *replaced)


def split_import(text: Text) -> Iterator[Edits]:
    """`from m import a, b` becomes two statements."""
    for statement in text.tree.body:
        if isinstance(statement, ast.ImportFrom) and len(statement.names) > 1:
            segment = text.segment(statement)
            start = segment.partition(" import")[0]
            if "#" not in segment and text.whole_lines(statement):
                first, *rest = (text.segment(each) for each in statement.names)
                yield text.replace(statement, f"{start} import {first}\n{start} import ({', '.join(rest)})")


FUNCTION_REWRITES: tuple[FunctionRewrite, ...] = (
    edit_docstring,
    rename_local,
    extract_helper,
    extract_helper_under_other_names,
    inline_alias,
    import_locally,
)
MODULE_REWRITES: tuple[ModuleRewrite, ...] = (alias_import, split_import)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _stored(function: Scope) -> set[str]:
    return {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _bound_otherwise(function: Scope) -> set[str]:
    """Names that are bound by something else than an assignment, or that stand in an f-string or an inner function."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.arg():
                found.add(node.arg)
            case ast.Global() | ast.Nonlocal():
                found.update(node.names)
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.alias():
                found.add((node.asname or node.name).partition(".")[0])
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.JoinedStr() | ast.Lambda() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if node is not function:
                    found.update(each.id for each in ast.walk(node) if isinstance(each, ast.Name))
            case ast.Call(func=ast.Name(id="locals" | "eval" | "exec" | "vars")):
                found |= _stored(function)
    return found


def _needs(function: ast.FunctionDef | ast.AsyncFunctionDef, run: list[ast.stmt]) -> set[str] | None:
    """The locals that a run of statements reads; None where it cannot be moved out of its function."""
    if not all(isinstance(each, ast.Expr | ast.Assign | ast.AugAssign) for each in run):
        return None
    inside = [node for statement in run for node in ast.walk(statement)]
    stuck = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)
    if any(isinstance(node, stuck) for node in inside) or isinstance(getattr(run[0], "value", None), ast.Constant):
        return None
    names = [node for node in inside if isinstance(node, ast.Name)]
    if {node.id for node in names} & {"super", "locals", "__class__"}:
        return None
    written = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    here = {id(node) for node in names}
    outside = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and id(node) not in here}
    bound = _bound_otherwise(function) | _stored(function)
    if written & (outside | _bound_otherwise(function)):
        return None
    parameters = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    return {node.id for node in names if node.id in bound | parameters} - written


def _has_static_decorator(function: Scope) -> bool:
    return any(ast.unparse(each) in ("staticmethod", "classmethod") for each in function.decorator_list)


def _root(node: ast.expr) -> str | None:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute() | ast.Subscript(slice=ast.Constant()):
            return _root(node.value)
    return None


def _written(scope: Scoped, value: ast.expr) -> bool:
    """Whether the function also writes what an alias reads."""
    said = ast.unparse(value)
    return any(
        isinstance(each, ast.Attribute | ast.Subscript)
        and not isinstance(each.ctx, ast.Load)
        and ast.unparse(each) == said
        for each in ast.walk(scope.node)
    )


def _in_strings(text: Text) -> set[str]:
    """The words of all strings but docstrings, and the names in f-strings."""
    found: set[str] = set()
    docstrings = {
        id(each.value)
        for each in ast.walk(text.tree)
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    }
    for node in ast.walk(text.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            found.update(re.findall(r"\w+", node.value))
        if isinstance(node, ast.JoinedStr):
            found.update(each.id for each in ast.walk(node) if isinstance(each, ast.Name))
    return found


def _is_parameter(text: Text, name: str) -> bool:
    return any(isinstance(each, ast.arg) and each.arg == name for each in ast.walk(text.tree))
