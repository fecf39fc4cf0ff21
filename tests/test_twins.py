"""The folders of `twins/`, replayed as changes: the table of what is drift and what is not.

A folder holds `base/` and `head/` with the files of both sides, and `expected.yaml`:

    why: what the folder shows, for a reader
    source: where the idea comes from
    report: owner/name#123, the public bug report that the folder retells, instead of or beside `source`
    rules: a twins entry, where `{id: pair, sides: {a: a.py, b: b.py}}` is not enough
    declared: the entries of a rules file's `rules`; `twins: pair` may be left out
    atoms, patches: as in a rules file
    reads: {base: {rule: {a: [line], b: [line]}}, head: …}: what a rule reads of each side, as `rules show` tells it;
      {patch: {patch: [state and reason]}} of a patch
    findings:
      - {verdict: missed, side: a, function: Worker.train, concept: argument}

`side` is the side that moved. `function` and `concept` may be left out, and so may `rule` and `says`, a part of the
message. Every blocking finding must be listed, and every listed one must come; findings that do not block are listed
only where the folder is about them.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
import yaml
from memory_tree import MemoryTree, change_between, files_in

from consistency_bot.check import check_change
from consistency_bot.cli import main
from consistency_bot.concepts import CONCEPTS
from consistency_bot.model import Change, Finding, Rules, Verdict
from consistency_bot.patches.listing import list_patches
from consistency_bot.porting import with_ports
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.survey.seen import seen_twins
from repositories import Repository, isolate

FOLDER = Path(__file__).parent / "twins"
SLUGS = sorted(each.name for each in FOLDER.iterdir())

Report = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9-]+/[A-Za-z0-9._-]+#[1-9][0-9]*$")]
"""An issue or a pull request of a public repository: `owner/name#123`."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finding as a folder tells it; what is None may be anything."""

    verdict: Verdict
    side: str
    function: str | None = None
    concept: str | None = None
    waived: bool | None = None
    rule: str | None = None
    says: str = ""

    def __str__(self) -> str:
        concept = "" if self.concept is None else f" [{self.concept}]"
        waived = {None: "", True: ", waived", False: ", not waived"}[self.waived]
        said = f", {self.rule or 'any rule'}: {self.says}" if self.rule is not None or self.says else ""
        return f"{self.verdict} by {self.side} in {self.function or 'any function'}{concept}{waived}{said}"

    def is_met_by(self, finding: Finding) -> bool:
        """Whether this is the finding that was meant."""
        changed = finding.changed
        return (
            changed is not None
            and (finding.verdict, changed.side) == (self.verdict, self.side)
            and self.function in (None, changed.function)
            and self.concept in (None, finding.concept)
            and self.waived in (None, finding.waived is not None)
            and self.rule in (None, finding.rule)
            and self.says in finding.message
        )


def pair() -> dict[str, object]:
    """The twins entry of most folders."""
    return {"id": "pair", "sides": {"a": "a.py", "b": "b.py"}}


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `expected.yaml` says. One of `source` and `report` must be told."""

    why: str
    findings: tuple[Expected, ...]
    source: str = ""
    report: Report | None = None
    rules: dict[str, object] = msgspec.field(default_factory=pair)
    declared: tuple[dict[str, object], ...] = ()
    atoms: dict[str, object] = {}
    patches: dict[str, object] = {}
    reads: dict[Literal["base", "head"], dict[str, dict[str, list[str]]]] = {}

    def __post_init__(self) -> None:
        if not self.source and self.report is None:
            raise ValueError("neither source nor report is told")


def case_of(text: bytes) -> Case:
    """The case as told; raises `msgspec.ValidationError` for an unknown key, a missing one or a value of the wrong form."""
    return msgspec.convert(yaml.safe_load(text), Case)


def read_case(slug: str) -> Case:
    return case_of((FOLDER / slug / "expected.yaml").read_bytes())


def read_files(slug: str, state: str) -> dict[str, bytes]:
    return files_in(FOLDER / slug / state)


def rules_text(case: Case) -> bytes:
    declared = [{"twins": case.rules["id"], **each} for each in case.declared]
    written = {"version": 1, "twins": [case.rules], "atoms": case.atoms, "rules": declared, "patches": case.patches}
    return yaml.safe_dump({key: value for key, value in written.items() if value}).encode()


def rules_of(case: Case, change: Change) -> Rules:
    return load_rules(change, RulesText("rules.yaml", rules_text(case)))


def differences(expected: Sequence[Expected], found: Sequence[Finding]) -> list[str]:
    """One line for each finding that should have come, and for each blocking one that should not have."""
    left = list(found)
    out = []
    # The precise first: one that says less must not take the finding that another one needs.
    for each in sorted(expected, key=lambda each: (each.function is None, each.concept is None)):
        met = next((finding for finding in left if each.is_met_by(finding)), None)
        if met is None:
            out.append(f"expected, not found: {each}")
        else:
            left.remove(met)
    return out + [f"found, not expected: {told(finding)}" for finding in left if finding.blocks]


def told(finding: Finding) -> str:
    where = "nowhere" if finding.changed is None else f"{finding.changed.side} in {finding.changed.function}"
    return f"{finding.verdict} by {where} [{finding.concept}]: {finding.message}"


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if read_case(slug).reads])
def test_a_rule_reads_each_side_of_a_folder_as_it_tells(slug: str) -> None:
    case = read_case(slug)
    for state, expected in case.reads.items():
        files = read_files(slug, state)
        rules, tree = rules_of(case, change_between({}, files)), MemoryTree(files)
        (twins,) = seen_twins(rules, tree)
        found = {each.rule.id: {side: list(lines) for side, lines in each.sides} for each in twins.rules}
        patches = list_patches(rules, tree, state).states
        found |= {each.patch.id: {"patch": [f"{each.state}: {each.reason}"]} for each in patches}
        assert {rule: found[rule] for rule in expected} == expected


OPEN = {
    "attention-dropout-switched-on-in-one-framework": "what stands around it is written in another framework's words",
    "clients-read-side-by-side-and-put-in-step": "the `try` and `finally` that a side gains are not told as repaired",
    "dilation-handed-on-by-one-kind-of-adapter": "a call's keywords are not compared with another function's like call",
    "rewrite-of-the-channels-forgets-to-retry": "what is only rewritten is a finding beside the one about what is lost",
    "timeout-given-to-each-call-here-and-to-the-session-there": "one thing said in other places on each side alarms",
}
"""Folders that the engine does not judge as they tell yet, with what is missing. Strict: one that comes right must leave."""


def marked(slug: str, open_: Mapping[str, str]) -> object:
    """The folder's parameter, expected to fail where it is open."""
    marks = [pytest.mark.xfail(strict=True, reason=open_[slug])] if slug in open_ else []
    return pytest.param(slug, marks=marks)


