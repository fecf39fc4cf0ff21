"""The comment on a pull request. What it looks like is in `golden/markdown-*.md`."""

from pathlib import Path

import msgspec
import pytest
from reports import HOSTILE, HOSTILE_PATH, NOTHING, REPORT, V1, V2, finding, lines

from consistency_bot.model import Finding, Place, Port, Report, TwinsChecked, Waived
from consistency_bot.report import Links, View, render
from consistency_bot.report.markdown import BUDGET

GOLDEN = Path(__file__).parent / "golden"
LINKS = Links("https://github.com/owner/name", "a" * 40)
CHANGED, COUNTERPART = Place("v2", V2, 4, 5, "WorkerV2.train"), Place("v1", V1, 11, 10, "Worker.train")
MISSED = finding("missed", CHANGED, COUNTERPART)


def with_findings(*findings: Finding, report: Report = REPORT) -> Report:
    return msgspec.structs.replace(report, findings=findings, smoke=())


@pytest.mark.parametrize(
    ("name", "report", "view"),
    [
        ("markdown-all-verdicts", REPORT, View(lines)),
        ("markdown-links", msgspec.structs.replace(REPORT, head="a" * 40), View(lines, links=LINKS)),
        ("markdown-nothing", NOTHING, View()),
        ("markdown-hostile", HOSTILE, View(lambda _: (HOSTILE_PATH,))),
    ],
)
def test_the_comment_is_the_golden_one(name: str, report: Report, view: View) -> None:
    assert render(report, "markdown", view) == (GOLDEN / f"{name}.md").read_text("utf-8")


def test_the_verdict_comes_first() -> None:
    assert render(REPORT, "markdown", View(lines)).startswith("### Drift: 2 findings block\n")


def test_where_all_is_in_step_it_is_one_line_that_names_what_was_looked_at() -> None:
    (line,) = render(with_findings(), "markdown", View(lines)).splitlines()
    assert line.startswith(
        "**In step.** Checked `WORKTREE` against `0123456789ab`: `worker` (`v2` modified), `clients`"
    )


def test_what_needs_no_look_is_folded_away_below_that_line() -> None:
    one_sided = finding("one_sided", CHANGED, None)
    text = render(with_findings(one_sided), "markdown", View(lines))
    first, _, folded = text.partition("\n")
    assert first.startswith("**No drift; 1 finding is one-sided.** Checked ")
    assert folded.strip().startswith("<details><summary>1 one-sided: nothing here blocks</summary>")


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({"blocks": False}, "### Drift, but nothing blocks"),
        ({"blocks": True, "verdict": "unknown"}, "### Not judged: 1 finding blocks"),
        ({"blocks": False, "verdict": "undecided"}, "### In step, as far as could be decided"),
        ({"blocks": False, "waived": Waived("code", "ada", "x")}, "**In step but for 1 acknowledged.**"),
        ({"blocks": False, "verdict": "one_sided"}, "**No drift; 1 finding is one-sided.**"),
        ({"blocks": False, "verdict": "repaired"}, "**In step.**"),
    ],
)
def test_the_headline_says_no_more_than_is_known(changed: dict[str, object], verdict: str) -> None:
    text = render(with_findings(msgspec.structs.replace(MISSED, **changed)), "markdown", View(lines))
    assert text.startswith(verdict)


def test_what_is_one_sided_and_what_is_acknowledged_are_both_in_the_headline() -> None:
    one_sided, waived = finding("one_sided", CHANGED, None), Waived("code", "ada", "x")
    acknowledged = msgspec.structs.replace(MISSED, blocks=False, waived=waived)
    text = render(with_findings(one_sided, one_sided, acknowledged), "markdown", View(lines))
    assert text.startswith("**No drift; 2 findings are one-sided, 1 acknowledged.**")


@pytest.mark.parametrize(
    ("last", "shown"), [(1, "a = f(\n    1,\n)"), (2, "a = f(\n    1,\n)"), (3, "a = f(\n    1,\n)"), (4, "b = 2")]
)
def test_a_place_that_names_a_statements_first_lines_shows_the_whole_of_it(last: int, shown: str) -> None:
    file = ("a = f(", "    1,", ")", "b = 2")
    place = Place("v2", V2, 1 if last < 4 else 4, last)
    text = render(with_findings(finding("missed", place, None)), "markdown", View(lambda _: file))
    assert f"```python\n{shown}\n```" in text


def test_a_bracket_that_nothing_closes_shows_a_few_lines_at_most() -> None:
    place = Place("v2", V2, 1, 1)
    text = render(with_findings(finding("missed", place, None)), "markdown", View(lambda _: ("a = f(", *["1,"] * 99)))
    assert "```python\na = f(\n```" in text


def test_the_table_has_a_row_for_every_rule_with_its_result_and_reason() -> None:
    text = render(REPORT, "markdown", View(lines))
    assert "| `startup-patches` | `worker` | **fail** | 1 broken; does not block |" in text
    assert "| `bodies` | `clients` | pass | in step |" in text


def test_a_warning_says_that_it_does_not_block_and_why() -> None:
    warned = msgspec.structs.replace(MISSED, blocks=False, twins="clients")
    text = render(with_findings(warned), "markdown", View(lines))
    assert "| `bodies` | `clients` | **fail** | 1 missed; does not block (mode: warn) |" in text


def test_each_side_says_whether_and_how_it_was_modified() -> None:
    text = render(REPORT, "markdown", View(lines))
    assert f"| `worker` | `v1` | `{V1}` | not modified |" in text
    assert f"|  | `v2` | `{V2}` and 1 more | modified: 3 added, 1 changed |" in text


