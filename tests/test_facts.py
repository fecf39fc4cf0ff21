"""The folders of `facts/KIND/`, replayed as changes: what each kind of rule says about twins.

A folder holds `base/` and `head/` with the files of both sides, and `expected.yaml`:

    why: what the folder shows, for a reader
    source: where the idea comes from
    twins: a twins entry, where `{id: pair, sides: {a: a.py, b: b.py}}` is not enough
    rules: the entries of `rules`; `twins: pair` may be left out, and so may `id`, which is the kind then
    atoms: as in a rules file
    patches: as in a rules file
    today: the day of the check, where something expires
    findings:
      - {verdict: broken, side: a, rule: patch_calls, function: Worker.setup, says: the docstring}

`side` is the side that breaks the rule, `says` a part of the message. `rule` and all behind it may be left out. What the
declared rules say with `--all` must be listed, all of it; what `bodies` says is no matter here.
"""

from collections.abc import Sequence
from datetime import date
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import yaml
from memory_tree import change_between, files_in

from consistency_bot.check import check_change
from consistency_bot.concepts import CONCEPTS
from consistency_bot.facts import KINDS, kind_of
from consistency_bot.facts.asking import Kind
from consistency_bot.model import Finding, RuleKeys, Verdict
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.rules.decode import fields_of
from consistency_bot.rules.schema import AnyRule, Rule

FOLDER = Path(__file__).parent / "facts"
DOCS = Path(__file__).parent.parent / "docs" / "rules"
SLUGS = sorted(f"{each.parent.name}/{each.name}" for each in FOLDER.glob("*/*") if each.is_dir())


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finding as a folder tells it; what is None may be anything."""

    verdict: Verdict
    side: str
    rule: str | None = None
    function: str | None = None
    says: str | None = None
    waived: bool = False

    def is_met_by(self, finding: Finding) -> bool:
        """Whether this is the finding that was meant."""
        side = finding.changed.side if finding.changed is not None else ""
        function = finding.changed.function if finding.changed is not None else None
        return (
            (finding.verdict, side, finding.waived is not None) == (self.verdict, self.side, self.waived)
            and self.rule in (None, finding.rule)
            and self.function in (None, function)
            and (self.says is None or self.says in finding.message)
        )


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `expected.yaml` says."""

    why: str
    source: str
    findings: tuple[Expected, ...]
    rules: tuple[dict[str, object], ...] = ()
    twins: dict[str, object] = msgspec.field(
        default_factory=lambda: {"id": "pair", "sides": {"a": "a.py", "b": "b.py"}}
    )
    atoms: dict[str, object] = {}
    patches: dict[str, object] = {}
    today: date | None = None


def read_case(slug: str) -> Case:
    return msgspec.convert(yaml.safe_load((FOLDER / slug / "expected.yaml").read_bytes()), Case)


def read_files(slug: str, state: str) -> dict[str, bytes]:
    return files_in(FOLDER / slug / state)


def rules_text(case: Case) -> bytes:
    rules = [{"id": each.get("id", each["check"]), "twins": case.twins["id"], **each} for each in case.rules]
    written = {"version": 1, "twins": [case.twins], "atoms": case.atoms, "rules": rules, "patches": case.patches}
    return yaml.safe_dump({key: value for key, value in written.items() if value}).encode()


def findings_of(slug: str) -> list[Finding]:
    """What the declared rules say to a folder, with what they would have said before."""
    case = read_case(slug)
    change = change_between(read_files(slug, "base"), read_files(slug, "head"))
    rules = load_rules(change, RulesText("rules.yaml", rules_text(case)))
    report = check_change(rules, change, True, case.today)
    return [each for each in report.findings if each.rule not in ("bodies", "waivers")]


def differences(expected: Sequence[Expected], found: Sequence[Finding]) -> list[str]:
    """One line for each finding that should have come, and for each that should not have."""
    left = list(found)
    out = []
    for each in sorted(expected, key=lambda each: (each.says is None, each.function is None)):
        met = next((finding for finding in left if each.is_met_by(finding)), None)
        if met is None:
            out.append(f"expected, not found: {each}")
        else:
            left.remove(met)
    return out + [f"found, not expected: {each.verdict} [{each.rule}] {each.message}" for each in left]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_folder_is_judged_as_it_tells(slug: str) -> None:
    found = findings_of(slug)
    wrong = differences(read_case(slug).findings, found)
    every = [f"  {each.verdict} [{each.rule}] {each.changed}: {each.message}" for each in found] or ["  (none)"]
    assert not wrong, "\n".join([f"tests/facts/{slug}: {read_case(slug).why}", *wrong, "all findings:", *every])


@pytest.mark.parametrize("slug", SLUGS)
def test_a_change_of_nothing_breaks_no_rule(slug: str) -> None:
    for state in ("base", "head"):
        files = read_files(slug, state)
        rules = load_rules(change_between({}, files), RulesText("rules.yaml", rules_text(read_case(slug))))
        report = check_change(rules, change_between(files, files), True)
        assert {each.verdict for each in report.findings} <= {"standing", "undecided"}
        assert report.conclusion == "in_step"


@pytest.mark.parametrize("check", KINDS)
def test_a_kind_has_its_file_its_folder_and_its_page(check: str) -> None:
    assert any(slug.startswith(f"{check}/") for slug in SLUGS)
    page = (DOCS / f"{check}.md").read_text("utf-8")
    assert "## Good" in page
    assert "## Bad" in page
    assert KINDS[check] in CONCEPTS


@pytest.mark.parametrize("check", KINDS)
def test_a_kind_has_the_functions_of_a_kind(check: str) -> None:
    for name in ("read", "breaches", "told"):
        assert list(signature(getattr(kind_of(check), name)).parameters) == [
            each for each in signature(getattr(Kind, name)).parameters if each != "self"
        ]


def test_no_kind_has_a_file_a_folder_or_a_page_without_its_line() -> None:
    kinds = {each.__struct_config__.tag for each in get_args(AnyRule)}
    package = Path(import_module("consistency_bot.facts").__file__ or "").parent
    assert KINDS.keys() <= kinds
    assert {each.stem for each in package.glob("*.py")} & kinds == KINDS.keys()
    assert {slug.partition("/")[0] for slug in SLUGS} & kinds == KINDS.keys()
    assert {each.stem for each in DOCS.glob("*.md")} & kinds == KINDS.keys()


def test_every_key_of_a_kind_reaches_it() -> None:
    common = {field.name for field in fields_of(Rule)}
    own = {field.name for kind in get_args(AnyRule) for field in fields_of(kind)} - common
    assert own == set(RuleKeys.__struct_fields__)
