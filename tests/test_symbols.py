"""Sides that are classes or functions of a file, twins inside one file among them."""

from collections.abc import Sequence

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Change, ChangedPath, Finding, Report, Rules, RulesSource, Side, Twins

ONE_FILE = b"""\
import json as j
from errors import BusyError

LIMIT = 3


class Client:
    def send(self, text, retries=LIMIT):
        if self.is_busy(text):
            raise BusyError(text)
        return self.post(j.dumps(text))


def helper(x):
    return x + 1


class AsyncClient:
    async def send(self, text, retries=LIMIT):
        if self.is_busy(text):
            raise BusyError(text)
        return await self.post(j.dumps(text))
"""


def report_of(change: Change, **sides: str | Sequence[str]) -> Report:
    made = tuple(Side(name, (text,) if isinstance(text, str) else tuple(text)) for name, text in sides.items())
    return check_change(Rules((Twins("pair", made),), RulesSource("rules.yaml", "file")), change)


def in_one_file(head: bytes, base: bytes = ONE_FILE) -> Report:
    change = change_between({"client.py": base}, {"client.py": head})
    return report_of(change, sync="client.py::Client", awaited="client.py::AsyncClient")


def told(findings: Sequence[Finding]) -> list[tuple[str, str, str | None]]:
    return [(each.verdict, each.changed.side, each.changed.function) for each in findings if each.changed is not None]


def edited(old: bytes, new: bytes, last: bool = False) -> bytes:
    """`ONE_FILE` with the first, or the last, `old` replaced."""
    if last:
        return new.join(ONE_FILE.rsplit(old, 1))
    return ONE_FILE.replace(old, new, 1)


def test_a_change_to_one_of_two_classes_in_a_file_is_missed_by_the_other() -> None:
    report = in_one_file(edited(b"self.is_busy(text)", b"self.is_busy(text) and retries"))
    assert told(report.findings) == [("missed", "sync", "Client.send")]
    assert report.findings[0].counterpart is not None
    assert report.findings[0].counterpart.function == "AsyncClient.send"
    assert report.twins_checked[0].modified == ("sync",)
    assert report.twins_checked[0].sides == {"sync": ("client.py",), "awaited": ("client.py",)}


def test_the_same_change_to_both_classes_in_a_file_is_in_step() -> None:
    report = in_one_file(ONE_FILE.replace(b"self.is_busy(text)", b"self.is_busy(text) and retries"))
    assert report.findings == ()
    assert report.twins_checked[0].modified == ("sync", "awaited")


def test_a_change_beside_the_symbols_touches_no_twins() -> None:
    assert in_one_file(edited(b"x + 1", b"x + 2")).twins_checked == ()


def test_an_import_that_makes_a_symbol_say_something_else_touches_it() -> None:
    base = b"ValueError".join(ONE_FILE.rsplit(b"BusyError", 1))
    report = in_one_file(base.replace(b"import BusyError", b"import FullError as BusyError"), base)
    assert report.twins_checked[0].modified == ("sync",)


def test_names_bound_by_the_imports_of_the_file_are_resolved_in_a_symbol() -> None:
    head = ONE_FILE.replace(b"import json as j\n", b"import json\n").replace(b"j.dumps", b"json.dumps")
    assert in_one_file(head).findings == ()


def test_functions_of_any_names_are_counterparts_where_the_rules_say_so() -> None:
    base = b"def fit(batch):\n    step(batch, 1)\n\n\ndef run_epoch(batch):\n    step(batch, 1)\n"
    change = change_between({"t.py": base}, {"t.py": base.replace(b"1", b"2", 1)})
    report = report_of(change, a="t.py::fit", b="t.py::run_epoch")
    assert told(report.findings) == [("missed", "a", "fit")]


def test_methods_of_two_classes_are_counterparts_where_the_rules_say_so() -> None:
    base = (
        b"class A:\n    def fit(self, x):\n        step(x, 1)\n\nclass B:\n    def go(self, x):\n        step(x, 1)\n"
    )
    change = change_between({"t.py": base}, {"t.py": base.replace(b"1", b"2", 1)})
    assert told(report_of(change, a="t.py::A.fit", b="t.py::B.go").findings) == [("missed", "a", "A.fit")]


