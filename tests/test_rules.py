"""The rules file: what it says, which of its mistakes are told and where, and whose file counts.

A wrong rules file is `rules/<what>.yaml`, and `rules/<what>.txt` is all that is said about it.
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from consistency_bot.errors import RulesError
from consistency_bot.model import PLAIN_FILE, Change, Entry, Rules, RulesSource, Side, Twins, Waiver
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.rules.decode import decode, fields_of
from consistency_bot.rules.places import MOST_VALUES, read_spots
from consistency_bot.rules.schema import AnyRule, PatchCalls, RulesFile

BROKEN = sorted((Path(__file__).parent / "rules").glob("*.yaml"))
GOOD = b"version: 1\ntwins:\n  - {id: clients, sides: {a: a.py, b: b.py}}\n"
OTHER = b"version: 1\ntwins:\n  - {id: clients, sides: {a: a.py, b: c.py}}\n  - {id: more, sides: {x: x.py, y: y.py}}\n"


class Files(dict[str, bytes]):
    """A tree in memory."""

    def read(self, path: str) -> bytes | None:
        return self.get(path)

    def find(self, patterns: Sequence[str]) -> list[str]:
        return [path for path in patterns if path in self]

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        return []

    def entry(self, path: str) -> Entry | None:
        return Entry(PLAIN_FILE, "") if path in self else None


def change(base: dict[str, bytes], head: dict[str, bytes], head_name: str = "b" * 40) -> Change:
    return Change("a" * 40, head_name, Files(base), Files(head), ())


def rules_of(data: bytes) -> Rules:
    return load_rules(change({}, {}), RulesText("rules.yaml", data))


def problems_of(data: bytes) -> tuple[str, ...]:
    with pytest.raises(RulesError) as caught:
        rules_of(data)
    return caught.value.problems


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_every_mistake_is_told_at_once_with_its_line(path: Path) -> None:
    expected = path.with_suffix(".txt").read_text("utf-8")
    assert "".join(problem + "\n" for problem in problems_of(path.read_bytes())) == expected


def test_a_file_without_mistakes_becomes_twins_with_their_lines() -> None:
    text = b"""\
version: 1
twins:
  - id: worker
    why: Two of a kind.
    sides:
      v1: a/worker.py
      v2: [a/worker_v2.py, 'a/**/setup_*.py']
    same: [[Worker, WorkerV2], [run, run_v2, go]]
    mode: off
  -
    id: clients
    sides: {on: x.py, 2: y.py}
