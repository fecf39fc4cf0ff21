"""Entries that stand for one pair of twins for each name."""

from collections.abc import Sequence

import pytest
from memory_tree import MemoryTree, change_between

from consistency_bot.captures import pairs_of
from consistency_bot.changed import Changed
from consistency_bot.check import check_change
from consistency_bot.model import Change, ChangedPath, Report, Rules, RulesSource, Side, Twins
from consistency_bot.paths import compile_captures

CODE = b"def send(text, limit=3):\n    if len(text) > limit:\n        raise ValueError(text)\n    return post(text)\n"
MOVED = CODE.replace(b"> limit", b">= limit")
TWINS = Twins("clients", (Side("blocking", ("lib/{name}.py",)), Side("async", ("lib/aio/{name}.py",))))


def both(*names: str) -> dict[str, bytes]:
    return {f"{folder}{name}.py": CODE for name in names for folder in ("lib/", "lib/aio/")}


def renamed(change: Change, names: dict[str, str]) -> Change:
    """The change with these paths taken for renamed."""
    gone = names.keys() | set(names.values())
    paths = [each for each in change.paths if not {each.old, each.new} & gone]
    paths += [ChangedPath(old, new) for old, new in names.items()]
    return Change(change.base_name, change.head_name, change.base, change.head, tuple(paths))


def report_of(change: Change, twins: Twins = TWINS) -> Report:
    return check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change)


def told(report: Report) -> list[tuple[str | None, str]]:
    return [(each.twins, each.verdict) for each in report.findings]


def checked(report: Report) -> list[str]:
    return [each.id for each in report.twins_checked]


def test_each_name_that_the_change_touches_is_a_pair_of_its_own() -> None:
    base = both("client", "pool", "errors")
    report = report_of(change_between(base, base | {"lib/client.py": MOVED, "lib/aio/pool.py": MOVED}))
    assert told(report) == [("clients[client]", "missed"), ("clients[pool]", "missed")]
    assert checked(report) == ["clients[client]", "clients[pool]"]
    assert report.twins_checked[0].sides == {"blocking": ("lib/client.py",), "async": ("lib/aio/client.py",)}


def test_the_same_change_to_both_of_a_pair_is_in_step() -> None:
    base = both("client", "pool")
    report = report_of(change_between(base, base | {"lib/client.py": MOVED, "lib/aio/client.py": MOVED}))
    assert told(report) == []
    assert report.twins_checked[0].modified == ("blocking", "async")


def test_a_name_that_only_one_side_has_is_no_pair() -> None:
    base = both("client") | {"lib/crc.py": CODE}
    report = report_of(change_between(base, base | {"lib/crc.py": MOVED}))
    assert (told(report), checked(report)) == ([], [])


def test_a_name_that_one_side_gets_is_told() -> None:
    base = both("client")
    report = report_of(change_between(base, base | {"lib/pool.py": CODE}))
    assert told(report) == [("clients[pool]", "one_sided")]
    assert report.findings[0].message == (
        "blocking begins here: lib/pool.py is new; there is no lib/aio/pool.py to hold it against."
    )


@pytest.mark.parametrize("gone", ["lib/client.py", "lib/aio/client.py"])
def test_deleting_one_side_does_not_dissolve_the_pair_in_silence(gone: str) -> None:
    base = both("client")
    report = report_of(change_between(base, {path: data for path, data in base.items() if path != gone}))
    assert told(report) == [("clients[client]", "one_sided")]
    assert f"takes {gone} away" in report.findings[0].message
    assert not report.findings[0].blocks


def test_deleting_both_sides_of_a_pair_is_in_step() -> None:
    assert told(report_of(change_between(both("client", "pool"), both("pool")))) == []


def test_a_pair_renamed_together_is_judged_once_under_its_new_name() -> None:
    head = {"lib/core.py": MOVED, "lib/aio/core.py": CODE}
    names = {"lib/client.py": "lib/core.py", "lib/aio/client.py": "lib/aio/core.py"}
    assert told(report_of(renamed(change_between(both("client"), head), names))) == [("clients[core]", "missed")]


