"""The rules files that come along: the example workers obey the root one, and it sees what they do."""

from pathlib import Path

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.facts import KINDS, kind_of
from consistency_bot.facts.asking import SideAt
from consistency_bot.model import Change, Report, Rule, Rules
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.syntax import Readings, Source

ROOT = Path(__file__).parent.parent
WORKERS = {
    f"examples/policy_workers/{path.name}": path.read_bytes()
    for path in (ROOT / "examples/policy_workers").glob("*.*")
    if path.suffix in (".py", ".txt")
}
V1, V2 = (f"examples/policy_workers/dtensor_policy_worker{version}.py" for version in ("", "_v2"))


def rules_of(change: Change, path: str = "rules.yaml") -> Rules:
    return load_rules(change, RulesText(path, (ROOT / path).read_bytes()))


def of_workers(rules: Rules) -> list[Rule]:
    return [rule for rule in rules.declared if rule.twins == "dtensor-policy-worker"]


def checked(head: dict[str, bytes]) -> Report:
    change = change_between(WORKERS, head)
    return check_change(rules_of(change), change)


def test_the_example_workers_obey_every_rule() -> None:
    change = change_between(WORKERS, WORKERS)
    report = check_change(rules_of(change), change, True)
    assert len(report.rules_checked) == len(of_workers(rules_of(change))) + len(rules_of(change).patches)
    assert not any(each.standing or each.undecided for each in report.rules_checked)
    assert [each for each in report.findings if each.rule != "bodies"] == []


@pytest.mark.parametrize("path", ["rules.yaml", "examples/nemo-rl/rules.yaml"])
def test_the_rules_files_are_good(path: str) -> None:
    rules = rules_of(change_between({}, {}), path)
    assert {rule.twins for rule in rules.declared} <= {twins.id for twins in rules.twins}
    assert {rule.check for rule in rules.declared} <= KINDS.keys()


def test_every_rule_sees_something_on_both_sides() -> None:
    change = change_between(WORKERS, WORKERS)
    for rule in of_workers(rules_of(change)):
        for path in (V1, V2):
            side = SideAt(path, Source(path, WORKERS[path], Readings()).definitions, (path,), change.head)
            kind = kind_of(rule.check)
            assert list(kind.told(kind.read(rule, side))), f"{rule.id} sees nothing in {path}"


@pytest.mark.parametrize(
    ("path", "old", "new", "rule"),
    [
        (V1, "        apply_torch_aten_alias_patch()\n", "", "startup-patches"),
        (
            V2,
            "activation_checkpointing:\n            # cuDNN",
            "sequence_parallel:\n            # cuDNN",
            "cudnn-off-under-recompute",
        ),
        (
            V2,
            '            assert not self.is_reward_model, "a reward',
            '            assert True, "a reward',
            "refusals",
        ),
        (V1, 'self.cfg["max_grad_norm"]', 'self.cfg.get("max_grad_norm", 1.0)', "configuration"),
        (V2, "eval_mode: bool = False,", "eval_mode: bool = True,", "methods"),
        (V1, "reduce_dtype=torch.float32", "output_dtype=torch.float32", "sharding"),
        (
            V2,
            "from torch.nn.attention import SDPBackend, sdpa_kernel",
            "from torch.nn.attention import SDPBackend",
            "attention-imports",
        ),
        (V1, '["NCCL_CUMEM_ENABLE"] = "1"', '["NCCL_CUMEM_ENABLE"] = "0"', "nccl"),
        (V2, "loss *= self.dp_size * self.cp_size", "loss *= self.dp_size", "loss-scaled-back"),
    ],
)
def test_a_change_that_breaks_a_rule_is_found_by_it(path: str, old: str, new: str, rule: str) -> None:
    text = WORKERS[path].decode()
    assert old in text
    report = checked({**WORKERS, path: text.replace(old, new).encode()})
    found = [each for each in report.findings if each.rule == rule and each.verdict == "broken"]
    assert found, [f"{each.rule}: {each.message}" for each in report.findings]
    assert all(each.blocks for each in found)


KIND = {"consistency_bot/facts/new.py": b"NEW = 1\n", "docs/rules/new.md": b"# new\n\nWhat is new.\n"}
SHOWN = {"tests/facts/new/a-case/expected.yaml": b"first\n"}


@pytest.mark.parametrize(
    ("path", "verdicts"),
    [
        ("consistency_bot/facts/new.py", ["broken"]),
        ("docs/rules/new.md", []),
        ("tests/facts/new/a-case/expected.yaml", []),
    ],
)
def test_a_kind_that_changes_is_told_where_neither_its_page_nor_its_fixtures_do(path: str, verdicts: list[str]) -> None:
    base = {**KIND, **SHOWN}
    change = change_between(base, {**base, path: b"second\n"})
    report = check_change(rules_of(change), change)
    assert [each.verdict for each in report.findings] == verdicts
    assert not any(each.blocks for each in report.findings)
    with_it = change_between(base, {**base, path: b"second\n", "tests/facts/new/b/expected.yaml": b""})
    assert not check_change(rules_of(with_it), with_it).findings