def test_a_symbol_works_in_a_list_with_other_files() -> None:
    one = b"class A:\n    def fit(self, x):\n        return helper(x)\n\n\ndef other():\n    pass\n"
    helper = b"def helper(x):\n    return step(x, 1)\n"
    files = {"a.py": one, "b.py": one, "help_a.py": helper, "help_b.py": helper}
    change = change_between(files, files | {"help_a.py": helper.replace(b"1", b"2")})
    report = report_of(change, a=("a.py::A", "help_a.py"), b=("b.py::A", "help_b.py"))
    assert told(report.findings) == [("missed", "a", "helper")]


def test_a_renamed_file_keeps_its_symbols() -> None:
    head = edited(b"self.is_busy(text)", b"self.is_busy(text) and retries")
    whole = change_between({"client.py": ONE_FILE}, {"api.py": head})
    change = Change(whole.base_name, whole.head_name, whole.base, whole.head, (ChangedPath("client.py", "api.py"),))
    for path in ("client.py", "api.py"):
        report = report_of(change, sync=f"{path}::Client", awaited=f"{path}::AsyncClient")
        drift = [each for each in report.findings if each.verdict != "one_sided"]
        assert told(drift) == [("missed", "sync", "Client.send")]
        assert report.twins_checked[0].sides["sync"] == ("api.py",)


def test_a_symbol_taken_away_ends_the_pair_and_is_told() -> None:
    head = ONE_FILE[: ONE_FILE.index(b"class AsyncClient")]
    report = in_one_file(head)
    assert [(each.verdict, each.blocks, each.concept) for each in report.findings] == [("one_sided", False, "symbol")]
    assert report.findings[0].message == (
        "awaited ends here: this change takes `AsyncClient` out of client.py; with it this pair ends here: sync (client.py)"
        " goes on alone, and nothing is held against it from now on. If that is meant, retire the entry (`status:"
        " {retired: awaited}` tells when awaited comes back), or take the twins out of the rules with it."
    )


def test_a_symbol_that_is_new_begins_the_pair_and_is_told() -> None:
    base = ONE_FILE[: ONE_FILE.index(b"class AsyncClient")]
    report = in_one_file(ONE_FILE, base)
    (finding,) = report.findings
    assert finding.message == (
        "awaited begins here: `AsyncClient` is new in client.py, so there is nothing before this change to compare;"
        " it is held against sync (client.py) from the next change on."
    )


def test_a_symbol_that_exists_nowhere_is_told_with_the_name_that_is_like_it() -> None:
    change = change_between({"client.py": ONE_FILE}, {"client.py": edited(b"retries=LIMIT", b"retries=4")})
    report = report_of(change, sync="client.py::Client", awaited="client.py::AsyncClinet")
    assert [(each.verdict, each.blocks) for each in report.findings] == [("undecided", False)]
    assert report.findings[0].message == (
        "awaited names `AsyncClinet` in client.py, which has no such class or function at base or at head (did you mean"
        " `AsyncClient`?): nothing is held against this side. A slip in the rules, or something that is not there yet or"
        " any more."
    )


@pytest.mark.parametrize(
    ("head", "verdicts"),
    [
        (edited(b"x + 1", b"x + (1"), {"unknown"}),
        (edited(b"self.is_busy(text)", b"self.is_busy(", last=True), {"unknown"}),
        (ONE_FILE + b"\n\ndef broken(:\n    return\n", set()),
    ],
    ids=["hides what follows", "in a symbol", "elsewhere"],
)
def test_a_syntax_error_counts_where_it_reaches_a_symbol(head: bytes, verdicts: set[str]) -> None:
    assert {each.verdict for each in in_one_file(head).findings} == verdicts


def test_a_symbol_that_was_broken_before_is_judged_as_far_as_it_can_be_read() -> None:
    """Found in the history of a real client: an `await` in the midst of what the grammar could not read."""
    call = b"        return await self.post(j.dumps(text))\n"
    broken = ONE_FILE.replace(
        call, b"        return await self.post(\n            make(\n" + b"            make(j.dumps(text)))\n"
    )
    assert not any(each.verdict == "unknown" for each in in_one_file(ONE_FILE, broken).findings)
    assert in_one_file(broken, broken).findings == ()


def test_words_of_the_rest_of_the_file_are_not_those_of_a_side() -> None:
    """Names that only the other class has are its own, although both stand in one file: a rename is learnt."""
    base = ONE_FILE.replace(b"await self.post", b"await self.put_off").replace(b"def helper", b"def post")
    head = base.replace(b"self.post(j.dumps(text))", b"self.post(j.dumps(text), 1)")
    report = in_one_file(head.replace(b"put_off(j.dumps(text))", b"put_off(j.dumps(text), 1)"), base)
    assert report.findings == ()
