"""Sides that are not Python: the same verdicts, line by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Comments, Report, Rules, RulesSource, Side, Twins
from consistency_bot.syntax.lines import Lines, comment_sign

YAML = b"""\
# How the small model is trained.
model:
  name: small
  layers: 12      # as published
train:
  batch: 32
  rate: 0.001
  steps:
    - warm: 100
    - hold: 900
save:
  every: 50
  keep: 3
"""
CPP = b"""\
#include "worker.h"

/* One step.
   Twice per batch. */
int step(Batch& batch, int limit) {
    if (batch.size() > limit) {
        throw TooLarge(batch.size());
    }
    queue.push(batch);  // takes it over
    return queue.size();
}
"""


def report_of(
    base: dict[str, bytes], head: dict[str, bytes], comments: Comments = "ignore", **sides: str | tuple[str, ...]
) -> Report:
    made = tuple(Side(name, (text,) if isinstance(text, str) else text) for name, text in sides.items())
    twins = Twins("pair", made, comments=comments)
    return check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change_between(base, base | head))


def verdicts_of(
    text: bytes, other: bytes, edited: bytes, other_edited: bytes | None = None, name: str = "x.yaml"
) -> list[str]:
    """The verdicts where side `a` goes from `text` to `edited` and side `b` from `other` to `other_edited`."""
    base = {f"a/{name}": text, f"b/{name}": other}
    head = {f"a/{name}": edited, f"b/{name}": other if other_edited is None else other_edited}
    return [each.verdict for each in report_of(base, head, a=f"a/{name}", b=f"b/{name}").findings]


RATE = YAML.replace(b"0.001", b"0.002")
OTHER_RATE = YAML.replace(b"0.001", b"0.003")
LOST = YAML.replace(b"  batch: 32\n", b"")
MORE = YAML.replace(b"  batch: 32\n", b"  batch: 32\n  clip: 1.0\n")


@pytest.mark.parametrize(
    ("texts", "verdicts"),
    [
        ((YAML, YAML, RATE, None), ["missed"]),
        ((YAML, YAML, LOST, None), ["missed"]),
        ((YAML, YAML, MORE, None), ["missed"]),
        ((YAML, YAML, RATE, RATE), []),
        ((YAML, YAML, MORE, MORE.replace(b"1.0", b"2.0")), ["diverged"]),
        ((RATE, YAML, YAML, None), ["repaired"]),
        ((RATE, YAML, RATE.replace(b"keep: 3", b"keep: 4"), YAML.replace(b"keep: 3", b"keep: 4")), []),
        ((LOST, YAML, YAML, None), ["repaired"]),
    ],
    ids=[
        "one changed",
        "one lost",
        "one added",
        "both changed",
        "both added unlike",
        "caught up",
        "as before",
        "regained",
    ],
)
def test_the_end_states_of_lines_are_judged_as_those_of_code(
    texts: tuple[bytes, bytes, bytes, bytes | None], verdicts: list[str]
) -> None:
    assert verdicts_of(*texts) == verdicts


def test_a_finding_names_both_lines() -> None:
    base = {"a.yaml": YAML, "b.yaml": YAML}
    (finding,) = report_of(base, {"a.yaml": RATE}, a="a.yaml", b="b.yaml").findings
    assert finding.concept == "line"
    assert finding.changed is not None
    assert finding.counterpart is not None
    assert (finding.changed.line, finding.changed.end_line, finding.changed.function) == (7, 7, None)
    assert (finding.counterpart.path, finding.counterpart.line) == ("b.yaml", 7)
    assert finding.message == (
        "a changed the line `rate: 0.001` to `rate: 0.002` in the file (a.yaml:7);"
        " b still says `rate: 0.001` in the file (b.yaml:7)."
    )


@pytest.mark.parametrize(
    "edited",
    [
        YAML.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + YAML,
        YAML.replace(b"  ", b"    "),
        YAML.replace(b"name: small", b"name:   small  "),
        YAML.replace(b"save:", b"\n\nsave:"),
        YAML.replace(b"as published", b"as they say"),
        YAML.replace(b"# How the small model is trained.\n", b""),
    ],
    ids=["line ends", "byte order mark", "indentation", "spaces", "empty lines", "comment behind", "comment line"],
)
def test_what_is_laid_out_otherwise_says_the_same(edited: bytes) -> None:
    assert verdicts_of(YAML, YAML, edited) == []


def test_a_sign_of_a_comment_inside_quotes_or_a_word_begins_none() -> None:
    text = b"a: \"x # y\"\nb: http://one#top\nc: '# z'\nd: 1\n"
    for old, new in ((b"# y", b"# w"), (b"#top", b"#end"), (b"# z", b"# v")):
        assert verdicts_of(text, text, text.replace(old, new)) == ["missed"]


def test_comments_count_where_the_rules_say_so() -> None:
    base = {"a.yaml": YAML, "b.yaml": YAML}
    for edited in (YAML.replace(b"as published", b"as they say"), YAML.replace(b"the small model", b"a model")):
        report = report_of(base, {"a.yaml": edited}, "compare", a="a.yaml", b="b.yaml")
        assert [(each.verdict, each.concept) for each in report.findings] == [("missed", "comment")]
        assert report_of(base, {"a.yaml": edited, "b.yaml": edited}, "compare", a="a.yaml", b="b.yaml").findings == ()


def test_code_in_another_language_is_compared_without_its_comments() -> None:
    edited = CPP.replace(b"Twice", b"Once").replace(b"takes it over", b"keeps it")
    assert verdicts_of(CPP, CPP, edited, name="x.cpp") == []
    assert verdicts_of(CPP, CPP, CPP.replace(b"> limit", b">= limit"), name="x.cpp") == ["missed"]
    assert verdicts_of(CPP, CPP, CPP.replace(b"    queue.push(batch);  // takes it over\n", b""), name="x.cpp") == [
        "missed"
    ]
    assert verdicts_of(CPP, CPP, CPP.replace(b'#include "worker.h"', b"#include <worker.h>"), name="x.cpp") == [
        "missed"
    ]


@pytest.mark.parametrize(
    ("path", "sign"),
    [
        ("a/b.yml", "#"),
        ("Dockerfile", "#"),
        ("docker/Dockerfile.gpu", "#"),
        ("requirements-dev.txt", "#"),
        ("x.cu", "//"),
        ("q.sql", "--"),
        ("notes.txt", ""),
        ("README.md", ""),
        ("no-ending", ""),
        (".gitignore", "#"),
    ],
)
def test_the_sign_of_a_comment_is_known_by_the_name_of_the_file(path: str, sign: str) -> None:
    assert comment_sign(path) == sign


def test_names_declared_to_be_one_are_one_in_lines_too() -> None:
    base = {"a.yaml": b"use: nccl\nport: 1\nsize: 2\n", "b.yaml": b"use: gloo\nport: 1\nsize: 2\n"}
    sides = (Side("a", ("a.yaml",)), Side("b", ("b.yaml",)))
    head = {"a.yaml": b"use: mpi\nport: 1\nsize: 2\n"}
    for same, expected in (((("nccl", "gloo"),), ["missed"]), ((), ["one_sided"])):
        twins = Twins("pair", sides, same=same)
        change = change_between(base, base | head)
        found = check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change).findings
        assert [each.verdict for each in found] == expected


def test_values_that_differ_are_not_learnt_to_be_one_name() -> None:
    text = b"first: 1\nuse: nccl\nport: 1\nsize: 2\n"
    other = text.replace(b"nccl", b"gloo")
    assert "missed" not in verdicts_of(text, other, text.replace(b"nccl", b"mpi"))


def test_files_of_folders_are_paired_by_their_names() -> None:
    base = {f"{side}/{name}": YAML + b"# " + name.encode() for side in "ab" for name in ("one.yaml", "two.yaml")}
    report = report_of(base, {"a/two.yaml": RATE}, a="a/*.yaml", b="b/*.yaml")
    assert [(each.verdict, each.counterpart and each.counterpart.path) for each in report.findings] == [
        ("missed", "b/two.yaml")
    ]


def test_files_with_too_little_in_common_are_a_notice_where_one_moves_alone() -> None:
    other = b"\n".join(b"word%d: %d" % (number, number) for number in range(20))
    base = {"a.yaml": YAML, "b.yaml": other}
    (finding,) = report_of(base, {"a.yaml": RATE}, a="a.yaml", b="b.yaml").findings
    assert (finding.verdict, finding.blocks) == ("undecided", False)
    assert finding.message == (
        "a changed a.yaml, b (b.yaml) did not; line by line they have too little in common to tell whether it has to."
    )
    assert report_of(base, {"a.yaml": RATE, "b.yaml": other + b"\nz: 1"}, a="a.yaml", b="b.yaml").findings == ()


def test_python_is_held_against_another_kind_of_file_line_by_line() -> None:
    code = b"rate = 0.001\nbatch = 32\nsteps = 100\nkeep = 3\n"
    base = {"a.py": code, "b.toml": code}
    report = report_of(base, {"a.py": code.replace(b"32", b"64")}, a="a.py", b="b.toml")
    assert [each.verdict for each in report.findings] == ["missed"]
    assert (
        report_of(base, {"a.py": code.replace(b"32", b"64  # more")}, a="b.toml", b="a.py").findings[0].verdict
        == "missed"
    )


def test_in_a_group_python_is_read_as_python_against_python() -> None:
    code = b"rate = 0.001\nbatch = max(\n    32, 1\n)\nsteps = 100\nkeep = 3\n"
    base = {"a.py": code, "b.py": code.replace(b"max(\n    32, 1\n)", b"max(32, 1)"), "c.toml": code}
    report = report_of(base, {"a.py": code.replace(b"keep = 3", b"keep = 4")}, a="a.py", b="b.py", c="c.toml")
    assert [(each.verdict, each.concept, each.counterpart and each.counterpart.side) for each in report.findings] == [
        ("missed", "constant", "b"),
        ("missed", "line", "c"),
    ]


def test_a_stub_is_read_as_python() -> None:
    code = b"def send(text: str, limit: int = 3) -> int:\n    check(text)\n    return post(text, limit)\n"
    stub = b"def send(text: str, limit: int = 3) -> int: ...\n"
    base = {"a.py": code, "a.pyi": stub}
    assert [
        each.verdict for each in report_of(base, {"a.py": code.replace(b"= 3", b"= 4")}, a="a.py", b="a.pyi").findings
    ] == ["missed"]
    report = report_of(base, {"a.py": code.replace(b"check(text)", b"verify(text)")}, a="a.py", b="a.pyi")
    assert not any(each.blocks for each in report.findings)


def test_all_lists_standing_lines_and_counts_them() -> None:
    twins = Twins("pair", (Side("a", ("a.yaml",)), Side("b", ("b.yaml",))))
    change = change_between(
        {"a.yaml": YAML, "b.yaml": OTHER_RATE}, {"a.yaml": YAML + b"z: 1\n", "b.yaml": OTHER_RATE + b"z: 1\n"}
    )
    report = check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change, show_standing=True)
    assert [each.verdict for each in report.findings] == ["standing"]
    assert report.findings[0].message.startswith("2 units differ as before between a in the file (a.yaml:1) and b")
    assert (report.twins_checked[0].units, report.twins_checked[0].agreeing) == (26, 24)


@given(st.binary(max_size=80))
def test_any_text_is_read_and_every_line_that_says_something_is_a_unit(data: bytes) -> None:
    try:
        lines = Lines("x.yaml", data)
    except ValueError:
        return
    (definition,) = lines.definitions
    assert all(1 <= unit.line <= len(lines.lines) and unit.terms for unit in definition.units)