@pytest.mark.parametrize("report", ["owner/name", "name#12", "owner/name#0", "owner/name#12a", "owner/na me#12"])
def test_a_report_without_its_repository_and_number_is_refused(report: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="report"):
        case_of(f'{{why: w, findings: [], report: "{report}"}}'.encode())


def test_a_folder_that_does_not_say_where_it_comes_from_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="neither source nor report"):
        case_of(b"{why: w, findings: []}")
    assert case_of(b'{why: w, findings: [], report: "owner/na.me_2#12"}').report == "owner/na.me_2#12"


def test_no_report_is_told_twice() -> None:
    reports = [report for slug in SLUGS if (report := read_case(slug).report) is not None]
    assert len(reports) == len(set(reports))


@pytest.mark.parametrize("slug", [marked(slug, OPEN) for slug in SLUGS])
def test_a_folder_is_judged_as_it_tells(slug: str) -> None:
    case = read_case(slug)
    change = change_between(read_files(slug, "base"), read_files(slug, "head"))
    # What stood before is told only where the folder is about it.
    found = check_change(rules_of(case, change), change, bool(case.declared or case.patches)).findings
    assert {each.concept for each in found} <= {*CONCEPTS, "waiver"}  # a waiver can name what is found
    wrong = differences(case.findings, found)
    every = [f"  {'blocks' if each.blocks else 'quiet '} {told(each)}" for each in found] or ["  (none)"]
    text = [f"tests/twins/{slug}: {case.why}", *wrong, "all findings:", *every]
    assert not wrong, "\n".join(text)


@pytest.mark.parametrize(
    ("slug", "status", "conclusion"),
    [
        ("condition-widened-one", 1, "drift"),
        ("async-await-in-step", 0, "in_step"),
        ("captures-one-pair-parts", 1, "drift"),
        ("one-file-two-classes-both-move", 0, "in_step"),
        ("yaml-one-value-moves", 1, "drift"),
    ],
)
def test_a_folder_ends_alike_through_git_and_the_command_line(
    slug: str,
    status: int,
    conclusion: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    isolate(monkeypatch)
    case = read_case(slug)
    repository = Repository(tmp_path / "repository")
    repository.write("rules.yaml", rules_text(case))
    commits = []
    for state in ("base", "head"):
        for path, data in read_files(slug, state).items():
            repository.write(path, data)
        commits.append(repository.commit())
    arguments = ["--repo", str(repository), "--base", commits[0], "--head", commits[1], "--format", "json"]
    assert main(["check", *arguments]) == status
    report = msgspec.json.decode(capsys.readouterr().out.encode())
    assert report["conclusion"] == conclusion
    change = change_between(read_files(slug, "base"), read_files(slug, "head"))
    rules = rules_of(case, change)
    in_memory = with_ports(check_change(rules, change), rules, change).findings
    assert report["findings"] == list(msgspec.to_builtins(in_memory))
