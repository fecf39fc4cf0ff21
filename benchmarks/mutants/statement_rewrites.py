"""Edits of one statement that keep what it does. On one side alone they are still no drift."""

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from mutants.places import Part
from mutants.text import Edit, Edits, Text, header, joined, walk

Rewrite = Callable[[Text, Part], Iterator[Edits]]

PLAIN_STRING = re.compile(r"""(["'])[^"'\\\n]*\1\Z""")
WORTH_A_NAME = (ast.Call, ast.BinOp, ast.Subscript, ast.Attribute, ast.Compare, ast.BoolOp)
INVERSE = {ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in", ast.Eq: "!=", ast.NotEq: "=="}


def wrap_call(text: Text, part: Part) -> Iterator[Edits]:
    """A call of one line gets a line for each argument and a trailing comma."""
    step = text.indent(part.node)
    for call in _calls(part):
        items: list[ast.expr | ast.keyword] = sorted([*call.args, *call.keywords], key=text.start)
        if len(items) > 1 and part.node.lineno == part.node.end_lineno == call.end_lineno:
            closing = text.end(call) - 1
            comma = "" if text.text[:closing].rstrip().endswith(",") else ","
            breaks = [Edit(text.start(item), text.start(item), f"\n{step}    ") for item in items]
            yield (*breaks, Edit(closing, closing, f"{comma}\n{step}"))


def join_lines(text: Text, part: Part) -> Iterator[Edits]:
    """A call of several lines becomes one line."""
    for call in _calls(part):
        segment = text.segment(call)
        if "\n" in segment and not re.search(r"#|\\|\"\"\"|'''", segment):
            one = re.sub(r",?\s*\n\s*(?=[)\]}])", "", re.sub(r"([(\[{])\s*\n\s*", r"\1", segment))
            yield text.replace(call, re.sub(r"\s*\n\s*", " ", one))


def swap_quotes(text: Text, part: Part) -> Iterator[Edits]:
    """A string gets the other quotes."""
    for node in _inside(part):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            segment = text.segment(node)
            if PLAIN_STRING.match(segment):
                quote = "'" if segment[0] == '"' else '"'
                yield text.replace(node, quote + segment[1:-1] + quote)


def add_comment(text: Text, part: Part) -> Iterator[Edits]:
    """A comment is put before the statement, or behind it."""
    if part.body and (lines := text.whole_lines(part.node)):
        if not _is_elif(text, part):
            yield (Edit(lines[0], lines[0], f"{text.indent(part.node)}# Kept as it is: see the other one.\n"),)
        if not hasattr(part.node, "body") and text.text[text.end(part.node) :].startswith("\n"):
            yield (Edit(text.end(part.node), text.end(part.node), "  # as it should be"),)


def add_blank_line(text: Text, part: Part) -> Iterator[Edits]:
    """A blank line is put before the statement."""
    if part.body and (lines := text.whole_lines(part.node)) and not _is_elif(text, part):
        yield (Edit(lines[0], lines[0], "\n"),)


def add_parentheses(text: Text, part: Part) -> Iterator[Edits]:
    """A condition or value gets parentheses."""
    value = getattr(part.node, "test", None) or getattr(part.node, "value", None)
    if part.body and isinstance(value, ast.expr) and not isinstance(value, ast.Tuple):
        yield text.replace(value, f"({text.segment(value)})")


def reorder_keywords(text: Text, part: Part) -> Iterator[Edits]:
    """Two keyword arguments without effects change places."""
    for call in _calls(part):
        for one, other in pairwise(call.keywords):
            if all(each.arg and isinstance(each.value, ast.Name | ast.Constant) for each in (one, other)):
                yield (*text.replace(one, text.segment(other)), *text.replace(other, text.segment(one)))


def swap_operands(text: Text, part: Part) -> Iterator[Edits]:
    """Two operands of `and` or `or` that cannot guard each other change places; only in a condition."""
    test = getattr(part.node, "test", None)
    for node in walk(test) if isinstance(test, ast.expr) else ():
        if isinstance(node, ast.BoolOp):
            for one, other in pairwise(node.values):
                if _free_name(one) and _free_name(other) and _free_name(one) != _free_name(other):
                    yield (*text.replace(one, text.segment(other)), *text.replace(other, text.segment(one)))


def apply_de_morgan(text: Text, part: Part) -> Iterator[Edits]:
    """`not (a and b)` becomes `not a or not b`, and the reverse."""
    test = getattr(part.node, "test", None)
    for node in walk(test) if isinstance(test, ast.expr) else ():
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp() as inner):
                word = "or" if isinstance(inner.op, ast.And) else "and"
                operands = [f"not {joined(text, [each], word)}" for each in inner.values]
                yield text.replace(node, f"({f' {word} '.join(operands)})")
            case ast.BoolOp() if all(
                isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not) for each in node.values
            ):
                word = "or" if isinstance(node.op, ast.And) else "and"
                bare = [each.operand for each in node.values if isinstance(each, ast.UnaryOp)]
                yield text.replace(node, f"not ({joined(text, bare, word)})")


