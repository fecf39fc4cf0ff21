"""Properties that hold for every program: found by generated twins, not by a table."""

import ast
import io
import tokenize
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from memory_tree import Files, change_between

from consistency_bot.check import check_change
from consistency_bot.model import Change, ChangedPath, Finding, Place, Rules, RulesSource, Side, Twins

TESTS = Path(__file__).parent
WORKERS = TESTS.parent / "examples" / "policy_workers"
TWINS = Twins("pair", (Side("a", ("a.py",)), Side("b", ("b.py",))))
RULES = Rules((TWINS,), RulesSource("rules.yaml", "file"))
OTHER = {"a": "b", "b": "a"}

quick = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
few = settings(quick, max_examples=25)

# A small grammar of programs in the shape of clients and workers. --------------------------------------------------

names = st.sampled_from("batch chunk total count reply limit state".split())
values: SearchStrategy[str] = st.one_of(
    names,
    st.integers(0, 9).map(str),
    st.sampled_from(['"tokens"', '"mask"', "None", "True"]),
    st.sampled_from(["self.limit", "self.state", "config['size']", "config['parallel']['rings']"]),
)
keywords = st.lists(st.sampled_from("seed timeout group".split()), max_size=2, unique=True)


@st.composite
def calls(draw: st.DrawFn) -> str:
    called = draw(st.sampled_from("fetch send self.step self.model.run reduce".split()))
    arguments = draw(st.lists(values, max_size=2)) + [f"{name}={draw(values)}" for name in draw(keywords)]
    return f"{called}({', '.join(arguments)})"


plain = st.one_of(values, calls())
expressions = st.one_of(
    plain,
    st.tuples(values, st.sampled_from("+-*"), values).map(" ".join),
    st.lists(values, max_size=3).map(lambda members: f"[{', '.join(members)}]"),
    st.tuples(names, plain).map(lambda two: f'{{"{two[0]}": {two[1]}}}'),
)
comparisons = st.tuples(values, st.sampled_from("> >= == is".split()), names).map(" ".join)
conditions = st.one_of(
    comparisons,
    st.tuples(comparisons, st.sampled_from(["and", "or"]), comparisons).map(" ".join),
    comparisons.map(lambda text: f"not ({text})"),
)
simple = st.one_of(
    st.tuples(names, expressions).map(" = ".join),
    st.tuples(st.sampled_from(["self.state", "self.total"]), expressions).map(" = ".join),
    st.tuples(names, st.sampled_from(["+=", "*="]), expressions).map(" ".join),
    calls(),
    plain.map(lambda text: f"return {text}"),
    st.sampled_from(["ValueError", "RuntimeError"]).map(lambda name: f'raise {name}("no good")'),
)


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def blocks(inner: SearchStrategy[list[str]]) -> SearchStrategy[list[str]]:
    """Statements with statements inside."""
    heads = st.one_of(
        conditions.map(lambda text: f"if {text}:"),
        st.tuples(names, values).map(lambda two: f"for {two[0]} in {two[1]}:"),
        calls().map(lambda text: f"with {text} as reply:"),
    )
    headed = st.tuples(heads, inner).map(lambda two: [two[0], *indented(two[1])])
    tried = inner.map(lambda lines: ["try:", *indented(lines), "except ConnectionError:", "    count += 1"])
    return st.one_of(headed, tried)


def concat(parts: list[list[str]]) -> list[str]:
    return [line for part in parts for line in part]


