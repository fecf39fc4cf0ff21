"""How declared rules are asked and judged, whatever their kind: modes, days, twins that are left alone, failures."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from memory_tree import change_between, rules_from

from consistency_bot.check import check_change
from consistency_bot.facts import patch_calls
from consistency_bot.model import Change, Report
from consistency_bot.report import View, render
from consistency_bot.rules import load_rules

ROOT = Path(__file__).parent.parent
PATCHED = b"def start():\n    apply_patch()\n    return 1\n"
BARE = b"def start():\n    return 1\n"
OTHER = b"def start():\n    apply_patch()\n    return 2\n"
TWINS = "version: 1\ntwins:\n  - {id: pair, sides: {a: a.py, b: b.py}}\n"
RULE = "rules:\n  - {id: patches, twins: pair, check: patch_calls, names: apply_patch}\n"


def judged(text: str, change: Change, *, everything: bool = False, today: date | None = None) -> Report:
    return check_change(rules_from(text), change, everything, today)


BROKEN = change_between({"a.py": PATCHED, "b.py": PATCHED}, {"a.py": PATCHED, "b.py": BARE})
STANDING = change_between({"a.py": PATCHED, "b.py": BARE}, {"a.py": OTHER, "b.py": BARE.replace(b"1", b"2")})


def of_rule(report: Report) -> list[tuple[str, bool]]:
    return [(each.verdict, each.blocks) for each in report.findings if each.rule == "patches"]


@pytest.mark.parametrize(
    ("of_twins", "of_the_rule", "found"),
    [
        ("", "", [("broken", True)]),
        (", mode: warn", "", [("broken", False)]),
        (", mode: warn", ", mode: block", [("broken", True)]),
        ("", ", mode: warn", [("broken", False)]),
        ("", ", mode: off", []),
        (", mode: off", ", mode: block", []),
    ],
)
def test_a_rule_has_the_mode_of_its_twins_unless_it_has_its_own(
    of_twins: str, of_the_rule: str, found: list[tuple[str, bool]]
) -> None:
    text = TWINS.replace("b.py}", "b.py}" + of_twins) + RULE.replace("apply_patch}", "apply_patch" + of_the_rule + "}")
    assert of_rule(judged(text, BROKEN)) == found


def test_the_report_says_which_rules_were_asked_and_what_was_broken_before() -> None:
    report = judged(TWINS + RULE, STANDING)
    assert of_rule(report) == []
    (asked,) = report.rules_checked
    assert (asked.id, asked.twins, asked.check, asked.standing, asked.undecided) == (
        "patches",
        "pair",
        "patch_calls",
        1,
        0,
    )
    assert of_rule(judged(TWINS + RULE, STANDING, everything=True)) == [("standing", False)]


def test_twins_that_the_change_leaves_alone_are_asked_with_all_only() -> None:
    files = {"a.py": PATCHED, "b.py": BARE, "c.py": BARE}
    change = change_between(files, {**files, "c.py": PATCHED})
    assert judged(TWINS + RULE, change).rules_checked == ()
    report = judged(TWINS + RULE, change, everything=True)
    assert of_rule(report) == [("standing", False)]
    (checked,) = report.twins_checked
    assert checked.modified == ()
    assert report.conclusion == "in_step"


def test_what_differs_between_twins_that_the_change_leaves_alone_is_listed_with_all_only() -> None:
    files = {"a.py": PATCHED, "b.py": BARE, "c.py": BARE}
    change = change_between(files, {**files, "c.py": PATCHED})
    assert judged(TWINS, change).findings == ()
    (finding,) = judged(TWINS, change, everything=True).findings
    assert (finding.rule, finding.verdict, finding.blocks) == ("bodies", "standing", False)
    assert (
        "1 unit differs as before between a in `start` (a.py:1) and b in `start` (b.py:1): a alone says `apply_"
        in finding.message
    )


def test_functions_that_one_side_alone_has_are_told_together() -> None:
    files = {
        "a.py": b"def f():\n    pass\n\n\ndef g():\n    call(1)\n\n\ndef h():\n    go(2)\n",
        "b.py": b"def f():\n    pass\n",
    }
    (finding,) = judged(TWINS, change_between(files, files), everything=True).findings
    assert finding.message == (
        "a alone has, as before, `g` (a.py:5) and `h` (a.py:9): nothing on the other side plays that part."
    )
    assert (finding.verdict, finding.counterpart) == ("standing", None)


def test_a_side_that_cannot_be_read_is_told_once_and_the_rule_is_not_asked() -> None:
    change = change_between({"a.py": PATCHED, "b.py": PATCHED}, {"a.py": PATCHED, "b.py": b"def start(:\n"})
    report = judged(TWINS + RULE, change)
    assert [(each.rule, each.verdict) for each in report.findings] == [("bodies", "unknown")]
    assert report.rules_checked[0].unasked == "b cannot be read: syntax error"
    assert "| `patches` | `pair` | **undecided** | not asked: a side cannot be read |" in render(
        report, "markdown", View()
    )


def test_an_internal_error_of_a_kind_is_unknown_for_its_rule_and_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(rule: object, side: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(patch_calls, "read", fail)
    report = judged(TWINS + RULE, BROKEN)
    assert of_rule(report) == [("unknown", True)]
    assert "an internal error of consistency-bot (ZeroDivisionError)" in report.findings[-1].message
    assert [each.verdict for each in report.findings if each.rule == "bodies"] == ["missed"]


def test_that_exceptions_have_expired_is_told_after_their_last_day_and_not_before() -> None:
    rule = RULE.replace("apply_patch}", "apply_patch, only: {a: {apply_patch: why}}, expires: 2026-06-30}")
    change = change_between({"a.py": PATCHED, "b.py": BARE}, {"a.py": OTHER, "b.py": BARE.replace(b"1", b"2")})
    assert of_rule(judged(TWINS + rule, change, today=date(2026, 6, 30))) == []
    report = judged(TWINS + rule, change, today=date(2026, 7, 1))
    assert of_rule(report) == [("broken", True)]
    assert "expired after 2026-06-30" in next(each.message for each in report.findings if each.rule == "patches")


def test_a_waiver_in_the_rules_file_may_name_a_rule() -> None:
    waiver = "waivers:\n  - {rule: patches, where: b.py, reason: b is started by a}\n"
    report = judged(TWINS + RULE + waiver, BROKEN)
    (found,) = [each for each in report.findings if each.rule == "patches"]
    assert (found.blocks, found.waived is not None) == (False, True)


def test_a_breach_keeps_its_fingerprint_while_lines_move_and_it_turns_old() -> None:
    def fingerprint(change: Change, *, everything: bool = False) -> list[str]:
        report = judged(TWINS + RULE, change, everything=everything)
        return [each.fingerprint for each in report.findings if each.rule == "patches"]

    moved = change_between(
        {"a.py": PATCHED, "b.py": b"import os\n\n\n" + BARE}, {"a.py": OTHER, "b.py": b"import os\n" + BARE}
    )
    assert fingerprint(BROKEN) == fingerprint(moved, everything=True) != []


LOOPING = b"""\
def pick(devices, kind):
    match kind:
        case {"name": name}:
            return name
    for device in devices:
        if device.is_free:
            return device
    raise RuntimeError("no device is free")