def negate_comparison(text: Text, part: Part) -> Iterator[Edits]:
    """`a is not b` becomes `not a is b`."""
    test = getattr(part.node, "test", None)
    if not isinstance(test, ast.expr):
        return
    for node in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in INVERSE:
            left, right = text.segment(node.left), text.segment(node.comparators[0])
            if "\n" not in left + right and isinstance(node.left, ast.Name | ast.Attribute):
                right = f"({right})" if isinstance(node.comparators[0], ast.BoolOp | ast.IfExp | ast.Compare) else right
                yield text.replace(node, f"not {left} {INVERSE[type(node.ops[0])]} {right}")


def nest_condition(text: Text, part: Part) -> Iterator[Edits]:
    """`if a and b:` becomes an `if b:` in an `if a:`."""
    match part.node:
        case ast.If(test=ast.BoolOp(op=ast.And()) as test, orelse=[]) as node if _is_plain_if(text, part):
            indent = text.indent(node)
            rest = joined(text, test.values[1:], "and")
            first = joined(text, test.values[:1], "and")
            yield (_branches(text, node, f"{indent}if {first}:\n{indent}    if {rest}:\n", deeper="    "),)


def split_alternative(text: Text, part: Part) -> Iterator[Edits]:
    """`if a or b: X` becomes `if a: X elif b: X`."""
    match part.node:
        case ast.If(test=ast.BoolOp(op=ast.Or()) as test, orelse=[]) as node if _is_plain_if(text, part):
            indent = text.indent(node)
            rest, first = joined(text, test.values[1:], "or"), joined(text, test.values[:1], "or")
            if len(node.body) <= 2:
                once = _branches(text, node, f"{indent}if {first}:\n")
                body = once.text.partition("\n")[2]
                yield (once._replace(text=f"{once.text}{indent}elif {rest}:\n{body}"),)


def spell_out_assert(text: Text, part: Part) -> Iterator[Edits]:
    """`assert a, b` becomes `if not a: raise AssertionError(b)`."""
    if isinstance(part.node, ast.Assert) and (lines := text.whole_lines(part.node)):
        indent = text.indent(part.node)
        message = text.segment(part.node.msg) if part.node.msg else ""
        test = text.segment(part.node.test)
        yield (Edit(*lines, f"{indent}if not ({test}):\n{indent}    raise AssertionError({message})\n"),)


def extract_temporary(text: Text, part: Part) -> Iterator[Edits]:
    """What is evaluated first in the statement gets a name of its own: a condition, or the first argument of a call."""
    node = part.node
    lines = text.whole_lines(node)
    if not part.body or lines is None or _is_elif(text, part) or text.has("first_value"):
        return
    value: ast.AST | None = getattr(node, "value", None)
    if isinstance(node, ast.If):
        value = node.test
    elif isinstance(node, ast.Assign | ast.Expr | ast.Return):
        value = value.value if isinstance(value, ast.Await) else value
        is_plain = isinstance(value, ast.Call) and _is_chain(value.func) and bool(value.args)
        value = value.args[0] if isinstance(value, ast.Call) and is_plain else None
    else:
        return
    stuck = (ast.Await, ast.Yield, ast.NamedExpr)
    if isinstance(value, WORTH_A_NAME) and not any(isinstance(each, stuck) for each in ast.walk(value)):
        segment = text.segment(value)
        segment = f"({segment})" if "\n" in segment else segment
        before = Edit(lines[0], lines[0], f"{text.indent(node)}first_value = {segment}\n")
        yield (before, *text.replace(value, "first_value"))