"""
    assert rules_of(text) == Rules(
        (
            Twins(
                "worker",
                (Side("v1", ("a/worker.py",)), Side("v2", ("a/worker_v2.py", "a/**/setup_*.py"))),
                "Two of a kind.",
                (("Worker", "WorkerV2"), ("run", "run_v2", "go")),
                "off",
                3,
            ),
            Twins("clients", (Side("on", ("x.py",)), Side("2", ("y.py",))), line=11),
        ),
        RulesSource("rules.yaml", "file"),
    )


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        b"{version: 1, twins: [{id: clients, sides: {a: a.py, b: b.py}}]}",
        b'{"version": 1, "twins": [{"id": "clients", "sides": {"a": "a.py", "b": "b.py"}}]}',
        b"version: 1\ntwins:\n  - {id: clients, sides: &sides {a: &a a.py, b: b.py}}\natoms: {cp: *a}\n",
    ],
    ids=["byte order mark", "Windows line ends", "one line", "JSON", "an alias"],
)
def test_the_same_rules_can_be_written_in_other_ways(text: bytes) -> None:
    (twins,) = rules_of(text).twins
    assert twins.id == "clients"
    assert twins.sides == (Side("a", ("a.py",)), Side("b", ("b.py",)))


def test_the_whole_schema_of_version_1_is_decoded() -> None:
    design = (Path(__file__).parent / "rules-version-1.yaml").read_bytes()
    top, problems = read_spots(design)
    assert top is not None
    decoded, mistakes = decode(top, RulesFile)
    assert problems + mistakes == []
    assert decoded is not None
    patch_calls = decoded.rules[0]
    assert isinstance(patch_calls, PatchCalls)
    assert patch_calls.before == ("init_process_group", "from_pretrained")
    assert {type(rule) for rule in decoded.rules} == set(get_args(AnyRule))
    assert decoded.patches["aten-alias-sharding"].probe["operators"] == ("aten.alias.default",)
    assert decoded.smoke["tp2-sp"].probe == {
        "name": "tp-sp",
        "tp": 2,
        "sp": True,
        "activation_checkpointing": (False, True),
    }
    assert decoded.waivers[1].where == "a.py::train"


def test_smoke_jobs_are_records_with_their_lines() -> None:
    design = (Path(__file__).parent / "rules-version-1.yaml").read_bytes()
    probe, _, command, nightly = rules_of(design).jobs
    assert (probe.name, probe.probe, probe.options["tp"], probe.gpus, probe.line) == ("tp2-sp", "tp-sp", 2, 2, 58)
    assert (command.command[:6], command.minutes, command.options) == ("pytest", 30, {})
    assert (nightly.runs_on, nightly.env) == (("self-hosted", "gpu"), {"NCCL_DEBUG": "INFO"})
    assert (nightly.when.paths, nightly.when.label, nightly.when.always) == (("src/**",), "run-gpu", False)


def test_jobs_are_never_those_of_a_head_whose_base_has_no_rules() -> None:
    text = GOOD + b"smoke: {unit: {command: pytest}}\n"
    rules = load_rules(change({}, {"rules.yaml": text}), None)
    assert rules.jobs == ()
    assert "smoke jobs of the head commit bbbbbbbbbbbb are left out: they count once they are merged" in rules.notes


def test_entries_that_head_edits_are_known() -> None:
    jobs = b"smoke: {unit: {command: pytest}, gone: {command: pytest}, same: {command: pytest}}\n"
    head = b"smoke: {unit: {command: make}, same: {command: pytest}}\n"
    rules = load_rules(change({"rules.yaml": GOOD + jobs}, {"rules.yaml": GOOD + head}), None)
    assert rules.edited == {"smoke job unit", "smoke job gone"}
    assert [each.command for each in rules.jobs] == ["pytest"] * 3
    assert "changes smoke job gone; changes smoke job unit" in rules.notes[0]


def test_every_field_of_the_schema_is_a_key_of_the_json_schema() -> None:
    schema = msgspec.json.schema(RulesFile)["$defs"]
    for kind in get_args(AnyRule):
        assert schema[kind.__name__]["properties"].keys() - {"check"} == {field.key for field in fields_of(kind)}


def test_bytes_that_are_not_utf_8_are_told_with_their_line() -> None:
    assert problems_of(b"version: 1\n# caf\xe9\ntwins: []\n") == (
        "rules.yaml:2: the file is not UTF-8 (byte 0xe9); it takes: a YAML file in UTF-8",
    )


@pytest.mark.parametrize("text", [b"", b"# nothing but a comment\n", b"---\n"])
def test_an_empty_file_is_told_what_it_takes(text: bytes) -> None:
    (problem,) = problems_of(text)
    assert problem.endswith("it takes: `version: 1` and `twins`") or "`version`, `twins`" in problem


def test_aliases_that_multiply_are_stopped_and_not_written_out() -> None:
    bomb = b"version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in range(1, 9):
        bomb += b"a%d: &a%d [%s]\n" % (level, level, b", ".join([b"*a%d" % (level - 1)] * 10))
    (problem,) = problems_of(bomb + b"twins: []\n")
    assert f"more than {MOST_VALUES} values" in problem


def test_an_alias_inside_itself_is_stopped() -> None:
    (problem,) = problems_of(b"version: 1\ntwins: &t\n  - *t\n")
    assert "inside one another" in problem


@pytest.mark.parametrize("text", [b"[" * 100_000, b"- " * 100_000, b"{a: " * 100_000, b"a" * 2_000_000])
def test_nesting_or_size_without_end_is_an_error_like_any_other(text: bytes) -> None:
    assert len(problems_of(b"version: 1\ntwins: " + text)) == 1


words = st.text(max_size=5) | st.sampled_from(
    ["version", "twins", "id", "sides", "why", "same", "mode", "a.py", "rules"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=15,
)


def said_of(data: bytes) -> tuple[str, ...]:
    """The ids of the twins, or the mistakes: never nothing, never anything else."""
    try:
        return tuple(twins.id for twins in rules_of(data).twins)
    except RulesError as error:
        return error.problems


@given(values, values)
def test_no_yaml_gives_anything_but_rules_or_their_mistakes(twins: object, rest: object) -> None:
    for tree in (
        rest,
        {"version": 1, "twins": twins},
        {"version": 1, "twins": [twins], "rules": [rest], "smoke": rest},
    ):
        said = said_of(yaml.safe_dump(tree, allow_unicode=True).encode("utf-8", "surrogatepass"))
        assert said
        assert all(line.isprintable() for line in said)


@given(st.binary(max_size=60))
def test_no_bytes_give_anything_but_rules_or_their_mistakes(data: bytes) -> None:
    assert said_of(data)
    assert said_of(GOOD + data)


def test_a_committed_head_is_judged_by_the_rules_of_its_base() -> None:
    rules = load_rules(change({"rules.yaml": GOOD}, {"rules.yaml": OTHER}), None)
    assert [twins.id for twins in rules.twins] == ["clients"]
    assert rules.source == RulesSource("rules.yaml", "base", changed_by_head=True)
    assert rules.notes == (
        "used the base's rules.yaml; the head's adds twins more; changes twins clients, which counts once it is merged",
    )


WAIVERS = b"""\
waivers:
  - {finding: 12345678, reason: The async side has no pool., by: ada, expires: 2026-06-30}
  - rule: base_class
    where: src/**/a.py::Client
    reason: "#12"
