"""Edits that change what a side does. On one side only they are drift; on both sides alike they are not.

Each drift lists what it could do to a part, in the order in which the part is read, so that its n-th choice means the
same on both sides. None stands where the text, not the meaning, forbids the edit.
"""

import ast
import re
from collections.abc import Callable, Iterator

from mutants.places import Part
from mutants.text import Edit, Edits, Text, header, joined, walk

Drift = Callable[[Text, Part], Iterator[Edits | None]]

SIMPLE_STRING = re.compile(r"""(["'])[^"'\\\s]+\1\Z""")

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Gt: (r">", ">="),
    ast.GtE: (r">=", ">"),
    ast.Lt: (r"<", "<="),
    ast.LtE: (r"<=", "<"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
}


def drop_operand(text: Text, part: Part) -> Iterator[Edits | None]:
    """An operand of `and` or `or` goes."""
    for node in _inside(part):
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            for number in range(len(node.values)):
                kept = node.values[:number] + node.values[number + 1 :]
                yield text.replace(node, joined(text, kept, word))


def change_comparison(text: Text, part: Part) -> Iterator[Edits | None]:
    """`>` becomes `>=`, `is` becomes `is not`, and so on."""
    for node in _inside(part):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            pattern, replacement = COMPARISONS[type(node.ops[0])]
            start, end = text.end(node.left), text.start(node.comparators[0])
            found = re.search(pattern, text.text[start:end])
            yield found and (Edit(start + found.start(), start + found.end(), replacement),)


def negate_condition(text: Text, part: Part) -> Iterator[Edits | None]:
    """A condition becomes its opposite."""
    if isinstance(part.node, ast.If | ast.While | ast.Assert):
        test = part.node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield text.replace(test, f"({text.segment(test.operand)})")
        else:
            yield text.replace(test, f"not ({text.segment(test)})")


def widen_condition(text: Text, part: Part) -> Iterator[Edits | None]:
    """A condition gets an alternative."""
    if isinstance(part.node, ast.If | ast.While | ast.Assert):
        test = part.node.test
        for node in walk(test):
            if isinstance(node, ast.Name) and node.id not in ("self", "cls"):
                yield text.replace(test, f"({text.segment(test)}) or {node.id} is None")
                return


def change_number(text: Text, part: Part) -> Iterator[Edits | None]:
    """A number becomes another one."""
    for node in _inside(part):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield text.replace(node, _other_constant(text, node) or "")


def flip_bool(text: Text, part: Part) -> Iterator[Edits | None]:
    """`True` becomes `False` and the reverse."""
    for node in _inside(part):
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield text.replace(node, str(not node.value))


def change_key(text: Text, part: Part) -> Iterator[Edits | None]:
    """The key that is read or written becomes another one."""
    for node in _inside(part):
        key: ast.expr | None = None
        if isinstance(node, ast.Subscript):
            key = node.slice
        elif isinstance(node, ast.Call) and node.args and _name(node.func) in ("get", "pop", "getattr", "setdefault"):
            key = node.args[1 if _name(node.func) == "getattr" and len(node.args) > 1 else 0]
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            other = _other_constant(text, key)
            yield text.replace(key, other) if other else None


def drop_keyword(text: Text, part: Part) -> Iterator[Edits | None]:
    """A keyword argument goes."""
    for node in _inside(part):
        if isinstance(node, ast.Call):
            items: list[ast.expr | ast.keyword] = sorted([*node.args, *node.keywords], key=text.start)
            for number, item in enumerate(items):
                if isinstance(item, ast.keyword) and item.arg:
                    yield _without(text, items, number, text.end(node) - 1)


def drop_entry(text: Text, part: Part) -> Iterator[Edits | None]:
    """An entry of a dict display goes."""
    for node in _inside(part):
        if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
            keys = [key for key in node.keys if key is not None]
            for number, (key, value) in enumerate(zip(keys, node.values, strict=True)):
                start = text.start(key)
                if number + 1 < len(keys):
                    between = text.text[text.end(value) : text.start(keys[number + 1])]
                    clean = re.fullmatch(r"\s*,\s*", between)
                    yield (Edit(start, text.start(keys[number + 1]), ""),) if clean else None
                elif number:
                    previous = text.end(node.values[number - 1])
                    clean = re.fullmatch(r"\s*,\s*", text.text[previous:start])
                    yield (Edit(previous, text.end(value), ""),) if clean else None


def change_argument(text: Text, part: Part) -> Iterator[Edits | None]:
    """A positional argument becomes `None`."""
    for node in _inside(part):
        if isinstance(node, ast.Call):
            for argument in node.args:
                if isinstance(argument, ast.Name | ast.Attribute):
                    yield text.replace(argument, "None")


def change_callee(text: Text, part: Part) -> Iterator[Edits | None]:
    """Another function is called."""
    for node in _inside(part):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            end = text.end(node.func)
            yield (Edit(end, end, "_other"),)