bodies = st.recursive(
    st.lists(simple, min_size=1, max_size=4),
    lambda inner: st.lists(st.one_of(simple.map(lambda line: [line]), blocks(inner)), min_size=1, max_size=4).map(
        concat
    ),
    max_leaves=8,
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A module with a class of a few methods and a function."""
    lines = ["import wire", "", "", "class Worker(wire.Endpoint):", f"    LIMIT = {draw(st.integers(0, 9))}"]
    for name in draw(st.lists(st.sampled_from("__init__ step close fetch".split()), min_size=1, unique=True)):
        decorator = draw(st.sampled_from([[], ["    @wire.traced"]]))
        head = f"    def {name}(self, batch, limit={draw(st.integers(0, 9))}):"
        lines += ["", *decorator, head, *indented(indented(draw(bodies)))]
    lines += ["", "", "def reduce(state, group=None):", *indented(draw(bodies))]
    return "\n".join(lines) + "\n"


# Edits of a program. -----------------------------------------------------------------------------------------------


class _Mutation(ast.NodeTransformer):
    """Changes the one place that `chosen` counts to; `places` is how many there are."""

    def __init__(self, chosen: int) -> None:
        self.chosen = chosen
        self.places = 0

    def _is_chosen(self) -> bool:
        self.places += 1
        return self.places - 1 == self.chosen

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self._is_chosen():
            return ast.Constant(node.value + 10)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if node.keywords and self._is_chosen():
            node.keywords.pop()
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if self._is_chosen():
            node.ops = [ast.NotEq()]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Pass() if self._is_chosen() else node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if self._is_chosen() and isinstance(node.exc, ast.Call):
            node.exc.func = ast.Name("LookupError")
        return node


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, str]:
    """A program and the same with one thing in it changed, both in the layout of `ast.unparse`."""
    program = draw(programs())
    counting = _Mutation(-1)
    counting.visit(ast.parse(program))
    changed = _Mutation(draw(st.integers(0, counting.places - 1))).visit(ast.parse(program))
    return ast.unparse(ast.parse(program)) + "\n", ast.unparse(ast.fix_missing_locations(changed)) + "\n"


def reprinted(program: str) -> str:
    """The program in the layout of another formatter: no comments, single quotes, fewer parentheses."""
    return ast.unparse(ast.parse(program)) + "\n"


def commented(program: str, data: st.DataObject) -> str:
    """The program with comments and empty lines between its lines, where no string goes over them."""
    free = set(range(1, program.count("\n") + 1))
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        free -= set(range(token.start[0] + 1, token.end[0] + 1)) if token.type == tokenize.STRING else set()
    chosen = data.draw(st.sets(st.sampled_from(sorted(free)), max_size=8))
    out = []
    for number, line in enumerate(program.splitlines(keepends=True), 1):
        if number in chosen:
            out.append(data.draw(st.sampled_from(["\n", "# why not\n", "        # x = 1\n\n"])))
        out.append(line)
    return "".join(out)


def findings(base: Files, head: Files) -> tuple[Finding, ...]:
    return check_change(RULES, change_between(base, head)).findings


def pair(a: str, b: str) -> dict[str, bytes]:
    return {"a.py": a.encode(), "b.py": b.encode()}


def worker_files() -> dict[str, bytes]:
    read = (WORKERS / "dtensor_policy_worker.py").read_bytes(), (WORKERS / "dtensor_policy_worker_v2.py").read_bytes()
    return dict(zip(("a.py", "b.py"), read, strict=True))


# Properties. -------------------------------------------------------------------------------------------------------


@quick
@given(programs(), programs())
def test_a_side_agrees_with_itself(before: str, after: str) -> None:
    assert findings(pair(before, before), pair(after, after)) == ()


@quick
@given(mutations())
def test_equal_sides_edited_equally_agree_and_edited_on_one_do_not(edit: tuple[str, str]) -> None:
    before, after = edit
    assume(before != after)
    assert findings(pair(before, before), pair(after, after)) == ()
    assert [each.verdict for each in findings(pair(before, before), pair(after, before)) if each.blocks]


def mirrored(place: Place | None) -> Place | None:
    """The same place on the other side."""
    if place is None:
        return None
    side = OTHER[place.side]
    return Place(side, f"{side}.py", place.line, place.end_line, place.function)


def told(found: tuple[Finding, ...]) -> list[tuple[str, str, Place | None, Place | None]]:
    return sorted(((each.verdict, each.concept, each.changed, each.counterpart) for each in found), key=repr)


@quick
@given(mutations())
def test_swapping_sides_swaps_what_is_missed(edit: tuple[str, str]) -> None:
    before, after = edit
    assume(before != after)
    on_a = findings(pair(before, before), pair(after, before))
    on_b = findings(pair(before, before), pair(before, after))
    assert {each.verdict for each in on_a} == {"missed"}
    swapped = [(each.verdict, each.concept, mirrored(each.changed), mirrored(each.counterpart)) for each in on_b]
    assert told(on_a) == sorted(swapped, key=repr)


@quick
@given(programs(), st.data())
def test_layout_and_comments_are_no_finding(program: str, data: st.DataObject) -> None:
    other = commented(reprinted(program), data)
    assert findings(pair(program, program), pair(other, program)) == ()
    assert findings(pair(program, program), pair(program, other)) == ()


@few
@given(st.data())
def test_layout_and_comments_of_real_twins_are_no_finding(data: st.DataObject) -> None:
    base = worker_files()
    path = data.draw(st.sampled_from(sorted(base)))
    program = base[path].decode()
    if data.draw(st.booleans()):
        program = reprinted(program)
    assert findings(base, base | {path: commented(program, data).encode()}) == ()


@quick
@given(programs(), programs())
def test_base_that_is_head_makes_no_finding_whatever_differs(left: str, right: str) -> None:
    files = pair(left, right)
    change = change_between(files, files)
    claimed = tuple(ChangedPath(path, path) for path in files)
    touched = Change(change.base_name, change.head_name, change.base, change.head, claimed)
    report = check_change(RULES, touched)
    assert report.findings == ()
    assert [each.id for each in report.twins_checked] == ["pair"]


@st.composite
def damages(draw: st.DrawFn) -> tuple[str, bytes]:
    """A path and its worker with a few pieces cut out, doubled or written over: mostly no Python any more."""
    files = worker_files()
    path = draw(st.sampled_from(sorted(files)))
    data = files[path]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 60)))
        piece = draw(st.one_of(st.just(b""), st.just(data[start:end] * 2), st.binary(max_size=6), snippets))
        data = data[:start] + piece + data[end:]
    return path, data


snippets = st.sampled_from([b"(", b"'''", b"\n", b"\\\n", b":", b"\t", b"\xff", b"\x00", b"def ", b"match x:\n", b"\r"])


@few
@given(damages())
def test_no_bytes_make_it_fail(damage: tuple[str, bytes]) -> None:
    path, data = damage
    base = worker_files()
    damaged = base | {path: data}
    for before, after in ((base, damaged), (damaged, base), (damaged, damaged | {path: data + b"\nlast = 1\n"})):
        for each in findings(before, after):
            assert each.message
            assert each.changed is not None
