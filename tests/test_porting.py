"""Ports as files and patches: what is written stays the file that it was, and git takes the diff."""

import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Change, Report, Rules, RulesSource, Side, Twins
from consistency_bot.port.decisions import Edit
from consistency_bot.porting import Ports, again, with_ports
from consistency_bot.porting.diffs import unified_diff
from consistency_bot.porting.rewriting import Unwritable, rewritten
from consistency_bot.porting.soundness import without_waivers

NAMES = [
    "plain.py",
    "odd name.py",
    ' lead and "quotes".py',
    "tab\there.py",
    "back\\slash.py",
    "größe.py",
    "line\nbreak.py",
    "\udcff.py",
    "\x1b[31m.py",
]
LINES = [
    b"a\n",
    b"b\r\n",
    b"form\x0cfeed\n",
    b"\xff\xfe\n",
    b"\n",
    b"\ttab\n",
    b"\xe2\x80\xa8\n",
    b"@@ -1 +1 @@\n",
    b"-- x\n",
]


def _random_change(seed: int) -> tuple[bytes, bytes]:
    chance = random.Random(seed)
    old = [chance.choice(LINES) for _ in range(chance.randint(1, 40))]
    new = list(old)
    for number in range(chance.randint(1, 4)):
        at = chance.randint(0, len(new))
        new[at : at + chance.randint(0, 2)] = [b"new %d\n" % number] * chance.randint(0, 2)
    ends = chance.choice([(b"", b""), (b"x", b"x"), (b"x", b""), (b"", b"x"), (b"x", b"x\n"), (b"y", b"z")])
    return b"".join(old) + ends[0], b"".join(new) + ends[1] + b"end\n" * (chance.random() < 0.3)


@pytest.mark.parametrize("name", NAMES)
def test_git_takes_the_diff_whatever_the_file_is_called_and_holds(name: str, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for seed in range(12):
        old, new = _random_change(seed)
        Path(tmp_path, os.fsdecode(os.fsencode(name))).write_bytes(old)
        patch = unified_diff(name, old, new).encode("utf-8", "surrogateescape")
        if old == new:
            assert not patch
            continue
        done = subprocess.run(
            ["git", "-C", str(tmp_path), "apply", "--whitespace=nowarn"], input=patch, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert Path(tmp_path, name).read_bytes() == new


@pytest.mark.parametrize(
    ("raw", "edited"),
    [
        (b"a = 1\nb = 2\n", b"a = 1\nb = 3\n"),
        (b"a = 1\r\nb = 2\r\n", b"a = 1\r\nb = 3\r\n"),
        (b"a = 1\r\nb = 2", b"a = 1\r\nb = 3"),
        (b"a = 1\nb = 2\rc = 1\r\n", b"a = 1\nb = 3\nc = 1\r\n"),
        (b"\xef\xbb\xbfa = 1\nb = 2\n", b"\xef\xbb\xbfa = 1\nb = 3\n"),
        (b"# coding: latin-1\na = '\xe4'\nb = 2\n", b"# coding: latin-1\na = '\xe4'\nb = 3\n"),
        (b"a = '\x0c'\nb = 2\n", b"a = '\x0c'\nb = 3\n"),
    ],
)
def test_every_byte_but_those_of_the_edit_stays(raw: bytes, edited: bytes) -> None:
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    assert rewritten(raw, text.replace("b = 2", "b = 3")) == edited


def test_a_new_line_ends_as_the_one_before_it() -> None:
    assert rewritten(b"a\r\nb\r\n", "a\nnew\nb\n") == b"a\r\nnew\r\nb\r\n"
    assert rewritten(b"a\r\n", "new\na\n") == b"new\r\na\r\n"


def test_what_an_encoding_lacks_is_not_written() -> None:
    with pytest.raises(Unwritable, match="cannot be said in latin-1"):
        rewritten(b"# coding: latin-1\na = 1\n", "# coding: latin-1\na = '\u20ac'\n")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("    # consistency: differs(call) It is meant so here.\n    a()\n", "    a()\n"),
        ("    a()  # Consistency : differs(call) so\n", "    a()\n"),
        ("    a()  # in the interest of consistency\n", "    a()  # in the interest of consistency\n"),
    ],
)
def test_an_acknowledgement_is_not_ported(text: str, left: str) -> None:
    assert without_waivers(Edit(0, 0, text), "").text == left


def test_an_acknowledgement_that_is_there_already_stays() -> None:
    text = "a(1)  # consistency: differs(call) so\n"
    assert without_waivers(Edit(0, len(text), text.replace("1", "2")), text).text == text.replace("1", "2")


def test_a_report_has_twenty_ports_at_most_and_says_what_makes_the_others() -> None:
    rules, change = _change_of(22)
    findings = with_ports(check_change(rules, change), rules, change).findings
    assert [each.port is not None for each in findings] == [True] * 20 + [False] * 2
    assert "the command `port` makes it" in str(findings[-1].port_declined)


def _change_of(count: int) -> tuple[Rules, Change]:
    """So many functions, the same on both sides, of each of which one side changes a line."""
    text = "".join(f"def f{at}(a):\n    b = a.size\n    b.use({at})\n    return b\n\n\n" for at in range(count))
    base = {"a.py": text.encode(), "b.py": text.encode()}
    head = base | {"a.py": re.sub(r"use\((\d+)\)", r"use(\1 + 1)", text).encode()}
    rules = Rules((Twins("t", (Side("a", ("a.py",)), Side("b", ("b.py",)))),), RulesSource("rules.yaml", "file"))
    return rules, change_between(base, head)


def test_many_ports_are_judged_together_and_say_so_once_fifty_were_judged_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, change = _change_of(53)
    report = check_change(rules, change)
    times = list[Change]()

    def counted(rules: Rules, change: Change) -> Report:
        times.append(change)
        return check_change(rules, change)

    monkeypatch.setattr(again, "check_change", counted)
    made = Ports(report, rules, change).of(report.findings)
    assert [each.port.safety for each in made if each.port] == ["safe"] * 50 + ["needs_review"] * 3
    assert made[-1].port is not None
    assert "judged together with the others only" in made[-1].port.why
    assert len(times) == 51


def test_many_ports_that_are_no_cure_together_are_not_called_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, change = _change_of(53)
    report = check_change(rules, change)
    monkeypatch.setattr(again, "check_change", lambda *_: report)
    made = Ports(report, rules, change).of(report.findings)
    assert not any(each.port for each in made)
    assert "not judged" in made[-1].declined
