"""Conditions of code: what holds where, decided by truth table."""

from collections.abc import Sequence
from itertools import product

import pytest
from code_reading import condition, holds, probed, said
from hypothesis import given, settings
from hypothesis import strategies as st

from consistency_bot.facts.conditions.atoms import Atom, possible
from consistency_bot.facts.conditions.formulas import (
    FALSE,
    TRUE,
    Formula,
    Tables,
    atom,
    conjunction,
    disjunction,
    negation,
)
from consistency_bot.facts.conditions.values import Items, Literal, Path, Unread
from consistency_bot.facts.conditions.written import fault_of_atom, fault_of_condition, written

NAMES = ("a", "b", "c")


def formulas() -> st.SearchStrategy[Formula]:
    leaves = st.sampled_from([TRUE, FALSE, *map(atom, NAMES)])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            inner.map(negation),
            st.lists(inner, max_size=3).map(conjunction),
            st.lists(inner, max_size=3).map(disjunction),
        ),
        max_leaves=8,
    )


def equivalent(left: Formula, right: Formula) -> bool:
    tables = Tables(NAMES)
    return tables.of(left) == tables.of(right)


def implies(left: Formula, right: Formula) -> bool:
    tables = Tables(NAMES)
    return not tables.of(left) & ~tables.of(right)


def for_some(tables: Tables, table: int, key: str) -> int:
    return tables.all & ~tables.for_all(tables.all & ~table, key, tables.all)


@given(formulas())
def test_a_table_and_its_formula_say_the_same(formula: Formula) -> None:
    tables = Tables(NAMES)
    assert tables.of(tables.formula(tables.of(formula))) == tables.of(formula)


@given(formulas(), formulas())
def test_implication_both_ways_is_equivalence(left: Formula, right: Formula) -> None:
    assert equivalent(left, right) == (implies(left, right) and implies(right, left))
    assert implies(conjunction([left, right]), left)
    assert implies(left, disjunction([left, right]))
    assert not equivalent(left, negation(left))


@given(formulas())
def test_what_holds_for_all_values_holds_for_some(formula: Formula) -> None:
    tables = Tables(NAMES)
    table = tables.of(formula)
    low, high = tables.for_all(table, "a", tables.all), for_some(tables, table, "a")
    assert low & ~table == 0
    assert table & ~high == 0
    assert not tables.depends(low, "a")
    assert not tables.depends(high, "a")


def test_thirteen_conditions_have_no_table() -> None:
    with pytest.raises(ValueError, match="13 conditions, more than 12"):
        Tables(range(13))


# What code says is what it does: programs of every shape are run, and read, and compared.