"""


def test_a_breach_about_a_loop_that_moves_down_is_the_same_breach() -> None:
    rule = TWINS + "rules:\n  - {id: refusals, twins: pair, check: guards}\n"
    base = {"a.py": LOOPING, "b.py": LOOPING.replace(b"in devices", b"in reversed(devices)")}
    header, noted = b"kind):\n", b"kind):\n    # more\n"
    moved = change_between(base, {path: data.replace(header, noted) for path, data in base.items()})
    report = judged(rule, moved)
    assert report.findings == ()
    assert [each.undecided for each in report.rules_checked] == [1]


@pytest.mark.parametrize(
    ("top", "line"),
    [
        (b"", 1),
        (b'"""What it does,\n\nand why."""\n\n', 4),
        (b"# a remark\nimport os\nfrom sys import (\n    path,\n)\n\nX = 1\n", 6),
    ],
)
@pytest.mark.parametrize("rule", ["check: environment, names: FAST", "check: present, regex: environ.*FAST"])
def test_what_stands_nowhere_near_goes_behind_the_docstring_and_the_imports(top: bytes, line: int, rule: str) -> None:
    there, here = b"import os\n\nFAST = os.environ['FAST']\n", top + b"def start():\n    return 1\n"
    files = {"a.py": there, "b.py": here}
    report = judged(
        TWINS + f"rules:\n  - {{id: p, twins: pair, {rule}}}\n", change_between(files, files), everything=True
    )
    (place,) = [each.changed for each in report.findings if each.rule == "p"]
    assert place is not None
    assert (place.path, place.line, place.end_line) == ("b.py", line, line - 1)


@pytest.mark.parametrize(
    ("refuse", "found"), [("n < 2", []), ("n < 4", ["standing"]), ("few", []), ("m < 2", ["standing"])]
)
def test_a_wider_limit_refuses_what_a_narrower_one_does(refuse: str, found: list[str]) -> None:
    files = {
        "a.py": b"def f(m, n):\n    assert n >= 5\n    assert m >= 2\n",
        "b.py": b"def f(m, n):\n    assert n >= 3\n",
    }
    text = (
        TWINS + "atoms: {few: [n < 2]}\n" + f"rules:\n  - {{id: p, twins: pair, check: guards, refuse: ['{refuse}']}}\n"
    )
    report = judged(text, change_between(files, files), everything=True)
    assert [each.verdict for each in report.findings if each.rule == "p"] == found


def test_a_file_that_changes_alone_is_shown_as_a_file() -> None:
    rule = TWINS + "rules:\n  - {id: notes, twins: pair, check: cochange, any_of: NOTES.md}\n"
    report = judged(rule, BROKEN)
    assert "b.py:1 (the file as a whole)" in render(report, "text", View())


ASKING = b"""\
class Client:
    def get(self, url):
        answer = self.session.post(url)
        if answer.status_code == 429:
            return None
        return self._parse(answer)

    def _parse(self, answer):
        if not answer.body:
            raise ValueError("no body")
        return answer.body