def change_operator(text: Text, part: Part) -> Iterator[Edits | None]:
    """`+` becomes `-`, `*` becomes `/`, and the reverse."""
    swapped = {"+": "-", "-": "+", "*": "/", "/": "*"}
    for node in _inside(part):
        if isinstance(node, ast.BinOp):
            start, end = text.end(node.left), text.start(node.right)
        elif isinstance(node, ast.AugAssign):
            start, end = text.end(node.target), text.start(node.value)
        else:
            continue
        if any(isinstance(each, ast.JoinedStr | ast.Constant) for each in ast.iter_child_nodes(node)):
            continue
        found = re.fullmatch(r"[\s)]*([-+*/])=?[\s(]*", text.text[start:end])
        yield found and (Edit(start + found.start(1), start + found.end(1), swapped[found[1]]),)


def drop_statement(text: Text, part: Part) -> Iterator[Edits | None]:
    """A call, an augmented assignment, a `raise`, a `del` or an assignment to an attribute goes."""
    node = part.node
    loses = isinstance(node, ast.AugAssign | ast.Raise | ast.Delete)
    if isinstance(node, ast.Expr):
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        loses = isinstance(value, ast.Call)
    if isinstance(node, ast.Assign):
        loses = isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    if loses:
        lines = text.whole_lines(node)
        instead = text.indent(node) + "pass\n" if len(part.body) == 1 else ""
        yield (Edit(*lines, instead),) if lines else None


def rename_target(text: Text, part: Part) -> Iterator[Edits | None]:
    """The value goes to another attribute."""
    node = part.node
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if isinstance(target, ast.Attribute) and not isinstance(node, ast.For | ast.AsyncFor):
        end = text.end(target)
        yield (Edit(end, end, "_other"),)


def change_return(text: Text, part: Part) -> Iterator[Edits | None]:
    """Nothing is returned in place of something."""
    value = part.node.value if isinstance(part.node, ast.Return) else None
    if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
        yield text.replace(value, "None")


def change_raise(text: Text, part: Part) -> Iterator[Edits | None]:
    """Another exception is raised."""
    if isinstance(part.node, ast.Raise) and part.node.exc is not None:
        raised = part.node.exc.func if isinstance(part.node.exc, ast.Call) else part.node.exc
        if isinstance(raised, ast.Name) and raised.id[0].isupper():
            yield text.replace(raised, "RuntimeError" if raised.id != "RuntimeError" else "ValueError")


def change_except(text: Text, part: Part) -> Iterator[Edits | None]:
    """Another exception is caught, or one fewer."""
    caught = part.node.type if isinstance(part.node, ast.ExceptHandler) else None
    if isinstance(caught, ast.Tuple) and len(caught.elts) > 1:
        for number in range(len(caught.elts)):
            kept = caught.elts[:number] + caught.elts[number + 1 :]
            yield text.replace(caught, f"({', '.join(text.segment(each) for each in kept)},)")
    elif isinstance(caught, ast.Name):
        yield text.replace(caught, "LookupError" if caught.id != "LookupError" else "OSError")


def change_default(text: Text, part: Part) -> Iterator[Edits | None]:
    """A parameter gets another default."""
    if part.role == "default" and isinstance(part.node, ast.Constant):
        other = _other_constant(text, part.node)
        yield text.replace(part.node, other) if other else None


def drop_decorator(text: Text, part: Part) -> Iterator[Edits | None]:
    """A decorator goes."""
    if part.role == "decorator":
        last = text.last_line(part.node)
        yield (Edit(text.line_start(part.node.lineno), text.line_start(last + 1), ""),)


def change_base(text: Text, part: Part) -> Iterator[Edits | None]:
    """A class gets another base."""
    if part.role == "base":
        yield text.replace(part.node, "object")


DRIFTS: tuple[Drift, ...] = (
    drop_operand,
    change_comparison,
    negate_condition,
    widen_condition,
    change_number,
    flip_bool,
    change_key,
    drop_keyword,
    drop_entry,
    change_argument,
    change_callee,
    change_operator,
    drop_statement,
    rename_target,
    change_return,
    change_raise,
    change_except,
    change_default,
    drop_decorator,
    change_base,
)


def _inside(part: Part) -> Iterator[ast.AST]:
    """What a statement says, node by node; nothing for a default, decorator or base."""
    if part.role == "statement":
        if isinstance(part.node, ast.AugAssign):
            yield part.node
        for each in header(part.node):
            yield from walk(each)


def _name(callee: ast.expr) -> str:
    return callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")


def _other_constant(text: Text, node: ast.Constant) -> str | None:
    """A constant of the same kind with another value; None for prose and odd spellings."""
    value = node.value
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int):
        return str(value + 1)
    if isinstance(value, float):
        return repr(value * 2 + 1)
    if isinstance(value, str) and SIMPLE_STRING.match(text.segment(node)):
        return f"{text.segment(node)[:-1]}_other{text.segment(node)[-1]}"
    return "0" if value is None else None


def _without(text: Text, items: list[ast.expr | ast.keyword], number: int, closing: int) -> Edits | None:
    """The edit that takes one of several items between commas away."""
    start, end = text.start(items[number]), text.end(items[number])
    if number + 1 < len(items):
        following = text.start(items[number + 1])
        return (Edit(start, following, ""),) if re.fullmatch(r"\s*,\s*", text.text[end:following]) else None
    if number:
        previous = text.end(items[number - 1])
        return (Edit(previous, end, ""),) if re.fullmatch(r"\s*,\s*", text.text[previous:start]) else None
    return (Edit(start, closing, ""),) if re.fullmatch(r"\s*,?\s*", text.text[end:closing]) else None
