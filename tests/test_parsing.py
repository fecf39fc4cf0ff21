"""A text that is parsed from another one's tree comes out as if it had been parsed by itself."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Tree

from consistency_bot.syntax.parsing import parse, parse_like

TESTS = Path(__file__).parent
WORKERS = TESTS.parent / "examples" / "policy_workers"
SLUGS = sorted(path for path in (TESTS / "twins").iterdir() if (path / "base").is_dir() and (path / "head").is_dir())
TEXTS = [path.read_bytes() for path in sorted(WORKERS.glob("*.py"))]
LINES = [line for text in TEXTS for line in text.splitlines(keepends=True)]
ODD = [
    b"",
    b"\n",
    b"    \n",
    b")\n",
    b'"""\n',
    b"x = (\n",
    b"\telse:\n",
    b"def f(\n",
    b"match x:\n",
    b"# no line end",
    b"\\\n",
]


def nodes_in(tree: Tree) -> list[tuple[object, ...]]:
    """Everything that can be asked of a tree, node by node."""
    cursor = tree.walk()
    out: list[tuple[object, ...]] = []
    while True:
        node = cursor.node
        assert node is not None
        kind = (node.type, cursor.field_name, node.is_extra, node.is_missing, node.has_error)
        out.append((*kind, node.start_byte, node.end_byte, tuple(node.start_point), tuple(node.end_point)))
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return out


def test_the_head_of_every_twins_folder_comes_out_the_same() -> None:
    for slug in SLUGS:
        for path in sorted((slug / "head").rglob("*.py")):
            base = slug / "base" / path.relative_to(slug / "head")
            if base.is_file():
                old, new = base.read_bytes(), path.read_bytes()
                assert nodes_in(parse_like(new, old, parse(old))) == nodes_in(parse(new)), path


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A file, and the same after some of its lines were put elsewhere, indented, dropped, or replaced by any others."""
    lines = draw(st.sampled_from(TEXTS)).splitlines(keepends=True)
    tops = [0, *(at for at, line in enumerate(lines) if line[:1].isalpha() or line[:1] == b"@"), len(lines)]
    low, high = sorted(draw(st.tuples(st.sampled_from(tops), st.sampled_from(tops))))
    before = lines[low:high]  # so that it can be read; what comes out of the edits need not
    after = list(before)
    for _ in range(draw(st.integers(1, 6))):
        low = draw(st.integers(0, len(after)))
        high = min(len(after), low + draw(st.integers(0, 5)))
        taken = after[low:high]
        put = draw(st.sampled_from(["drop", "again", "indent", "dedent", "move", "others"]))
        if put == "move":
            del after[low:high]
            low = high = draw(st.integers(0, len(after)))
        elif put == "indent":
            taken = [b"    " + line for line in taken]
        elif put == "dedent":
            taken = [line.removeprefix(b"    ") for line in taken]
        elif put == "others":
            taken = draw(st.lists(st.sampled_from(LINES + ODD), max_size=4))
        after[low:high] = {"drop": [], "again": taken * 2}.get(put, taken)
    return b"".join(before), b"".join(after)


@settings(max_examples=300, deadline=None)
@given(edited())
def test_any_edit_comes_out_the_same(texts: tuple[bytes, bytes]) -> None:
    old, new = texts
    assert nodes_in(parse_like(new, old, parse(old))) == nodes_in(parse(new))
