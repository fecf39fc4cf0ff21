"""What is read once, and shared, says the same as what is read by itself; and it is let go of in time."""

import difflib
import gc
import re
from itertools import permutations
from pathlib import Path
from textwrap import indent

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_tree import change_between

from consistency_bot.align.sequences import opcodes
from consistency_bot.check import check_change
from consistency_bot.model import Rules, RulesSource, Side, Twins
from consistency_bot.syntax import Readings, Source, Terms

TESTS = Path(__file__).parent
FILES = sorted((TESTS / "twins").glob("*/*/**/*.py"))
CODE = b"def send(limit):\n    if limit > 1:\n        raise ValueError(limit)\n    return limit\n"


def said_in(source: Source) -> list[object]:
    return [
        (
            each.line,
            each.end_line,
            each.parent,
            each.raw,
            each.is_otherwise,
            list(map(msgspec.structs.astuple, each.units)),
        )
        for definition in source.definitions
        for each in definition.statements
    ]


def test_statements_shared_between_files_say_what_they_say_in_each() -> None:
    together = Readings()
    for path in FILES:
        data = path.read_bytes()
        try:
            alone = Source(path.name, data, Readings())
        except ValueError:
            continue
        assert said_in(Source(path.name, data, together)) == said_in(alone), path


PLACES = (
    "class A:\n    def f(self):\n{}",
    "def f(a):\n    if a:\n{}    g()\n",
    "def f(a):\n    h()\n    if a:\n        h()\n    else:\n{}",
    "if a:\n    try:\n{}    finally:\n        h()\n",
)


@pytest.mark.parametrize(
    "block",
    [
        "if a:\n    b(c=1)\nelif c:\n    d()\nelse:\n    with e:\n        return f(a, b=1)",
        "for a in b:\n    # said\n    if a: continue\n    c += 1",
        "try:\n    a = {'b': 1, 'c': 2}\nexcept (A, B):\n    raise\nfinally:\n    d()",
        "while a:\n    @b\n    def c(d, e=1):\n        return None\n    c(a)",
        "with a:\n    class B(C):\n        d = 1",
    ],
)
@pytest.mark.parametrize("places", list(permutations(PLACES, 2)))
def test_a_block_says_the_same_wherever_it_stands(block: str, places: tuple[str, str]) -> None:
    together = Readings()
    for place in (*places, *places):
        data = place.format(indent(f"{block}\n", " " * 8)).encode()
        assert said_in(Source("a.py", data, together)) == said_in(Source("a.py", data, Readings()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("from lib import fetch as get", "from lib import load as get"),
        ("from lib import fetch as get", ""),
        ("", "import get"),
        ("import queue.get", "from queue import put"),
    ],
)
def test_a_statement_with_a_name_that_two_files_import_from_elsewhere_is_read_in_each(one: str, other: str) -> None:
    together = Readings()
    body = "\n\ndef send(limit):\n    get(limit)\n    get.one(limit)\n    queue.get.now(limit)\n    limit.get(1)\n"
    for imports in (one, other, one):
        data = (imports + body).encode()
        assert said_in(Source("a.py", data, together)) == said_in(Source("a.py", data, Readings()))


def test_the_words_of_a_file_are_its_names_and_nothing_else() -> None:
    for path in FILES:
        data = path.read_bytes() + b"\n0xFF 12abc 7 _1 na\xc3\xafve"
        assert Source("a.py", data, Readings()).words == frozenset(re.findall(rb"[^\W\d]\w*", data))


sequences = st.lists(st.sampled_from("abcde"), max_size=12).map(lambda letters: [(letter, "=") for letter in letters])


@given(sequences, sequences)
def test_how_a_sequence_becomes_another_is_what_difflib_says(left: list[Terms], right: list[Terms]) -> None:
    assert list(opcodes(left, right)) == difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes()


def test_files_are_let_go_of_when_their_twins_are_judged() -> None:
    twins = tuple(Twins(str(n), (Side("a", (f"a{n}.py",)), Side("b", (f"b{n}.py",)))) for n in range(2))
    files = {f"{side}{n}.py": CODE for side in "ab" for n in range(2)}
    change = change_between(files, files | {"a0.py": CODE.replace(b"> 1", b"> 2"), "b1.py": CODE + b"\nsend(1)\n"})
    gc.collect()
    gc.disable()  # as in a run of the program: what is in a cycle stays for good
    try:
        report = check_change(Rules(twins, RulesSource("rules.yaml", "file")), change)
        kept = [each.path for each in gc.get_objects() if isinstance(each, Source) and each.path in files]
    finally:
        gc.enable()
    assert [each.id for each in report.twins_checked] == ["0", "1"]
    assert kept == []
