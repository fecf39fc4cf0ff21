"""The JSON report is a contract (docs/report.md): version 1, additive changes only."""

import json
from pathlib import Path

import msgspec
import pytest
from payloads import PAYLOADS, report_of
from reports import HOSTILE, HOSTILE_PATH, NOTHING, REPORT

from consistency_bot.model import Report
from consistency_bot.report import View, render

GOLDEN = Path(__file__).parent / "golden"

KEYS = ["version", "tool", "base", "head", "rules", "conclusion", "findings", "twins_checked", "smoke", "rules_checked"]
KEYS += ["acknowledgements_not_taken"]
FINDING_KEYS = [
    "rule",
    "twins",
    "verdict",
    "blocks",
    "fingerprint",
    "concept",
    "message",
    "changed",
    "counterpart",
    "port",
    "waived",
]


def test_the_json_is_the_golden_one() -> None:
    assert render(REPORT, "json", View()) == (GOLDEN / "report.json").read_text("utf-8")


def test_the_keys_are_those_of_the_contract() -> None:
    report = json.loads(render(REPORT, "json", View()))
    assert list(report) == KEYS
    more = {0: ["also"], 1: ["port_declined"]}
    for number, finding in enumerate(report["findings"]):
        assert list(finding) == [*FINDING_KEYS, *more.get(number, [])]
    assert list(report["findings"][0]["port"]) == ["path", "diff", "safety", "why"]
    assert list(report["rules"]) == ["path", "from", "changed_by_head"]
    assert list(report["findings"][0]["changed"]) == ["side", "path", "line", "end_line", "function"]
    worker, clients = report["twins_checked"]
    assert list(worker) == ["id", "sides", "modified", "units", "agreeing", "changes", "why"]
    assert list(clients) == ["id", "sides", "modified", "mode"]
    assert worker["changes"] == {"v2": {"added": 3, "changed": 1, "removed": 0}}


def test_a_report_that_is_read_back_is_the_same() -> None:
    for report in (REPORT, NOTHING):
        assert msgspec.json.decode(render(report, "json", View()), type=Report) == report


def test_a_path_that_is_not_utf_8_comes_out_as_a_surrogate_escape() -> None:
    text = render(HOSTILE, "json", View())
    assert text.isascii()
    assert text.count("\n") == render(HOSTILE, "json", View()).count("\n")
    report = json.loads(text)
    assert list(report) == KEYS
    assert report["findings"][0]["changed"]["path"] == HOSTILE_PATH
    assert report["findings"][0]["counterpart"]["function"] == "Wörker.größe"


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_text_is_read_back_as_it_was(text: str) -> None:
    written = render(report_of(text), "json", View())
    assert written.encode().decode() == written
    assert json.loads(written) == json.loads(json.dumps(msgspec.to_builtins(report_of(text))))