def introduce_alias(text: Text, part: Part) -> Iterator[Edits]:
    """A value that is read through two steps or more (`self.cfg.x`, `cfg["a"]["b"]`) gets a local name."""
    node = part.node
    lines = text.whole_lines(node)
    simple = isinstance(node, ast.Assign | ast.Expr | ast.Return | ast.AugAssign)
    if not simple or lines is None or text.has("held_value"):
        return
    lazy = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    if any(isinstance(each, lazy) for each in ast.walk(node)):
        return
    callees = {id(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    for each in _inside(part):
        if not isinstance(each, ast.Attribute | ast.Subscript) or not isinstance(each.ctx, ast.Load):
            continue
        if _depth(each) >= 2 and id(each) not in callees:
            before = Edit(lines[0], lines[0], f"{text.indent(node)}held_value = {text.segment(each)}\n")
            yield (before, *text.replace(each, "held_value"))


def swap_assignments(text: Text, part: Part) -> Iterator[Edits]:
    """Two assignments to attributes, each of a name or constant, change places."""
    for one, other in pairwise(part.body):
        if one is part.node and isinstance(one, ast.Assign) and isinstance(other, ast.Assign):
            targets = [ast.unparse(target) for each in (one, other) for target in each.targets]
            attributes = all(isinstance(target, ast.Attribute) for each in (one, other) for target in each.targets)
            pure = all(isinstance(each.value, ast.Name | ast.Constant) for each in (one, other))
            if attributes and pure and len({*targets}) == 2 and text.whole_lines(one) and text.whole_lines(other):
                yield (*text.replace(one, text.segment(other)), *text.replace(other, text.segment(one)))


def annotate(text: Text, part: Part) -> Iterator[Edits]:
    """A local gets a type annotation."""
    match part.node:
        case ast.Assign(targets=[ast.Name() as target]) if text.segment(target) == target.id:
            yield (Edit(text.end(target), text.end(target), ": object"),)


STATEMENT_REWRITES: tuple[Rewrite, ...] = (
    wrap_call,
    join_lines,
    swap_quotes,
    add_comment,
    add_blank_line,
    add_parentheses,
    reorder_keywords,
    swap_operands,
    apply_de_morgan,
    negate_comparison,
    nest_condition,
    split_alternative,
    spell_out_assert,
    extract_temporary,
    introduce_alias,
    swap_assignments,
    annotate,
)


def _inside(part: Part) -> Iterator[ast.AST]:
    for each in header(part.node) if part.body else ():
        yield from walk(each)


def _calls(part: Part) -> Iterator[ast.Call]:
    return (each for each in _inside(part) if isinstance(each, ast.Call))


def _is_elif(text: Text, part: Part) -> bool:
    return text.text.startswith("elif", text.start(part.node))


def _is_plain_if(text: Text, part: Part) -> bool:
    """An `if` whose header is one line and whose body can be moved line by line."""
    node = part.node
    if not isinstance(node, ast.If) or _is_elif(text, part) or text.whole_lines(node) is None:
        return False
    end = text.end(node.test)
    after = text.text[end : text.line_start(node.body[0].lineno)]
    many = any(
        isinstance(each, ast.Constant | ast.JoinedStr) and each.lineno != each.end_lineno
        for statement in node.body
        for each in ast.walk(statement)
    )
    return node.lineno == node.test.end_lineno and after == ":\n" and not many


def _branches(text: Text, node: ast.If, headers: str, deeper: str = "") -> Edit:
    """The whole `if` statement with other headers before its body."""
    start, end = text.line_start(node.lineno), text.line_start(text.last_line(node) + 1)
    body = text.text[text.line_start(node.body[0].lineno) : end]
    moved = "".join(deeper + line if line.strip() else line for line in body.splitlines(keepends=True))
    return Edit(start, end, headers + moved)


def _free_name(node: ast.expr) -> str | None:
    """The name that a harmless operand asks about: `a`, `not a`, `a > 1`, `a is None`; else None."""
    match node:
        case ast.Name():
            return node.id
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() as inner):
            return inner.id
        case ast.Compare(left=ast.Name() as inner, comparators=[ast.Constant()]):
            return inner.id
    return None


def _is_chain(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_chain(node.value))


def _depth(node: ast.AST) -> int:
    """How many steps lead from a name to the value; less than 0 where something else than a name is at the root."""
    match node:
        case ast.Name():
            return 0
        case ast.Attribute():
            return _depth(node.value) + 1
        case ast.Subscript(slice=ast.Constant()):
            return _depth(node.value) + 1
    return -99
