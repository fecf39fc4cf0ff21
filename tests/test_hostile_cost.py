"""What nobody would write costs what it is long, and not its square: work is counted, which is the same on any machine."""

from collections.abc import Callable

import pytest
from memory_tree import Files, change_between, rules_from
from work import work_of

from consistency_bot.check import check_change
from consistency_bot.model import Rules

TWINS = "version: 1\ntwins:\n  - {id: pair, sides: {a: a.py, b: b.py}}\n"
KINDS = (
    "rules:\n"
    "  - {id: patched, twins: pair, check: patch_calls, names: 'apply_*', before: go}\n"
    "  - {id: backends, twins: pair, check: sdpa_backends, forbid: {CUDNN_ATTENTION: a1}}\n"
    "  - {id: refusals, twins: pair, check: guards}\n"
    "  - {id: keys, twins: pair, check: config_keys, under: cfg}\n"
    "  - {id: methods, twins: pair, check: signature}\n"
    "  - {id: calls, twins: pair, check: calls, names: go}\n"
    "  - {id: environment, twins: pair, check: environment, names: '*'}\n"
)


def function(body: str) -> str:
    return "def go(cfg, x):\n" + "".join(f"    {line}\n" for line in body.split("\n")) + "    return x\n"


def lines(count: int, line: str) -> str:
    return "\n".join(line.format(at) for at in range(count))


SHAPES: dict[str, Callable[[int], str]] = {
    "one value for many names": lambda n: function("".join(f"a{at} = " for at in range(n)) + "f(x)"),
    "a chain of calls": lambda n: function("y = x" + "".join(f".f{at}({at})" for at in range(n))),
    "a chain of attributes": lambda n: function("y = x" + "".join(f".f{at}" for at in range(n))),
    "a chain of keys": lambda n: function("y = cfg" + "".join(f"['f{at}']" for at in range(n))),
    "calls in calls": lambda n: function("y = " + "".join(f"f{at}(" for at in range(n)) + "0" + ")" * n),
    "keys in keys": lambda n: function("y = " + "".join(f"cfg{at}[" for at in range(n)) + "0" + "]" * n),
    "lists in lists": lambda n: function("y = " + "[" * n + "a" + ", 1, 2]" * n),
    "dictionaries in dictionaries": lambda n: function("y = " + "{'k': " * n + "0" + "}" * n),
    "comprehensions in comprehensions": lambda n: function("y = " + "[" * n + "x" + " for x in y]" * n),
    "comparisons in comparisons": lambda n: function("if " + "(a == " * n + "x" + ")" * n + ":\n    raise ValueError"),
    "names that double": lambda n: function("y = x\n" + "y = y if x else (y, y)\n" * n + "if y:\n    raise ValueError"),
    "helpers that call a helper twice": lambda n: "".join(
        f"def f{at}(x):\n    f{at + 1}(x)\n    f{at + 1}(x)\n    if x.a:\n        raise ValueError\n\n"
        for at in range(n)
    ),
}
"""Code that may explode: each with a number of pieces that a reader of it might double for each."""


def checked(code: str, rules: Rules) -> int:
    files: Files = {"a.py": code.encode(), "b.py": code.encode()}
    moved = {**files, "a.py": code.replace("x", "xx", 1).encode()}
    return work_of(lambda: check_change(rules, change_between(files, moved)))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("text", [TWINS, TWINS + KINDS], ids=["bodies", "every kind"])
def test_no_code_explodes(shape: str, text: str) -> None:
    rules = rules_from(text)
    check_change(rules, change_between({}, {}))
    small, large = (checked(SHAPES[shape](count), rules) for count in (10, 40))
    assert large < 8 * small + 10_000


@pytest.mark.parametrize("targets", [3, 30])
def test_each_name_of_one_value_is_told_once(targets: int) -> None:
    code = function("".join(f"x.a{at} = " for at in range(targets)) + "f(x)")
    moved = code.replace("x.a1 = ", "x.b1 = ")
    report = check_change(
        rules_from(TWINS),
        change_between({"a.py": code.encode(), "b.py": code.encode()}, {"a.py": moved.encode(), "b.py": code.encode()}),
    )
    assert [each.verdict for each in report.findings] == ["missed"]


LONG: dict[str, tuple[int, Callable[[int], str]]] = {
    "statements": (100, lambda n: function(lines(n, "a{0} = f{0}(x)"))),
    "one statement again and again": (100, lambda n: function(lines(n, "y = f(x)"))),
    "branches": (50, lambda n: function("if a:\n    b()\n" + lines(n, "elif a{0}:\n    f{0}()"))),
    "refusals in branches": (30, lambda n: function("if a:\n    b()\n" + lines(n, "elif a{0}:\n    raise ValueError"))),
    "entries of a dictionary": (100, lambda n: "D = {" + "".join(f"'k{at}': {at}, " for at in range(n)) + "}\n"),
    "functions": (30, lambda n: lines(n, "def f{0}(x):\n    y = cfg['a']\n    go(x, y)\n")),
    "lines without a word": (1000, lambda n: "\n" * n + function("go(x)")),
    "changed names": (100, lambda n: lines(n, "from m import a{0}")),
}
"""Long code, and so many pieces of it that work that grows with their square would show."""


@pytest.mark.parametrize("shape", LONG)
@pytest.mark.parametrize("text", [TWINS, TWINS + KINDS], ids=["bodies", "every kind"])
def test_what_is_long_takes_no_square_of_the_work(shape: str, text: str) -> None:
    rules = rules_from(text)
    count, code = LONG[shape]
    check_change(rules, change_between({}, {}))
    small, large = (checked(code(size), rules) for size in (count, 4 * count))
    assert large < 6 * small + 10_000


