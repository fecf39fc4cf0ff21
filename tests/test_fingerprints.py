"""Fingerprints: what a finding's name survives, and what gives it another.

A waiver and an acknowledgement are bound to a fingerprint, so one that changes without need takes them back, and one
that stays when something else is said waives what nobody has looked at. `golden/fingerprints.txt` holds the names of
some findings of every shape: a line that changes there withdraws every waiver that is in use.
"""

import ast
from pathlib import Path

import pytest
import yaml
from memory_tree import change_between, files_in

from consistency_bot.check import check_change
from consistency_bot.model import Finding
from consistency_bot.rules import RulesText, load_rules

TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden" / "fingerprints.txt"
SLUGS = [
    "assignment-target-one",
    "augmented-assignment-lost-one",
    "base-class-one",
    "both-changed-differently",
    "call-removed-one",
    "class-constant-one",
    "condition-widened-one",
    "decorator-one",
    "default-one",
    "dict-key-one",
    "except-type-one",
    "feature-only-in-one",
    "file-that-can-no-longer-be-read",
    "guard-removed-one",
    "keyword-argument-one",
    "method-added-one",
    "raise-type-one",
    "three-sides-one-left-behind",
]

BASE = '''\
"""A client."""


class Client:
    def close(self):
        self.socket.close()

    def send(self, data, limit=3):
        if limit > self.most:
            raise ValueError("too many")
        self.write(data, flush=True)
        return self.read(limit)
'''
MOVED = BASE.replace("limit > self.most", "limit >= self.most")


def read_files(slug: str, state: str) -> dict[str, bytes]:
    return files_in(TESTS / "twins" / slug / state)


def told(slug: str) -> list[str]:
    """One line for each finding of a folder, in the golden file's form."""
    expected = yaml.safe_load((TESTS / "twins" / slug / "expected.yaml").read_bytes())
    twins = expected.get("rules", {"id": "pair", "sides": {"a": "a.py", "b": "b.py"}})
    change = change_between(read_files(slug, "base"), read_files(slug, "head"))
    rules = load_rules(change, RulesText("rules.yaml", yaml.safe_dump({"version": 1, "twins": [twins]}).encode()))
    found = check_change(rules, change).findings
    return [f"{slug}: {each.fingerprint} {each.verdict} {each.concept}" for each in found]


def findings(base: tuple[str, str], head: tuple[str, str], names: tuple[str, str] = ("a.py", "b.py")) -> list[Finding]:
    """What is said about two sides that become others."""
    before, after = ({path: text.encode() for path, text in zip(names, two, strict=True)} for two in (base, head))
    change = change_between(before, after)
    twins = [{"id": "clients", "sides": dict(zip("ab", names, strict=True))}]
    rules = load_rules(change, RulesText("rules.yaml", yaml.safe_dump({"version": 1, "twins": twins}).encode()))
    return list(check_change(rules, change).findings)


def only(base: tuple[str, str], head: tuple[str, str], names: tuple[str, str] = ("a.py", "b.py")) -> str:
    """The fingerprint of the only finding."""
    (finding,) = findings(base, head, names)
    return finding.fingerprint


USUAL = only((BASE, BASE), (MOVED, BASE))


def test_the_fingerprints_of_known_findings_are_the_golden_ones() -> None:
    assert [line for slug in SLUGS for line in told(slug)] == GOLDEN.read_text("utf-8").splitlines()


def test_a_fingerprint_is_16_hex_digits() -> None:
    assert len(USUAL) == 16
    assert int(USUAL, 16) >= 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"""A client."""', '"""A client."""\n\n# Lines\n# above.\n\n'),
        ("        if limit", "        # Why not?\n\n        if limit"),
    ],
    ids=["at the top", "at the place"],
)
def test_a_fingerprint_survives_moved_lines(before: str, after: str) -> None:
    longer = BASE.replace(before, after), MOVED.replace(before, after)
    assert only((BASE, BASE), (longer[1], BASE)) == USUAL
    assert only((BASE, BASE), (MOVED, longer[0])) == USUAL
    assert only((longer[0], longer[0]), (longer[1], longer[0])) == USUAL


