"""Waived findings, and findings about waivers, in the reports."""

import json
from pathlib import Path

from msgspec.structs import replace
from reports import HOSTILE_PATH, NOTHING, V1, V2, finding, lines

from consistency_bot.model import Place, Port, Report, Waived
from consistency_bot.report import View, render

GOLDEN = Path(__file__).parent / "golden"
MISSED = replace(finding("missed", Place("v2", V2, 4, 5, "WorkerV2.train"), Place("v1", V1, 11, 10)), blocks=False)


def about(verdict: str, place: Place | None, blocks: bool = False) -> object:
    waiver = finding("broken", place, None, rule="waivers", concept="waiver", message="The waiver is told here.")
    return replace(waiver, verdict=verdict, blocks=blocks, twins=None)


REPORT = replace(
    NOTHING,
    conclusion="drift",
    findings=(
        replace(MISSED, port=Port(V1, "--- a\n+++ b\n@@ -1 +0,0 @@\n-line_1 = 'v1'\n", "needs_review")),
        replace(MISSED, waived=Waived("rules", "ada", "The old one has no cp.", "rules.yaml", 31, would_block=True)),
        replace(MISSED, waived=Waived("rules", "", "Nobody is named.", "rules.yaml", 32, would_block=True)),
        replace(MISSED, waived=Waived("code", "", "It stands in the code.", V2, 3, added_by_head=True)),
        replace(MISSED, waived=Waived("comment", "grace", "Said in a comment.")),
        replace(MISSED, changed=None, counterpart=None, waived=Waived("trailer", "grace", "Said in a commit.")),
        replace(MISSED, waived=Waived("code", "", HOSTILE_PATH, HOSTILE_PATH, 1)),
        about("broken", Place("rules", "rules.yaml", 31, 31), blocks=True),
        about("undecided", Place("v2", V2, 2, 2)),
        about("standing", None),
    ),
)


def test_the_text_shows_a_waived_finding_in_one_line() -> None:
    assert isinstance(REPORT, Report)
    assert render(REPORT, "text", View(lines)) == (GOLDEN / "text-waivers.txt").read_text("utf-8")


def test_json_keeps_a_waived_finding_and_says_who_why_and_where() -> None:
    found = json.loads(render(REPORT, "json", View()))["findings"][1]
    assert (found["blocks"], found["message"]) == (False, MISSED.message)
    assert found["waived"] == {
        "source": "rules",
        "by": "ada",
        "reason": "The old one has no cp.",
        "path": "rules.yaml",
        "line": 31,
        "added_by_head": False,
        "would_block": True,
    }