def shaped(count: int, body: str) -> str:
    return lines(count, "def f{0}(x):\n    " + body.replace("\n", "\n    "))


EDITS: dict[str, tuple[int, Callable[[int], tuple[str, str]]]] = {
    "arguments of one call": (
        50,
        lambda n: (
            function(f"y = m.f({', '.join(f'k{at}=v{at}' for at in range(n))})"),
            function(f"y = m.g({', '.join(f'k{at}=w{at}' for at in range(n))})"),
        ),
    ),
    "arguments that both sides get": (
        200,
        lambda n: (function(lines(n, "q.f(a{0}, k)")), function(lines(n, "q.f(a{0}, k, limit=1)"))),
    ),
    "statements put under conditions": (
        200,
        lambda n: (function(lines(n, "a{0}(x)")), function(lines(n, "if c:\n    a{0}(x)"))),
    ),
    "what many functions lost and many got": (
        50,
        lambda n: (
            shaped(n, "do.it(a, b, c, d)\nreturn x") + lines(n, "\ndef g{0}(x):\n    return x"),
            shaped(n, "return x") + lines(n, "\ndef g{0}(x):\n    do.it(a, b, c, d)\n    return x"),
        ),
    ),
    "statements put into a function": (
        200,
        lambda n: (
            function(lines(n, "a{0}(x.b)")),
            "def g(y, cfg):\n    " + lines(n, "a{0}(y.b)").replace("\n", "\n    ") + "\n\n" + function("g(x, cfg)"),
        ),
    ),
    "statements put into a function each": (
        50,
        lambda n: (
            function(lines(n, "a{0}(x.b)")),
            lines(n, "def g{0}(y):\n    a{0}(y.b)\n") + function(lines(n, "g{0}(x)")),
        ),
    ),
    "one statement put into a function again and again": (
        100,
        lambda n: (function(lines(n, "a(x.b{0}, 1)")), "def g(y):\n    a(y, 1)\n\n" + function(lines(n, "g(x.b{0})"))),
    ),
    "entries handed to a function": (
        100,
        lambda n: (
            function("a({" + "".join(f"'k{at}': {at}, " for at in range(n)) + "}, 1)"),
            "def g(y):\n    a(y, 2)\n\n" + function("g({" + "".join(f"'k{at}': {at}, " for at in range(n)) + "})"),
        ),
    ),
    "functions that call new ones": (
        20,
        lambda n: (
            function("a(x.b)"),
            lines(n, "def g{0}(y):\n    h(g1{0}(y), g1{0}(y + y))\n") + function("g0(x)\n" + lines(n, "g{0}(x.b)")),
        ),
    ),
    "parameters in another order": (
        50,
        lambda n: (
            f"def f({', '.join(f'p{at}' for at in range(n))}):\n    return 1\n",
            f"def f({', '.join(f'p{at}' for at in reversed(range(n)))}):\n    return 1\n",
        ),
    ),
    "modules taken from elsewhere": (
        50,
        lambda n: (
            lines(n, "import p{0}.m as m{0}") + "\n" + function(lines(n, "m{0}.f(a{0})")),
            lines(n, "import q{0}.m as m{0}") + "\n" + function(lines(n, "m{0}.f(a{0})")),
        ),
    ),
}
"""Changes in many places, each as the text before and after it."""


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("other", ["alike", "unlike"])
def test_what_is_changed_in_many_places_takes_no_square_of_the_work(edit: str, other: str) -> None:
    rules = rules_from(TWINS)
    count, texts = EDITS[edit]

    def work(size: int) -> int:
        before, after = (each.encode() for each in texts(size))
        was, now = (before, before) if other == "alike" else (each.replace(b".f(", b".e(") for each in (before, after))
        change = change_between({"a.py": before, "b.py": was}, {"a.py": after, "b.py": now})
        return work_of(lambda: check_change(rules, change))

    work(3)
    assert work(4 * count) < 6 * work(count) + 10_000


def test_names_that_guards_have_are_learnt_once_from_one_function() -> None:
    rules = rules_from(TWINS + KINDS)

    def work(size: int) -> int:
        code = function(lines(size, "if a{0} and b{0}:\n    raise ValueError('x')")).encode()
        moved = function("k = a and b\n" + lines(size, "if k:\n    raise ValueError('x')")).encode()
        change = change_between({"a.py": code, "b.py": code}, {"a.py": moved, "b.py": code})
        return work_of(lambda: check_change(rules, change))

    work(3)
    assert work(160) < 6 * work(40) + 10_000


def test_imports_are_read_once_for_all_functions_of_a_file() -> None:
    rules = rules_from(TWINS + KINDS)

    def work(size: int) -> int:
        code = lines(size, "import m{0}") + "\n" + lines(size, "def f{0}(x):\n    y = m{0}.go(x)\n    return y(x)\n")
        files: Files = {"a.py": code.encode(), "b.py": code.encode()}
        moved = {**files, "a.py": code.replace("y(x)", "z(x)").encode()}
        return work_of(lambda: check_change(rules, change_between(files, moved)))

    work(3)
    assert work(160) < 6 * work(40) + 10_000


def test_thousands_of_changed_files_are_looked_up_once_each() -> None:
    def work(count: int) -> int:
        sides = "".join(
            f"  - {{id: p{at}, sides: {{a: 'x/{at}/**', b: 'y/{at}/*.py'}}}}\n" for at in range(count // 10)
        )
        rules = rules_from(f"version: 1\ntwins:\n{sides}")
        files: Files = {f"z/{at}.py": b"x = 1\n" for at in range(count)}
        change = change_between(files, dict.fromkeys(files, b"x = 2\n"))
        return work_of(lambda: check_change(rules, change))

    assert work(4000) < 6 * work(1000)