def test_a_fingerprint_survives_another_layout() -> None:
    wide = MOVED.replace("(data, flush=True)", "(\n            data,\n            flush=True,\n        )")
    wide = wide.replace("limit >= self.most", "(\n            limit\n            >= self.most\n        )")
    assert only((BASE, BASE), (wide, BASE)) == USUAL
    assert only((BASE, BASE), (ast.unparse(ast.parse(MOVED)), ast.unparse(ast.parse(BASE)))) == USUAL


@pytest.mark.parametrize("end", ["\n\ndef more():\n    return 1\n", "\n    def more(self):\n        return 1\n"])
def test_a_fingerprint_survives_changes_elsewhere(end: str) -> None:
    assert only((BASE, BASE), (MOVED + end, BASE + end)) == USUAL
    in_step = [text.replace("self.socket.close()", "self.socket.shutdown()") for text in (MOVED, BASE)]
    assert only((BASE, BASE), (in_step[0], in_step[1])) == USUAL
    same_function = [text.replace("flush=True", "flush=False") for text in (MOVED, BASE)]
    assert only((BASE, BASE), (same_function[0], same_function[1])) == USUAL
    drifts = MOVED.replace("self.socket.close()", "self.socket.abort()")
    assert USUAL in [each.fingerprint for each in findings((BASE, BASE), (drifts, BASE))]


def test_a_fingerprint_survives_renamed_files() -> None:
    assert only((BASE, BASE), (MOVED, BASE), ("clients/plain.py", "clients/aio.py")) == USUAL


def test_a_fingerprint_survives_a_base_that_has_moved_on() -> None:
    rebased = BASE.replace("self.socket.close()", "self.socket.shutdown()")
    moved = MOVED.replace("self.socket.close()", "self.socket.shutdown()")
    assert only((rebased, rebased), (moved, rebased)) == USUAL


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ((BASE, BASE), (BASE.replace("> self.most", "> self.least"), BASE)),
        ((BASE, BASE), (BASE, MOVED)),
        ((BASE, BASE), (MOVED, BASE.replace("> self.most", "== self.most"))),
        (
            (BASE.replace("send", "post"), BASE.replace("send", "post")),
            (MOVED.replace("send", "post"), BASE.replace("send", "post")),
        ),
        ((BASE, BASE), (BASE.replace("limit=3", "limit=4"), BASE)),
    ],
    ids=["another condition", "the other side", "the other side moved too", "another function", "another concept"],
)
def test_a_fingerprint_changes_when_something_else_is_said(base: tuple[str, str], head: tuple[str, str]) -> None:
    others = [each.fingerprint for each in findings(base, head)]
    assert others
    assert USUAL not in others


def test_findings_that_say_the_same_in_one_function_have_fingerprints_of_their_own() -> None:
    twice = BASE.replace(
        "        self.write(data, flush=True)\n",
        "        self.write(data, flush=True)\n        self.log()\n        self.write(data, flush=True)\n",
    )
    lost = twice.replace("        self.write(data, flush=True)\n", "")
    found = findings((twice, twice), (lost, twice))
    assert len({each.fingerprint for each in found}) == len(found) > 0


def test_a_fingerprint_changes_when_a_further_unit_joins_the_same_cause() -> None:
    more = BASE.replace("        self.write(data, flush=True)\n", "        self.post(data)\n        self.log(data)\n")
    less = BASE.replace("        self.write(data, flush=True)\n", "        self.post(data)\n        self.log(limit)\n")
    first, second = (findings((BASE, BASE), (text, BASE)) for text in (more, less))
    assert len(first) == len(second) == 1
    assert first[0].fingerprint != second[0].fingerprint
