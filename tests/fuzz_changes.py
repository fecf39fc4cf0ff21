"""Changes made by damage to twins of our own, and what has to hold for each of them.

The files of `tests/twins` and `examples` are cut, doubled, written over and mixed, by bytes, by tokens and by lines. What
comes of it is mostly no Python, and sometimes Python that nobody would write.
"""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from hypothesis import strategies as st
from memory_tree import Files, change_between

from consistency_bot.check import check_change
from consistency_bot.model import Change, ChangedPath, Finding, Place, Report, Rules, RulesSource, Side, Twins
from consistency_bot.report import View, render

TESTS = Path(__file__).parent
RULES = Rules((Twins("pair", (Side("a", ("a.py",)), Side("b", ("b.py",)))),), RulesSource("rules.yaml", "file"))
SWAPPED = Rules((Twins("pair", (Side("b", ("b.py",)), Side("a", ("a.py",)))),), RulesSource("rules.yaml", "file"))

_TOKEN = re.compile(rb"[^\W\d]\w*|\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|\n[ \t]*|[ \t]+|[-+*/%=<>!:]+|.", re.DOTALL)

ODD_TOKENS = [
    *b"( ) [ ] { } : , . ; = == := -> @ * ** not and or in is if elif else for while try except finally with as".split(),
    *b"def class lambda return raise assert del global nonlocal async await yield from import match case type".split(),
    *b"None True 0 1_000 0xFF 1e9 07 1__0 self cls super() print exec ... ' \" ''' \"\"\" f' f'{ } rb' u' t'{x}' \\".split(),
    *(
        b"\n",
        b"\n    ",
        b"\n        ",
        b"\n\t",
        b"\r",
        b"\r\n",
        b"\x0c",
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"#",
        b"# ",
    ),
    *("\u00aa", "\u2160", "\ufb01", "\u200b", "\u202e", "\u2066", "\u0301", "\U0001f600", "\u2028", "\x1b[31m"),
    *(b"# -*- coding: latin-1 -*-\n", b"# coding: utf-16\n", b"# coding: rot13\n", b"import a.b as c\n"),
    *(
        b"except* E:",
        b"match x:\n    case [1, *_]:\n        pass\n",
        b"def f[T: int](x: T) -> T: ...\n",
        b"type X = int\n",
    ),
]
PIECES = [token.encode() if isinstance(token, str) else token for token in ODD_TOKENS]


@cache
def folders() -> list[Files]:
    """The twins that damage is done to: {`base/a.py`: …, `base/b.py`: …, `head/a.py`: …, `head/b.py`: …}."""
    out: list[Files] = []
    for folder in sorted((TESTS / "twins").iterdir()):
        files = {f"{at}/{side}.py": folder / at / f"{side}.py" for at in ("base", "head") for side in "ab"}
        if all(path.exists() for path in files.values()):
            out.append({name: path.read_bytes() for name, path in files.items()})
    return out


Also = Literal["swapped sides miss as much", "no change has no finding", "sides alike have no finding"]
ALSO: tuple[Also, ...] = get_args(Also)

Edit = tuple[int, str, int, int, bytes]
"""Which of the four files (bits), what is cut into pieces, where of 65,536, how many pieces, and what takes their place."""

edits: st.SearchStrategy[Edit] = st.tuples(
    st.integers(1, 15),
    st.sampled_from(["bytes", "tokens", "lines"]),
    st.integers(0, 65_535),
    st.integers(0, 12),
    st.one_of(
        st.sampled_from([b"", b"twice", b"reversed", b"from elsewhere", b"deeper", b"shallower"]),
        st.sampled_from(PIECES),
        st.binary(max_size=4),
    ),
)


def _pieces_of(data: bytes, kind: str) -> list[bytes]:
    if kind == "bytes":
        return [data[at : at + 1] for at in range(len(data))]
    return _TOKEN.findall(data) if kind == "tokens" else data.splitlines(keepends=True)