BODIES: st.SearchStrategy[list[tuple[object, ...]]] = st.deferred(lambda: st.lists(STATEMENTS, min_size=1, max_size=3))
TESTS = st.recursive(
    st.sampled_from(NAMES),
    lambda inner: st.one_of(
        inner.map(lambda each: f"not ({each})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda each: f"({each[0]}) {each[1]} ({each[2]})"),
        st.tuples(inner, inner, inner).map(lambda each: f"(({each[0]}) if ({each[1]}) else ({each[2]}))"),
    ),
    max_leaves=4,
)
VALUES = st.one_of(
    st.integers(0, 3).map(str), st.tuples(TESTS, st.integers(4, 6)).map(lambda each: f"{each[1]} if {each[0]} else x")
)
STATEMENTS: st.SearchStrategy[tuple[object, ...]] = st.one_of(
    VALUES.map(lambda value: ("assign", value)),
    TESTS.map(lambda test: ("local", test)),
    st.tuples(TESTS, BODIES, BODIES).map(lambda each: ("if", *each)),
    st.tuples(TESTS, BODIES).map(lambda each: ("if", *each, [])),
    VALUES.map(lambda value: ("return", value)),
)


def lines(body: list[tuple[object, ...]], indent: str) -> list[str]:
    """The statements as Python."""
    out: list[str] = []
    for kind, *rest in body:
        if kind == "assign":
            out.append(f"{indent}x = {rest[0]}")
        elif kind == "local":
            out.append(f"{indent}b = {rest[0]}")
        elif kind == "return":
            out.append(f"{indent}return {rest[0]}")
        else:
            test, then, otherwise = rest
            out += [f"{indent}if {test}:", *lines(then, indent + "    ")]  # type: ignore[arg-type]
            if otherwise:
                out += [f"{indent}else:", *lines(otherwise, indent + "    ")]  # type: ignore[arg-type]
    return out


@settings(max_examples=150, deadline=None, derandomize=True)
@given(BODIES)
def test_what_is_read_is_what_runs(body: list[tuple[object, ...]]) -> None:
    function = "\n".join(["def f(a, b, c):", "    x = 0", *lines(body, "    "), "    return x"])
    choices, _ = probed(f"{function}\n\n\ndef g(a, b, c):\n    probe(f(a, b, c))\n")
    space: dict[str, object] = {}
    exec(function, space)  # the program is this test's own
    for answers in product([False, True], repeat=3):
        named = dict(zip(NAMES, answers, strict=True))
        expected = space["f"](*answers)  # type: ignore[operator]
        found = [value for guard, value in choices if holds(guard, named)]
        assert found == [Literal(expected)] or _is_too_much(found), function


def _is_too_much(found: Sequence[object]) -> bool:
    return any(isinstance(each, Unread) and "too many" in each.reason for each in found)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(BODIES)
def test_where_code_comes_is_where_it_is_said_to_come(body: list[tuple[object, ...]]) -> None:
    function = "\n".join(["def f(a, b, c):", "    x = 0", *lines(body, "    "), "    probe(x)"])
    reached = condition(function)
    called: list[object] = []
    space: dict[str, object] = {"probe": called.append}
    exec(function, space)  # the program is this test's own
    for answers in product([False, True], repeat=3):
        called.clear()
        space["f"](*answers)  # type: ignore[operator]
        assert holds(reached, dict(zip(NAMES, answers, strict=True))) == bool(called), function


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if cfg['a']['b']:\n    probe(0)", "config.a.b"),
        ("cp = self.cfg['d']['cp_size']\nif cp > 1:\n    probe(0)", "config.d.cp_size > 1"),
        ("x = n_size >= 2\nif x:\n    probe(0)", "n_size > 1"),
        ("if n_size == 1:\n    probe(0)", "not n_size > 1"),
        ("if not n_size != 1:\n    probe(0)", "not n_size > 1"),
        ("if 2 <= n_size:\n    probe(0)", "n_size > 1"),
        ("if cfg.get('x', False):\n    probe(0)", "config.x"),
        ("if getattr(args, 'x', None):\n    probe(0)", "args.x"),
        ("if mode in ('a', 'b'):\n    probe(0)", "(mode == 'a' or mode == 'b')"),
        ("if x is not None:\n    probe(0)", "not x is None"),
        ("if x is True:\n    probe(0)", "x"),
        ("if False:\n    probe(0)", "never"),
        ("if a:\n    return\nprobe(0)", "not a"),
        ("if a:\n    raise ValueError\nprobe(0)", "always"),
        ("for each in all:\n    if a:\n        continue\n    probe(each)", "not a"),
        ("for each in all:\n    if a:\n        break\nprobe(0)", "always"),
        ("a and probe(0)", "a"),
        ("a or probe(0)", "not a"),
        ("probe(0) if a else None", "a"),
        ("with x:\n    if a:\n        return\nprobe(0)", "not a"),
        ("c = None\nif a:\n    c = make()\nif c is not None:\n    probe(0)", "a"),
        ("c = None\nif a:\n    c = make()\nif c:\n    probe(0)", "a"),
        ("try:\n    import fast\nexcept ImportError:\n    probe(0)", "except ImportError"),
        ("match kind:\n    case 'x':\n        probe(0)", "kind == 'x'"),
        ("match kind:\n    case True:\n        probe(0)", "kind"),
        (
            "match kind:\n    case None:\n        pass\n    case 3:\n        probe(0)",
            "(not kind is None and kind == 3)",
        ),
        ("try:\n    pass\nfinally:\n    probe(0)", "always"),
        ("if a:\n    pass\nelif x:\n    pass\nelse:\n    probe(0)", "(not a and not x)"),
        ("if mode == 'a' and mode == 'a':\n    probe(0)", "mode == 'a'"),
        ("if 3 > 2 and 'b' != 'c' and 1 <= 1 and 2 < 3 and not 2 >= 3:\n    probe(0)", "always"),
        ("if 'x' < 3:\n    probe(0)", "'x' < 3"),
        ("if mode not in ['a']:\n    probe(0)", "not mode == 'a'"),
        ("if 'x' in cfg:\n    probe(0)", "config.has x"),
        ("if a in all:\n    probe(0)", "a in all"),
        ("if x >= 2:\n    probe(0)", "x >= 2"),
        ("if x < 0.5:\n    probe(0)", "not x >= 0.5"),
        ("if not x < 0:\n    probe(0)", "x >= 0"),
        ("if 0 > x:\n    probe(0)", "not x >= 0"),
        ("if n_size < 1:\n    probe(0)", "never"),
        ("if n_size > 0:\n    probe(0)", "always"),
        ("if x == True or x == False:\n    probe(0)", "(x or not x)"),
        ("if A.ONE is A.ONE and A.ONE is not A.TWO:\n    probe(0)", "always"),
        ("if [] or ():\n    probe(0)", "never"),
        ("if {1: 2} and [1] is not None:\n    probe(0)", "always"),
        ("if len:\n    probe(0)", "len"),
        ("def inner():\n    return a\nif inner():\n    probe(0)", "a"),
        ("if inner_of(lambda: 1) is None:\n    probe(0)", "inner_of(lambda: 1) is None"),
        ("if 1 < n_size < 4:\n    probe(0)", "(n_size > 1 and not n_size > 3)"),
        ("if not (a and x):\n    return\nprobe(0)", "(a and x)"),
        ("while a:\n    if x:\n        continue\n    return\nprobe(0)", "not the loop while a returns"),
        ("# more\n\nfor each in all:\n    if each:\n        return\nprobe(0)", "not the loop over all returns"),
        (
            "for each in all:\n    if each:\n        return\nfor one in all:\n    a()\nfor one in all:\n    return\nprobe(0)",
            "(not the loop over all returns and not the loop 2 over all returns)",
        ),
        ("match kind:\n    case {'x': y}:\n        probe(0)", "kind matches {'x': y}"),
        ("if os.environ.get('FAST'):\n    probe(0)", "os.environ.FAST"),
        ("if os.getenv('FAST'):\n    probe(0)", "os.environ.FAST"),
        ("if __name__ == '__main__':\n    probe(0)", "always"),
        ("if TYPE_CHECKING:\n    probe(0)", "never"),
        ("match kind:\n    case 'x':\n        pass\n    case _:\n        probe(0)", "not kind == 'x'"),
    ],
)
def test_a_condition_is_resolved_to_what_it_asks(code: str, expected: str) -> None:
    body = "\n".join("    " + line for line in code.split("\n"))
    assert said(condition(f"def f(self, a, x, cfg, args, mode, kind, all, n_size):\n{body}\n")) == expected


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("for x in all:\n    pass\nif x:\n    probe(0)", "it changes in a loop"),
        ("x = a * 2\nif x:\n    probe(0)", "it is computed"),
        ("if ready():\n    probe(0)", "it is the result of a call"),
        ("if a == c:\n    probe(0)", "it compares two values that are not constants"),
        ("if any(each for each in all):\n    probe(0)", "it is the result of a call"),
        ("for each in all:\n    if each:\n        return\nprobe(0)", "it depends on what is looped over"),
    ],
)
def test_a_condition_that_cannot_be_read_says_why(code: str, reason: str) -> None:
    body = "\n".join("    " + line for line in code.split("\n"))
    formula = condition(f"def f(a, c, all):\n{body}\n")
    inner = formula.parts[0] if formula.word == "not" else formula
    assert isinstance(inner.atom, Atom)
    assert inner.atom.doubt == reason


