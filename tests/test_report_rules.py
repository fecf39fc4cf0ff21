"""How reports tell declared rules: a row for each that was asked, why it is one, and tables side by side."""

import json
from pathlib import Path

import msgspec
import pytest
from payloads import PAYLOADS
from reports import REPORT, V1, V2, lines

from consistency_bot.model import Finding, Place, Report, RuleChecked, Table
from consistency_bot.report import View, render
from consistency_bot.report.results import results_of

GOLDEN = Path(__file__).parent / "golden"
TABLE = Table(
    ("activation_checkpointing", "v1", "v2"),
    (("no", "FLASH, MATH", "FLASH, MATH"), ("yes", "CUDNN, FLASH", "FLASH")),
    ((1, 1),),
)
BACKENDS = Finding(
    rule="cudnn-off",
    twins="worker",
    verdict="broken",
    blocks=True,
    fingerprint="0123456789abcdef",
    concept="sdpa_backends",
    message=f"v1 allows CUDNN ({V1}:3).",
    changed=Place("v1", V1, 3, 3, "Worker.train"),
    counterpart=Place("v2", V2, 4, 4, "WorkerV2.train"),
    table=TABLE,
)
RULES = (
    RuleChecked("cudnn-off", "worker", "sdpa_backends", "The recomputed forward may pick another one."),
    RuleChecked("patches", "worker", "patch_calls"),
    RuleChecked("refusals", "worker", "guards", standing=2, undecided=1),
    RuleChecked("keys", "worker", "config_keys", standing=1),
    RuleChecked("methods", "clients", "signature", unasked="a cannot be read: syntax error"),
)
REPORT_OF_RULES = msgspec.structs.replace(REPORT, findings=(BACKENDS,), smoke=(), rules_checked=RULES)


@pytest.mark.parametrize(("name", "format_name"), [("text-rules.txt", "text"), ("markdown-rules.md", "markdown")])
def test_what_rules_say_looks_like_the_golden_one(name: str, format_name: str) -> None:
    assert render(REPORT_OF_RULES, format_name, View(lines)) == (GOLDEN / name).read_text("utf-8")


def test_every_rule_that_was_asked_has_a_row() -> None:
    assert [(row.rule, row.twins, row.outcome, row.reason) for row in results_of(REPORT_OF_RULES)] == [
        ("cudnn-off", "worker", "fail", "1 broken"),
        ("methods", "clients", "undecided", "not asked: a side cannot be read"),
        ("refusals", "worker", "undecided", "as before: 2 standing, 1 undecided"),
        ("bodies", "worker", "pass", "in step"),
        ("bodies", "clients", "pass", "in step"),
        ("patches", "worker", "pass", "holds"),
        ("keys", "worker", "pass", "as before: 1 standing"),
    ]


def test_rules_of_which_there_is_nothing_new_share_a_row_where_they_say_the_same() -> None:
    held = tuple(RuleChecked(f"rule-{number}", "worker", "calls") for number in range(12))
    text = render(msgspec.structs.replace(REPORT_OF_RULES, rules_checked=(*RULES, *held)), "markdown", View())
    first = ", ".join(["`patches`", *(f"`rule-{number}`" for number in range(9))])
    assert f"| {first} | `worker` | pass | holds |" in text
    assert "| `rule-9`, `rule-10`, `rule-11` | `worker` | pass | holds |" in text
    assert "| `cudnn-off` | `worker` | **fail** | 1 broken |" in text


def test_a_table_says_what_is_marked_and_where_it_is_explained() -> None:
    text = render(REPORT_OF_RULES, "markdown", View())
    assert "<sub>←: what this finding is about. How to read the table: `consistency-bot explain sdpa_backends`" in text


def test_a_rule_that_only_warns_says_so() -> None:
    rule = RuleChecked("cudnn-off", "worker", "sdpa_backends", mode="warn")
    finding = msgspec.structs.replace(BACKENDS, blocks=False)
    report = msgspec.structs.replace(REPORT_OF_RULES, findings=(finding,), rules_checked=(rule,))
    assert results_of(report)[0].reason == "1 broken; does not block (mode: warn)"


def test_the_table_and_the_rules_are_in_the_json_and_read_back() -> None:
    text = render(REPORT_OF_RULES, "json", View())
    report = json.loads(text)
    assert report["findings"][0]["table"]["marked"] == [[1, 1]]
    assert report["rules_checked"][1] == {"id": "patches", "twins": "worker", "check": "patch_calls"}
    assert msgspec.json.decode(text, type=Report) == REPORT_OF_RULES


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_what_is_hostile_in_a_table_stays_in_its_cell(payload: str, format_name: str) -> None:
    hostile = Table((payload, "v1"), ((payload, payload),), ((0, 0),))
    finding = msgspec.structs.replace(BACKENDS, table=hostile)
    rule = RuleChecked("cudnn-off", "worker", "sdpa_backends", payload)
    report = msgspec.structs.replace(REPORT_OF_RULES, findings=(finding,), rules_checked=(rule,))
    plain = msgspec.structs.replace(
        report, findings=(msgspec.structs.replace(BACKENDS, table=Table(("a", "v1"), (("a", "a"),), ((0, 0),))),)
    )
    shown = render(report, format_name, View())
    assert abs(shown.count("\n") - render(plain, format_name, View()).count("\n")) <= 2  # a reason may be empty
    assert "<script" not in shown or format_name == "text"
    assert "\x1b" not in shown