def edited(data: bytes, edit: Edit) -> bytes:
    """The file after one edit; its first bit field is not looked at."""
    _, kind, where, count, new = edit
    pieces = _pieces_of(data, kind)
    at = where * (len(pieces) + 1) >> 16
    old = pieces[at : at + count]
    if new == b"twice":
        middle = old * 2
    elif new == b"reversed":
        middle = old[::-1]
    elif new == b"from elsewhere":
        other = where * 31 % (len(pieces) + 1)
        middle = pieces[other : other + count]
    elif new == b"deeper":
        middle = [b"    " + piece for piece in old]
    elif new == b"shallower":
        middle = [piece.removeprefix(b"    ") for piece in old]
    else:
        middle = [new]
    return b"".join([*pieces[:at], *middle, *pieces[at + count :]])


@st.composite
def changes(draw: st.DrawFn) -> tuple[Files, Files, Also]:
    """Base and head of one change, damaged, and what is to be tried of it besides."""
    files = draw(st.sampled_from(folders()))
    versions = [files[name] for name in ("base/a.py", "base/b.py", "head/a.py", "head/b.py")]
    if draw(st.booleans()):  # a piece of them: damage lies closer together, and more of it is tried in the same time
        start, count = draw(st.integers(0, 40)), draw(st.integers(3, 30))
        versions = [b"".join(data.splitlines(keepends=True)[start : start + count]) for data in versions]
    if draw(st.booleans()):
        versions[2:] = versions[:2]
    for edit in draw(st.lists(edits, min_size=1, max_size=5)):
        versions = [edited(data, edit) if edit[0] >> bit & 1 else data for bit, data in enumerate(versions)]
    base, head = ({"a.py": a, "b.py": b} for a, b in (versions[:2], versions[2:]))
    return base, head, draw(st.sampled_from(ALSO))


# What has to hold. -------------------------------------------------------------------------------------------------


def hold_all(base: Files, head: Files, also: Also) -> Report:
    """Fails where something that holds for every change does not hold for this one; else its report."""
    report = check_change(RULES, change_between(base, head))
    _is_whole(report, base, head)
    if also == "swapped sides miss as much":
        # Sides alike, of which one moves. Else names are learnt and causes are joined by the order of sides.
        alike, moved = {"a.py": base["a.py"], "b.py": base["a.py"]}, {"a.py": head["a.py"], "b.py": base["a.py"]}
        found = [check_change(rules, change_between(alike, moved)) for rules in (RULES, SWAPPED)]
        assert _missed(found[0]) == _missed(found[1]), [each.findings for each in found]
    elif also == "no change has no finding":
        still = change_between(head, head)
        touched = tuple(ChangedPath(path, path) for path in head)
        assert not _seen(check_change(RULES, Change("0" * 40, "1" * 40, still.base, still.head, touched)))
    else:
        before, after = ({"a.py": files["a.py"], "b.py": files["a.py"]} for files in (base, head))
        assert not _seen(check_change(RULES, change_between(before, after)))
    return report


def _seen(report: Report) -> list[Finding]:
    """What is no matter of reading."""
    return [each for each in report.findings if each.verdict != "unknown"]


def _missed(report: Report) -> Counter[str]:
    return Counter(each.verdict for each in report.findings if each.verdict in ("missed", "unknown"))


def _is_whole(report: Report, base: Files, head: Files) -> None:
    verdicts = {each.verdict for each in report.findings if each.blocks}
    drift = bool(verdicts & {"missed", "diverged", "broken"})
    assert report.conclusion == ("drift" if drift else "unknown" if "unknown" in verdicts else "in_step")
    assert len({each.fingerprint for each in report.findings}) == len(report.findings)
    for each in report.findings:
        assert "internal error" not in each.message, each.message
        assert each.message
        assert each.changed is not None
        for place in (each.changed, each.counterpart):
            if place is not None:
                _is_inside(place, base, head)
    text = render(report, "text", View(lambda path: tuple(head[path].decode("utf-8", "replace").split("\n"))))
    assert text.replace("\n", "").isprintable()
    assert len(json.loads(render(report, "json", View()))["findings"]) == len(report.findings)


def _is_inside(place: Place, base: Files, head: Files) -> None:
    assert place.path == f"{place.side}.py"
    most = max(files[place.path].count(b"\n") + files[place.path].count(b"\r") for files in (base, head)) + 2
    assert 1 <= place.line <= most, (place, most)
    assert place.line - 1 <= place.end_line <= most, (place, most)
