"""The report in SARIF 2.1.0, as code scanning and editors read it.

Standard: OASIS, Static Analysis Results Interchange Format Version 2.1.0 plus Errata 01. GitHub takes every result for
an alert, whatever its `kind` says, and wants a location in each: so what is `repaired` is no result here, and a finding
without a place stands at the rules file.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from consistency_bot.model import DRIFT, Finding, Place, Report, Verdict, Waived
from consistency_bot.report.excerpt import is_gap
from consistency_bot.report.fixes import fixes_of
from consistency_bot.report.links import is_commit, quoted
from consistency_bot.report.sarif_text import plain_text
from consistency_bot.report.view import View
from consistency_bot.report.wording import MEANING, NEXT, gap_note
from consistency_bot.visible import visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "consistencyBot/v1"
"""Not `primaryLocationLineHash`: GitHub's upload computes that one itself and warns about any other value."""

_Object = dict[str, Any]
"""A JSON object; the standard has hundreds of them, and a test validates ours against its schema."""


def render_sarif(report: Report, view: View) -> str:
    """One run with a result for each finding but those that are `repaired`; no results where all is in step."""
    findings = [each for each in report.findings if each.verdict != "repaired"]
    kinds = list(dict.fromkeys((each.rule, each.verdict) for each in findings))
    name, _, version = report.tool.rpartition(" ")
    driver: _Object = {
        "name": name or "consistency-bot",
        "version": version,
        "rules": [_descriptor(rule, verdict) for rule, verdict in kinds],
    }
    run: _Object = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        **_provenance(report, view),
        "invocations": [{"executionSuccessful": True}],
        "results": [_result(each, kinds.index((each.rule, each.verdict)), report) for each in findings],
        "properties": {
            "base": visible(report.base),
            "head": visible(report.head),
            "rules": visible(report.rules.path),
            "conclusion": report.conclusion,
        },
    }
    log: _Object = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode("utf-8") + "\n"


def _descriptor(rule: str, verdict: Verdict) -> _Object:
    return {
        "id": _rule_id(rule, verdict),
        "name": visible(f"{rule} {verdict}".title().replace(" ", "").replace("_", "")),
        "shortDescription": {"text": MEANING[verdict]},
        "fullDescription": {"text": MEANING[verdict]},
        "help": {"text": f"What to do: {NEXT[verdict]}"},
        "defaultConfiguration": {"level": "warning" if verdict in DRIFT else "note"},
        "properties": {"tags": ["maintainability", "consistency"]},
    }


def _rule_id(rule: str, verdict: Verdict) -> str:
    """Rule and verdict, in the standard's form of a rule and its sub-rule."""
    return f"{visible(rule)}/{verdict}"


def _provenance(report: Report, view: View) -> _Object:
    if view.links is None or not is_commit(report.head):
        return {}
    source = {"repositoryUri": view.links.repository, "revisionId": report.head, "mappedTo": {"uriBaseId": "%SRCROOT%"}}
    return {"versionControlProvenance": [source]}


def _result(finding: Finding, rule_index: int, report: Report) -> _Object:
    places = finding.places
    first = places[0] if places else Place("", report.rules.path, 1, 1)
    fixes = fixes_of(finding.port)
    return {
        "ruleId": _rule_id(finding.rule, finding.verdict),
        "ruleIndex": rule_index,
        "level": _level(finding),
        "message": {"text": plain_text(finding.message)},
        "locations": [_location(first)],
        "relatedLocations": [
            _location(place) | {"id": number, "message": {"text": _role(finding, place)}}
            for number, place in enumerate(places[1:], 1)
        ],
        "partialFingerprints": {FINGERPRINT: visible(finding.fingerprint)},
        "suppressions": list(_suppressions(finding.waived)),
        **({"fixes": fixes} if fixes else {}),
        "properties": {
            "verdict": finding.verdict,
            "concept": visible(finding.concept),
            "blocks": finding.blocks,
            "twins": visible(finding.twins) if finding.twins is not None else None,
            "sides": [visible(place.side) for place in places],
        },
    }


def _level(finding: Finding) -> str:
    """`error` is what blocks; what nobody need look at again is a `note`."""
    if finding.blocks:
        return "error"
    needs_a_look = finding.waived is None and finding.verdict in DRIFT | {"unknown", "undecided"}
    return "warning" if needs_a_look else "note"


def _suppressions(waived: Waived | None) -> Iterator[_Object]:
    """None of them is said as an empty list: a missing one would mean that nobody knows."""
    if waived is not None:
        at = Place("", waived.path, waived.line or 1, waived.line or 1) if waived.path is not None else None
        yield {
            "kind": "inSource" if waived.source == "code" else "external",
            "status": "accepted",
            "justification": plain_text(waived.reason),
            **({"location": _location(at)} if at is not None else {}),
            "properties": {"source": waived.source, "by": visible(waived.by)},
        }


def _location(place: Place) -> _Object:
    location: _Object = {
        "physicalLocation": {
            "artifactLocation": {"uri": quoted(place.path), "uriBaseId": "%SRCROOT%"},
            "region": _region(place),
        }
    }
    if place.function is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": visible(place.function)}]
    return location


def _region(place: Place) -> _Object:
    """The lines; for a place without any, the point before its line."""
    line = max(place.line, 1)
    if is_gap(place):
        return {"startLine": line, "startColumn": 1, "endLine": line, "endColumn": 1}
    return {"startLine": line, "endLine": place.end_line}


def _role(finding: Finding, place: Place) -> str:
    return plain_text(f"{place.side}: {gap_note(finding, place) if is_gap(place) else 'the other side'}")