def test_a_half_that_is_renamed_alone_is_judged_once_more_and_the_end_of_the_pair_is_told() -> None:
    head = {"lib/core.py": MOVED, "lib/aio/client.py": CODE}
    report = report_of(renamed(change_between(both("client"), head), {"lib/client.py": "lib/core.py"}))
    assert told(report) == [("clients[client]", "one_sided"), ("clients[client]", "missed")]
    assert report.findings[0].message == (
        "blocking goes on as lib/core.py, renamed by this change; by that name nothing holds it against async"
        " (lib/aio/client.py) from the next change on."
    )


def test_a_half_renamed_while_the_other_is_deleted_ends_the_pair() -> None:
    report = report_of(renamed(change_between(both("client"), {"lib/core.py": CODE}), {"lib/client.py": "lib/core.py"}))
    assert "async ends here: this change takes lib/aio/client.py away" in report.findings[0].message


def test_a_file_that_all_pairs_share_touches_every_one_of_them() -> None:
    helper = b"def help(x):\n    return step(x, 1)\n"
    twins = Twins("clients", (Side("a", ("a/{name}.py",)), Side("b", ("b/{name}.py", "b/shared/help.py"))))
    base = {"a/one.py": CODE + helper, "b/one.py": CODE, "a/two.py": CODE, "b/two.py": CODE, "a/three.py": CODE}
    base["b/shared/help.py"] = helper
    change = change_between(base, base | {"b/shared/help.py": helper.replace(b"1", b"2")})
    report = report_of(change, twins)
    assert checked(report) == ["clients[one]", "clients[two]"]
    assert ("clients[one]", "missed") in told(report)


def test_several_captures_and_one_that_comes_twice() -> None:
    sides = (Side("a", ("{pkg}/a/{pkg}_{name}.py",)), Side("b", ("b/{name}/{pkg}.py::Client",)))
    change = change_between({"x/a/x_one.py": CODE, "x/a/y_one.py": CODE}, {"b/two/y.py": CODE})
    pairs = list(pairs_of(Twins("t", sides), change, Changed(change)))
    assert [(pair.id, pair.sides[0].patterns, pair.sides[1].patterns) for pair in pairs] == [
        ("t[x,one]", ("x/a/x_one.py",), ("b/one/x.py::Client",)),
        ("t[y,two]", ("y/a/y_two.py",), ("b/two/y.py::Client",)),
    ]
    assert pairs[0].captured == (("pkg", "x"), ("name", "one"))


def test_a_wildcard_beside_a_capture_takes_in_the_files_of_one_name() -> None:
    sides = (Side("a", ("a/{name}/*.py",)), Side("b", ("b/{name}.py",)))
    base = {"a/one/x.py": CODE, "a/one/y.py": b"X = 1\n", "b/one.py": CODE, "a/two/x.py": CODE}
    report = report_of(change_between(base, base | {"a/one/x.py": MOVED}), Twins("t", sides))
    assert told(report) == [("t[one]", "missed")]
    assert report.twins_checked[0].sides["a"] == ("a/one/x.py", "a/one/y.py")


@pytest.mark.parametrize("name", ["*", "a?b", "{x}", "a::b", "a/b"])
def test_a_name_that_would_mean_more_inside_a_pattern_is_no_name(name: str) -> None:
    _, expression = compile_captures("lib/{name}.py")
    assert expression.fullmatch(f"lib/{name}.py") is None


class Watched(MemoryTree):
    """A tree that knows what it was asked to list."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.asked: list[str] = []

    def find(self, patterns: Sequence[str]) -> list[str]:
        self.asked += patterns
        return super().find(patterns)


def test_no_folder_is_listed_to_find_the_pairs() -> None:
    base = both("client", *(f"name{number}" for number in range(50)))
    change = change_between(base, base | {"lib/client.py": MOVED})
    trees = Watched(base), Watched(base | {"lib/client.py": MOVED})
    report_of(Change(change.base_name, change.head_name, *trees, change.paths))
    assert {path for tree in trees for path in tree.asked} == {"lib/client.py", "lib/aio/client.py"}