"""
ASKING_TOO = ASKING.replace(b"status_code", b"head.status").replace(b"def get", b"async def get")


@pytest.mark.parametrize(
    ("here", "there", "found"),
    [
        (b"503", b"503", []),
        (b"503", b"502", [("undecided", False)]),
        (b"503", b"429", [("undecided", False)]),
    ],
)
def test_a_doubt_that_stood_is_no_news_where_both_sides_change_alike(
    here: bytes, there: bytes, found: list[tuple[str, bool]]
) -> None:
    rule = TWINS + "rules:\n  - {id: patches, twins: pair, check: guards}\n"
    base = {"a.py": ASKING, "b.py": ASKING_TOO.replace(b"= self.session", b"= await self.session")}
    head = {"a.py": base["a.py"].replace(b"429", here), "b.py": base["b.py"].replace(b"429", there)}
    report = judged(rule, change_between(base, head))
    assert of_rule(report) == found
    assert [each.undecided for each in report.rules_checked] == [1 - len(found)]


def test_what_the_heads_rules_file_would_change_about_rules_is_told() -> None:
    change = change_between({"rules.yaml": (TWINS + RULE).encode()}, {"rules.yaml": TWINS.encode()})
    assert "removes rule patches" in load_rules(change, None).notes[0]


def test_without_rules_nothing_of_the_kinds_is_loaded() -> None:
    program = (
        "import sys; sys.path[:0] = ['tests']; from memory_tree import change_between as c;"
        "from consistency_bot.check import check_change; from consistency_bot.rules import RulesText, load_rules;"
        f"t = RulesText('rules.yaml', {TWINS.encode()!r}); d = c({{'a.py': b'x = 1', 'b.py': b'x = 1'}}, {{'a.py': b'x = 2', 'b.py': b'x = 1'}});"
        "check_change(load_rules(d, t), d); print(*[n for n in sys.modules if 'consistency_bot.facts' in n or n.endswith('judge.rules')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert not done.stdout.split()