def values(code: str, *more: str) -> list[tuple[str, object]]:
    choices, _ = probed(code, *more)
    return [(said(guard), _plain(value)) for guard, value in choices]


def _plain(value: object) -> object:
    if isinstance(value, Items):
        return [_plain(each) for each in value.members]
    if isinstance(value, Path):
        return value.text
    return value.value if isinstance(value, Literal) else type(value).__name__


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = [A.X]\nx.append(A.Y)\nx += [A.Z]\nx.remove(A.X)\nprobe(x)", [("always", ["A.Y", "A.Z"])]),
        ("probe([*first, A.X] + [A.Y])", [("always", ["A.P", "A.X", "A.Y"])]),
        ("probe({A.X, A.Y} - {A.Y})", [("always", ["A.X"])]),
        ("probe([each for each in (A.X, A.Y) if each is not A.Y])", [("always", ["A.X"])]),
        ("probe(TABLE['two'])", [("always", 2)]),
        ("probe(TABLE.get('three'))", [("always", None)]),
        ("probe(self.held)", [("flag", 1), ("not flag", 2)]),
        ("probe(self.fixed)", [("always", 7)]),
        ("probe(Record(size=flag).size)", [("always", "flag")]),
        ("left, right = 1, 2\nprobe(right)", [("always", 2)]),
        ("probe(pick(True))", [("always", 1)]),
        ("probe(pick(on=False))", [("always", 2)]),
        ("probe(pick())", [("always", 2)]),
        ("probe(flag or 5)", [("flag", "flag"), ("not flag", 5)]),
        ("for each in many:\n    x = each\nprobe(x)", [("always", "Unread")]),
        ("x = [A.X]\nx.sort()\nprobe(x)", [("always", "Unread")]),
        ("x = [A.X]\nx.append(A.Y, A.Z)\nprobe(x)", [("always", "Unread")]),
        ("x = {}\nx['a'] = A.X\nprobe(x)", [("always", "Unread")]),
        ("x = 1\nx *= 2\nprobe(x)", [("always", "Unread")]),
        ("x = 1\ndel x\nprobe(x)", [("always", "x")]),
        ("x = [A.X] * 2\nprobe(x)", [("always", "Unread")]),
        ("probe([A.X] + many)", [("always", "Unread")]),
        ("probe([each for each in many])", [("always", "Unread")]),
        ("probe([each for each, other in [(1, 2)]])", [("always", "Unread")]),
        ("probe((1, 2)[1])", [("always", 2)]),
        ("probe((1, 2)[many])", [("always", "Unread")]),
        ("probe({**TABLE}['one'])", [("always", "Unread")]),
        ("probe(partial(pick, True)())", [("always", 1)]),
        ("probe(functools.partial(pick, on=False)())", [("always", 2)]),
        ("probe(partial(pick)(True))", [("always", "Unread")]),
        ("probe(Record(1).size)", [("always", "Record().size")]),
        ("probe(None.get('x', 3))", [("always", 3)]),
        ("probe(flag.lower())", [("always", "flag")]),
        ("probe((lambda: 1).x)", [("always", "Unread")]),
        (
            "try:\n    x = 1\nexcept KeyError:\n    x = 2\nprobe(x)",
            [("except KeyError", 2), ("not except KeyError", 1)],
        ),
        ("try:\n    x = 1\nexcept KeyError:\n    raise\nprobe(x)", [("always", 1)]),
        ("try:\n    x = 1\nfinally:\n    x = 3\nprobe(x)", [("always", 3)]),
        ("with flag:\n    x = 1\nprobe(x)", [("always", 1)]),
        ("with flag as x:\n    probe(x)", [("always", "flag")]),
        ("a = b = 4\nprobe(a)", [("always", 4)]),
        ("a, (b, c) = flag\nprobe(a)", [("always", "a")]),
        ("if flag:\n    x = 1\nelse:\n    return\nprobe(x)", [("flag", 1)]),
        ("for x in many:\n    probe(x)", [("always", "Unread")]),
        ("probe(Worker.choose(flag))", [("flag", 5), ("not flag", None)]),
        ("probe(self.choose(on=flag))", [("flag", 5), ("not flag", None)]),
        ("probe(self.twice)", [("always", "twice")]),
        ("probe(self.missing)", [("always", "missing")]),
        ("probe(pick(*many))", [("on", 1), ("not on", 2)]),
    ],
)
def test_a_value_is_followed_to_where_it_comes_from(code: str, expected: object) -> None:
    body = "\n".join("        " + line for line in code.split("\n"))
    text = f"""
first = [A.P]
TABLE = {{"one": 1, "two": 2}}


def pick(on=False):
    return 1 if on else 2


class Base:
    fixed = 7


class Worker(Base):
    @staticmethod
    def choose(on):
        if on:
            return 5

    def again(self):
        self.twice = 2

    def __init__(self, flag):
        self.twice = 1
        if flag:
            self.held = 1
        else:
            self.held = 2

    def f(self, flag, many):
{body}
"""
    assert values(text) == expected


