"""`rules check`: what a rules file is told about nothing, each both ways: met in silence, unmet with a notice."""

import pytest
from memory_tree import MemoryTree, rules_from

from consistency_bot.survey.notices import notices_of

TWINS = "version: 1\ntwins:\n  - {id: clients, sides: {sync: a.py, async: b.py}}\n"
SYNC = b"""\
import httpx
from lib import apply_fix_patch


class Client:
    def start(self, config):
        apply_fix_patch()
        if config.http3 and config.proxy:
            raise ValueError("not both")
        self.client = httpx.Client()
"""
ASYNC = SYNC.replace(b"        apply_fix_patch()\n", b"        apply_fix_patch()\n        apply_loop_patch()\n")
FILES = {"a.py": SYNC, "b.py": ASYNC}
FIX, FIX_IT = "correct the name, or take it out", "correct it, or take it out"
CALLS = 'check: patch_calls, names: "apply_*_patch"'


def notices(rules: str, files: dict[str, bytes] | None = None) -> list[str]:
    """Every notice as `line: subject: what`."""
    tree = MemoryTree(FILES if files is None else files)
    return [f"{each.line}: {each.subject}: {each.what}" for each in notices_of(rules_from(TWINS + rules), tree)]


def of_rule(keys: str) -> str:
    return f"rules:\n  - {{id: it, twins: clients, {keys}}}\n"


@pytest.mark.parametrize("anchor", ["httpx.Client", "Client", "httpx.*", "*Client", "ValueError"])
@pytest.mark.parametrize("key", ["before", "after"])
def test_an_anchor_that_a_side_calls_is_passed_in_silence(key: str, anchor: str) -> None:
    assert notices(of_rule(f'{CALLS}, {key}: ["{anchor}"]')) == []


@pytest.mark.parametrize("anchor", ["httpx.Clientt", "htpx.Client", "Clien", "Cleint*"])
@pytest.mark.parametrize("key", ["before", "after"])
def test_an_anchor_that_no_side_calls_is_told(key: str, anchor: str) -> None:
    assert notices(of_rule(f'{CALLS}, {key}: ["{anchor}"]')) == [
        f"5: rule it: `{key}`: no side calls `{anchor}` here, so no patch is held against it: {FIX}"
    ]


def test_an_anchor_behind_more_helpers_than_are_followed_is_passed_in_silence() -> None:
    chain = b"".join(b"def f%d():\n    f%d()\n\n\n" % (number, number + 1) for number in range(9))
    files = {path: data + b"\n\n" + chain + b"def f9():\n    connect()\n" for path, data in FILES.items()}
    assert notices(of_rule(f"{CALLS}, before: connect"), files) == []


@pytest.mark.parametrize("broken", [{"a.py": SYNC}, {"a.py": SYNC, "b.py": ASYNC + b"def (:\n"}])
def test_nothing_is_told_of_anchors_and_reasons_where_a_side_is_not_there_or_cannot_be_read(
    broken: dict[str, bytes],
) -> None:
    told = notices(of_rule(f"{CALLS}, before: nothing_at_all, only: {{sync: {{apply_no_patch: never}}}}"), broken)
    assert not [each for each in told if "rule it" in each]


@pytest.mark.parametrize("condition", ["http3 and proxy", "config.http3", "quick and config['proxy']"])
def test_a_refusal_whose_names_are_on_a_side_is_passed_in_silence(condition: str) -> None:
    atoms = 'atoms: {quick: ["http3", "http_3"]}\n'
    assert notices(atoms + of_rule(f'check: guards, refuse: ["{condition}"]')) == []


def test_a_refusal_of_names_that_no_side_has_is_told() -> None:
    assert notices(of_rule("check: guards, refuse: [http3 and proxi]")) == [
        "5: rule it: `refuse: http3 and proxi`: no side has the name `proxi` here: correct it, or take it out"
    ]


def test_an_atom_that_is_spelt_nowhere_is_told_and_so_is_a_refusal_by_its_name() -> None:
    atoms = 'atoms:\n  slow: ["http4", "config.htp3"]\n  quick: ["http4", "config.http3"]\n'
    assert notices(atoms + of_rule("check: guards, refuse: [slow and proxy]")) == [
        "5: atom slow: no side has one of its spellings here: correct them, or take it out",
        "8: rule it: `refuse: slow and proxy`: no side has a spelling of `slow` here: see `atoms`",
    ]


def test_an_atom_is_not_told_where_a_side_is_not_there() -> None:
    told = notices('atoms: {slow: "http4"}\n', {"a.py": SYNC})
    assert not [each for each in told if "atom" in each]


@pytest.mark.parametrize("name", ["apply_loop_patch", "apply_loop_*"])
def test_a_reason_that_excuses_something_is_passed_in_silence(name: str) -> None:
    assert notices(of_rule(f"{CALLS}, only: {{async: {{{name}: It has a loop.}}}}")) == []


@pytest.mark.parametrize(("side", "name"), [("async", "apply_zzz_patch"), ("sync", "apply_loop_patch")])
def test_a_reason_that_excuses_nothing_is_told(side: str, name: str) -> None:
    assert notices(of_rule(f"{CALLS}, only: {{{side}: {{{name}: never}}}}")) == [
        f"5: rule it: `only`: `{name}` is nothing that {side} alone does here, so its reason excuses nothing: {FIX_IT}"
    ]


def test_what_one_pair_of_captures_has_is_met() -> None:
    twins = TWINS.replace("a.py", '"s/{name}.py"').replace("b.py", '"t/{name}.py"')
    files = {"s/x.py": SYNC, "t/x.py": ASYNC, "s/y.py": b"def f():\n    pass\n", "t/y.py": b"def f():\n    pass\n"}
    rules = of_rule(f"{CALLS}, before: [httpx.Client, connect], only: {{async: {{apply_loop_patch: loop}}}}")
    found = notices_of(rules_from(twins + rules), MemoryTree(files))
    assert [each.what.partition(" here")[0] for each in found] == ["`before`: no side calls `connect`"]


@pytest.mark.parametrize("where", ["a.py", "a.py::Client", "a.py::Client.start", "*.py::Client"])
def test_a_waiver_where_something_stands_is_passed_in_silence(where: str) -> None:
    assert notices(f'waivers:\n  - {{rule: clients, where: "{where}", reason: It may.}}\n') == []


@pytest.mark.parametrize(("where", "places"), [("a.py::Cleint", "a.py"), ("*.py::Client.stop", "any of the 2 files")])
def test_a_waiver_for_a_class_or_function_that_is_not_there_is_told(where: str, places: str) -> None:
    symbol = where.partition("::")[2]
    assert notices(f'waivers:\n  - {{rule: clients, where: "{where}", reason: It may.}}\n') == [
        f"5: waiver: `where: {where}`: there is no class or function `{symbol}` in {places} here, so it waives nothing: {FIX}"
    ]


def test_a_waiver_in_a_file_that_cannot_be_read_in_full_is_passed_in_silence() -> None:
    files = {**FILES, "a.py": SYNC + b"def (:\n"}
    assert notices('waivers:\n  - {rule: clients, where: "a.py::Cleint", reason: It may.}\n', files) == []