"""


def test_waivers_become_values_with_their_lines() -> None:
    assert rules_of(GOOD + WAIVERS).waivers == (
        Waiver("The async side has no pool.", finding="12345678", by="ada", expires=date(2026, 6, 30), line=5),
        Waiver("#12", name="base_class", where="src/**/a.py::Client", line=6),
    )


def test_the_waivers_of_a_committed_head_do_not_count_before_they_are_merged() -> None:
    rules = load_rules(change({"rules.yaml": GOOD}, {"rules.yaml": GOOD + WAIVERS}), None)
    assert rules.waivers == ()
    assert rules.notes == (
        "used the base's rules.yaml; the head's changes no twins; adds 2 waivers, which counts once it is merged",
    )
    rules = load_rules(change({"rules.yaml": GOOD + WAIVERS}, {"rules.yaml": GOOD}), None)
    assert [waiver.added_by_head for waiver in rules.waivers] == [False, False]
    assert "removes 2 waivers" in rules.notes[0]


@pytest.mark.parametrize(
    ("base", "added"),
    [
        ({}, [True, True]),
        ({"rules.yaml": GOOD}, [True, True]),
        ({"rules.yaml": GOOD + WAIVERS}, [False, False]),
        ({"rules.yaml": GOOD + WAIVERS.replace(b"ada", b"grace")}, [True, False]),
        ({"rules.yaml": b"version: 1\ntwins: 5\n"}, [True, True]),
    ],
)
def test_waivers_that_are_not_committed_count_and_are_known_as_new(base: dict[str, bytes], added: list[bool]) -> None:
    rules = load_rules(change(base, {"rules.yaml": GOOD + WAIVERS}, "WORKTREE"), None)
    assert [waiver.added_by_head for waiver in rules.waivers] == added


def test_the_waivers_of_a_head_whose_base_has_no_rules_are_all_new() -> None:
    rules = load_rules(change({}, {"rules.yaml": GOOD + WAIVERS}), None)
    assert [waiver.added_by_head for waiver in rules.waivers] == [True, True]


def test_rules_that_head_leaves_alone_need_no_note() -> None:
    rules = load_rules(change({"rules.yaml": GOOD}, {"rules.yaml": GOOD}), None)
    assert rules.source == RulesSource("rules.yaml", "base")
    assert rules.notes == ()


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({}, "takes it away"),
        ({"rules.yaml": b"version: 1\ntwins: 5\n"}, "rules.yaml:2: `twins` is the number `5`"),
        ({".consistency-bot.yaml": GOOD, "rules.yaml": GOOD}, "has two"),
        ({"rules.yaml": GOOD + b"# a comment\n"}, "changes no twins"),
    ],
)
def test_rules_that_head_breaks_or_removes_do_not_judge_it_and_are_told(head: dict[str, bytes], said: str) -> None:
    rules = load_rules(change({"rules.yaml": GOOD}, head), None)
    assert rules.source == RulesSource("rules.yaml", "base", changed_by_head=True)
    assert said in rules.notes[0]


def test_a_base_without_rules_is_judged_by_those_of_head_which_is_told() -> None:
    rules = load_rules(change({}, {".consistency-bot.yaml": GOOD}), None)
    assert rules.source == RulesSource(".consistency-bot.yaml", "head", changed_by_head=True)
    assert rules.notes == (
        "the base commit aaaaaaaaaaaa has no rules file: used .consistency-bot.yaml of the head commit bbbbbbbbbbbb",
    )


@pytest.mark.parametrize("head_name", ["WORKTREE", "INDEX"])
def test_what_is_not_committed_is_judged_by_its_own_rules(head_name: str) -> None:
    rules = load_rules(change({"rules.yaml": GOOD}, {"rules.yaml": OTHER}, head_name), None)
    assert [twins.id for twins in rules.twins] == ["clients", "more"]
    assert rules.source == RulesSource("rules.yaml", "worktree", changed_by_head=True)
    assert rules.notes == ()


def test_a_file_from_the_command_line_comes_before_all_others() -> None:
    rules = load_rules(change({"rules.yaml": b"[", ".consistency-bot.yaml": GOOD}, {}), RulesText("../r.yml", OTHER))
    assert rules.source == RulesSource("../r.yml", "file")
    assert len(rules.twins) == 2


def test_two_rules_files_are_a_mistake() -> None:
    both = {"rules.yaml": GOOD, ".consistency-bot.yaml": GOOD}
    for base, head, head_name in ((both, {}, "b" * 40), ({}, both, "b" * 40), ({}, both, "WORKTREE")):
        with pytest.raises(RulesError, match=r"both .consistency-bot.yaml and rules.yaml hold rules in the"):
            load_rules(change(base, head, head_name), None)


@pytest.mark.parametrize(
    "foreign", [b"version: 1\nrules: []\n", b"twins: []\n", b"a:\n  version: 1\n  twins: []\n", b"\xff\xfe", b""]
)
def test_a_rules_yaml_of_another_tool_is_not_ours(foreign: bytes) -> None:
    rules = load_rules(change({"rules.yaml": foreign, ".consistency-bot.yaml": GOOD}, {}), None)
    assert rules.source.path == ".consistency-bot.yaml"


def test_a_rules_yaml_of_ours_with_a_slip_of_yaml_is_told_and_not_passed_over() -> None:
    with pytest.raises(RulesError, match=r"rules.yaml:3: not YAML"):
        load_rules(change({"rules.yaml": b"version: 1\ntwins: [\n"}, {}), None)


def test_without_any_rules_the_error_shows_what_to_begin_with() -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(change({}, {"rules.yaml": b"version: 3\n"}), None)
    message = str(caught.value)
    assert "rules.yaml in the head commit bbbbbbbbbbbb has no `version` and `twins`" in message
    example = message.partition("\n\n")[2]
    assert len(example.splitlines()) == 3
    assert len(rules_of(example.encode()).twins) == 1


def test_the_rules_of_this_repository_are_good() -> None:
    root = Path(__file__).parent.parent
    rules = rules_of((root / "rules.yaml").read_bytes())
    patterns = [pattern for twins in rules.twins for side in twins.sides for pattern in side.patterns]
    assert all(any(root.glob(pattern.replace("{kind}", "*"))) for pattern in patterns)