def test_a_value_of_another_file_of_the_side_is_followed() -> None:
    main = "from settings import CHOSEN as chosen, choose\n\n\ndef f(a):\n    probe([chosen, choose(a)])\n"
    assert values(main, "CHOSEN = A.X\n\n\ndef choose(on):\n    return A.Y if on else A.Z\n") == [
        ("a", ["A.X", "A.Y"]),
        ("not a", ["A.X", "A.Z"]),
    ]


def test_functions_that_call_one_another_come_to_an_end() -> None:
    assert values("def f(a):\n    return g(a)\n\n\ndef g(a):\n    return f(a)\n\n\ndef h(a):\n    probe(f(a))\n")


@pytest.mark.parametrize(
    ("atoms", "count"),
    [
        ([Atom(("cp_size",), ">", 1), Atom(("cp_size",), "==", 4)], 3),
        ([Atom(("n",), ">", 1), Atom(("n",), "==", 1)], 3),
        ([Atom(("n",), ">=", 1), Atom(("n",), ">", 1)], 3),
        ([Atom(("n",), ">=", 1), Atom(("n",), ">", 1), Atom(("n",), "==", 1)], 3),
        ([Atom(("mode",), "==", "a"), Atom(("mode",), "==", "b")], 3),
        ([Atom(("x",)), Atom(("x",), "none")], 3),
        ([Atom(("x",)), Atom(("y",), "none")], 4),
    ],
)
def test_conditions_about_one_value_are_related(atoms: list[Atom], count: int) -> None:
    assert possible(Tables(atoms)).bit_count() == count


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a and not b", "(a and not b)"),
        ("cfg['x']['y']", "config.x.y"),
        ("True", "always"),
        ("cp_size > 1 or tp_size >= 2", "(cp_size > 1 or tp_size > 1)"),
    ],
)
def test_a_condition_of_a_rule_is_read_like_code(text: str, expected: str) -> None:
    assert fault_of_condition(text) is None
    assert said(written(text)) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a and", "is not one condition in Python's words"),
        ("a; b", "is not one condition in Python's words"),
        ("x = 1", "is not one condition in Python's words"),
        ("f(x)", "asks `f(x)`, which is no name, no key and no comparison with a constant"),
        ("\ud800", "is not text that can be read"),
    ],
)
def test_a_text_that_is_no_condition_says_why(text: str, fault: str) -> None:
    assert fault_of_condition(text) == fault


@pytest.mark.parametrize("left", ["x", "n", "config['temperature']", "tp_size"])
@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("right", [2, -1.5])
def test_one_comparison_is_one_atom(left: str, operator: str, right: float) -> None:
    if left != "tp_size" or right == 2:
        assert fault_of_atom(f"{left} {operator} {right}") is None
        assert fault_of_atom(f"not {left} {operator} {right}") is None


def test_an_atom_is_one_condition() -> None:
    assert fault_of_atom("not cfg['x']") is None
    assert fault_of_atom("a and b") == "is put together from several conditions, or is always the same"