def test_places_are_links_where_an_address_is_known_and_code_otherwise() -> None:
    view = View(lines, links=LINKS)
    assert f"[`worker_v2.py:4`](https://github.com/owner/name/blob/{'a' * 40}/{V2}#L4-L5)" in render(
        with_findings(MISSED), "markdown", view
    )
    text = render(with_findings(MISSED), "markdown", View(lines))
    assert f"`{V2}:4`" in text
    assert "](" not in text


def test_a_file_that_is_not_there_has_no_link() -> None:
    gone = finding("missed", CHANGED, Place("v1", "workers/no_such_file.py", 3, 3))
    text = render(with_findings(gone), "markdown", View(lines, links=LINKS))
    assert "`workers/no_such_file.py:3`" in text
    assert "no_such_file.py#" not in text


def test_lines_stand_side_by_side_where_there_is_room_and_one_below_the_other_where_not() -> None:
    assert "<table>" in render(with_findings(MISSED), "markdown", View(lines))
    wide = View(lambda path: ("x" * 80,) * 20)
    assert "<table>" not in render(with_findings(MISSED), "markdown", wide)


def test_the_reason_for_the_twins_is_told_once_and_what_to_do_with_each_finding() -> None:
    text = render(with_findings(MISSED, MISSED, MISSED), "markdown", View(lines))
    assert text.count("**Why they are twins:** Two implementations of one worker") == 1
    assert text.count("**Next:**") == 3


def test_an_edited_rules_file_is_told_at_the_top() -> None:
    assert "**This change edits the rules file**" in render(REPORT, "markdown", View(lines)).split("\n\n")[1]


def test_an_acknowledged_finding_says_by_whom_and_why() -> None:
    assert "**Acknowledged** by `ada` in a comment: Until the next release." in render(REPORT, "markdown", View(lines))
    nobody = msgspec.structs.replace(MISSED, blocks=False, waived=Waived("code", "", "Until v3.", V1, 7))
    assert f"**Acknowledged** in `{V1}:7`: Until v3." in render(with_findings(nobody), "markdown", View(lines))


def test_more_than_a_few_blocking_findings_are_folded() -> None:
    text = render(with_findings(*[MISSED] * 7), "markdown", View(lines))
    assert "<details><summary>2 more that block</summary>" in text
    assert text.count("#### missed") == 7


def test_drift_that_only_warns_is_open_where_nothing_blocks_and_folded_where_something_does() -> None:
    warned = msgspec.structs.replace(MISSED, blocks=False)
    assert "<details>" not in render(with_findings(warned), "markdown", View(lines))
    both = render(with_findings(MISSED, warned), "markdown", View(lines))
    assert "<details><summary>1 missed: nothing here blocks</summary>" in both
    many = render(with_findings(*[warned] * 7), "markdown", View(lines))
    assert "<details><summary>2 more that differ</summary>" in many


@pytest.mark.parametrize("blocking", [0, 1, 500])
def test_a_comment_stays_within_its_budget_by_whole_findings_and_says_how_many_are_hidden(blocking: int) -> None:
    others = msgspec.structs.replace(MISSED, blocks=False)
    report = with_findings(*[others] * 500, *[MISSED] * blocking)
    text = render(report, "markdown", View(lambda _: ("y" * 100,) * 9, links=LINKS))
    told = text.count("\n#### missed")
    assert len(text) <= BUDGET
    assert told > 20
    assert text.count("\n#### missed") == text.count("**Next:**")
    cut = max(0, blocking - told)
    some = f", {cut} of them blocking" if cut else ""
    assert f"**{500 + blocking - told} more findings did not fit here{some}**" in text


def test_a_comment_about_very_many_twins_with_very_long_names_stays_within_its_budget() -> None:
    name = "`$|" * 200
    sides: dict[str, tuple[str, ...]] = {f"{name}{side}": (name,) for side in range(30)}
    checked = tuple(TwinsChecked(f"{number}{name}", sides, tuple(sides), why="$" * 900) for number in range(300))
    findings = [msgspec.structs.replace(MISSED, twins=each.id, message="$" * 5000) for each in checked]
    text = render(msgspec.structs.replace(REPORT, findings=tuple(findings), twins_checked=checked), "markdown", View())
    assert len(text) <= BUDGET
    assert "more |" in text
    assert "did not fit here" in text
    in_step = msgspec.structs.replace(REPORT, findings=(), twins_checked=checked)
    assert len(render(in_step, "markdown", View())) <= BUDGET


def test_no_side_is_said_to_be_right() -> None:
    text = render(REPORT, "markdown", View(lines)).lower()
    assert not any(word in text for word in ("bug", "wrong", "incorrect", "should"))


def test_a_long_port_shows_its_beginning_and_says_how_much_more_there_is() -> None:
    ported = msgspec.structs.replace(MISSED, port=Port(V1, "".join(f"+line {n}\n" for n in range(60)), "safe"))
    text = render(with_findings(ported), "markdown", View(lines))
    assert "\n+line 39\n… and 20 more lines\n```" in text


def test_a_side_without_files_says_so() -> None:
    checked = TwinsChecked("worker", {"v1": (), "v2": (V2,)}, ("v1",))
    text = render(msgspec.structs.replace(with_findings(MISSED), twins_checked=(checked,)), "markdown", View())
    assert "| `worker` | `v1` | none | modified |" in text
