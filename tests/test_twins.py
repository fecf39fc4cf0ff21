"""The folders of `twins/`, replayed as changes: the table of what is drift and what is not.

A folder holds `base/` and `head/` with the files of both sides, and `expected.yaml`:

    why: what the folder shows, for a reader
    source: where the idea comes from
    rules: a twins entry, where `{id: pair, sides: {a: a.py, b: b.py}}` is not enough
    findings:
      - {verdict: missed, side: a, function: Worker.train, concept: argument}

`side` is the side that moved. `function` and `concept` may be left out. Every blocking finding must be listed, and
every listed one must come; findings that do not block are listed only where the folder is about them.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
import yaml
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.cli import main
from consistency_bot.model import Change, Finding, Rules, Verdict
from consistency_bot.rules import RulesText, load_rules
from repositories import Repository, isolate

FOLDER = Path(__file__).parent / "twins"
SLUGS = sorted(each.name for each in FOLDER.iterdir())


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finding as a folder tells it; what is None may be anything."""

    verdict: Verdict
    side: str
    function: str | None = None
    concept: str | None = None

    def __str__(self) -> str:
        concept = "" if self.concept is None else f" [{self.concept}]"
        return f"{self.verdict} by {self.side} in {self.function or 'any function'}{concept}"

    def is_met_by(self, finding: Finding) -> bool:
        """Whether this is the finding that was meant."""
        changed = finding.changed
        return (
            changed is not None
            and (finding.verdict, changed.side) == (self.verdict, self.side)
            and self.function in (None, changed.function)
            and self.concept in (None, finding.concept)
        )


def pair() -> dict[str, object]:
    """The twins entry of most folders."""
    return {"id": "pair", "sides": {"a": "a.py", "b": "b.py"}}


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `expected.yaml` says."""

    why: str
    source: str
    findings: tuple[Expected, ...]
    rules: dict[str, object] = msgspec.field(default_factory=pair)


def read_case(slug: str) -> Case:
    return msgspec.convert(yaml.safe_load((FOLDER / slug / "expected.yaml").read_bytes()), Case)


def read_files(slug: str, state: str) -> dict[str, bytes]:
    folder = FOLDER / slug / state
    files = (each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in files}


def rules_text(case: Case) -> bytes:
    return yaml.safe_dump({"version": 1, "twins": [case.rules]}).encode()


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


OPEN = {
    "nested-changed-module-function-not": "a function's parameter against a method's attribute is not one thing yet",
}
"""Folders that the engine does not judge as they tell yet, with what is missing. Strict: one that comes right must leave."""


def marked(slug: str) -> object:
    """The folder's parameter, expected to fail where it is open."""
    marks = [pytest.mark.xfail(strict=True, reason=OPEN[slug])] if slug in OPEN else []
    return pytest.param(slug, marks=marks)


@pytest.mark.parametrize("slug", [marked(slug) for slug in SLUGS])
def test_a_folder_is_judged_as_it_tells(slug: str) -> None:
    case = read_case(slug)
    change = change_between(read_files(slug, "base"), read_files(slug, "head"))
    found = check_change(rules_of(case, change), change).findings
    wrong = differences(case.findings, found)
    every = [f"  {'blocks' if each.blocks else 'quiet '} {told(each)}" for each in found] or ["  (none)"]
    text = [f"tests/twins/{slug}: {case.why}", *wrong, "all findings:", *every]
    assert not wrong, "\n".join(text)


@pytest.mark.parametrize(
    ("slug", "status", "conclusion"),
    [("condition-widened-one", 1, "drift"), ("async-await-in-step", 0, "in_step")],
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
    in_memory = check_change(rules_of(case, change), change).findings
    assert report["findings"] == list(msgspec.to_builtins(in_memory))
