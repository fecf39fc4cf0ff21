"""A side that is not there yet, or not any more: told in a sentence of its own, and never blocking."""

from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Change, ChangedPath, Report, Rules, RulesSource, Side, Twins

CODE = b"def send(text, limit=3):\n    if len(text) > limit:\n        raise ValueError(text)\n    return post(text)\n"
MOVED = CODE.replace(b"> limit", b">= limit")


def report_of(change: Change, **sides: str | tuple[str, ...]) -> Report:
    made = tuple(Side(name, (text,) if isinstance(text, str) else text) for name, text in sides.items())
    return check_change(Rules((Twins("pair", made),), RulesSource("rules.yaml", "file")), change)


def renamed(change: Change, old: str, new: str) -> Change:
    """The change with one path that went and one that came taken for a rename."""
    paths = tuple(each for each in change.paths if old not in (each.old, each.new) and new not in (each.old, each.new))
    return Change(change.base_name, change.head_name, change.base, change.head, (*paths, ChangedPath(old, new)))


def test_a_side_that_is_taken_away_ends_the_pair() -> None:
    report = report_of(change_between({"a.py": CODE, "b.py": CODE}, {"b.py": CODE}), a="a.py", b="b.py")
    (finding,) = report.findings
    assert (finding.verdict, finding.blocks, finding.concept) == ("one_sided", False, "file")
    assert finding.message == (
        "a ends here: this change takes a.py away; with it this pair ends here: b (b.py) goes on alone, and nothing is held"
        " against it from now on. If that is meant, retire the entry (`status: {retired: a}` tells when a comes back), or"
        " take the twins out of the rules with it."
    )
    assert report.conclusion == "in_step"
    assert report.twins_checked[0].sides == {"a": (), "b": ("b.py",)}
    assert report.twins_checked[0].modified == ("a",)


def test_one_of_three_sides_that_is_taken_away_leaves_the_others_to_be_judged() -> None:
    files = {"a.py": CODE, "b.py": CODE, "c.py": CODE}
    report = report_of(change_between(files, {"b.py": MOVED, "c.py": CODE}), a="a.py", b="b.py", c="c.py")
    assert [(each.verdict, each.changed and each.changed.side) for each in report.findings] == [
        ("one_sided", "a"),
        ("missed", "b"),
    ]
    assert "b (b.py) and c (c.py) go on without it" in report.findings[0].message


def test_all_sides_taken_away_together_are_in_step() -> None:
    assert report_of(change_between({"a.py": CODE, "b.py": CODE}, {}), a="a.py", b="b.py").findings == ()


def test_a_side_that_is_new_begins_the_pair_and_is_not_blamed() -> None:
    report = report_of(change_between({"a.py": CODE}, {"a.py": CODE, "b.py": MOVED}), a="a.py", b="b.py")
    (finding,) = report.findings
    assert (finding.verdict, finding.blocks) == ("one_sided", False)
    assert finding.message == (
        "b begins here: b.py is new, so there is nothing before this change to compare; it is held against a (a.py)"
        " from the next change on."
    )


def test_sides_that_are_all_new_are_held_against_each_other() -> None:
    report = report_of(change_between({}, {"a.py": CODE, "b.py": MOVED}), a="a.py", b="b.py")
    assert {each.verdict for each in report.findings} == {"diverged"}


def test_a_side_that_exists_nowhere_is_told() -> None:
    report = report_of(change_between({"a.py": CODE}, {"a.py": MOVED}), a="a.py", b="bb.py")
    (finding,) = report.findings
    assert (finding.verdict, finding.blocks) == ("undecided", False)
    assert finding.message == (
        "b names bb.py, which is neither at base nor at head: nothing is held against this side. A slip in the rules, or"
        " something that is not there yet or any more."
    )
    assert finding.changed is not None
    assert finding.counterpart is not None
    assert (finding.changed.side, finding.counterpart.path) == ("a", "bb.py")


def test_one_of_several_files_of_a_side_that_exists_nowhere_is_told_and_the_rest_is_judged() -> None:
    change = change_between({"a.py": CODE, "b.py": CODE}, {"a.py": MOVED, "b.py": CODE})
    report = report_of(change, a="a.py", b=("b.py", "help.py", "lib/*.py"))
    assert [each.verdict for each in report.findings] == ["undecided", "missed"]
    assert "help.py, which is neither at base nor at head: it is passed over." in report.findings[0].message


def test_a_wildcard_that_matches_nothing_is_told_where_it_is_all_that_a_side_has() -> None:
    report = report_of(change_between({"a.py": CODE}, {"a.py": MOVED}), a="a.py", b="lib/*.py")
    assert "b names lib/*.py, which matches no file at base or at head" in report.findings[0].message


def test_a_file_that_is_renamed_is_followed_whichever_name_the_rules_have() -> None:
    change = renamed(
        change_between({"a.py": CODE, "b.py": CODE}, {"new/a.py": MOVED, "b.py": CODE}), "a.py", "new/a.py"
    )
    for path, verdicts in (("a.py", ["one_sided", "missed"]), ("new/a.py", ["missed"])):
        report = report_of(change, a=path, b="b.py")
        assert [each.verdict for each in report.findings] == verdicts
        assert report.twins_checked[0].sides["a"] == ("new/a.py",)


def test_a_rename_that_the_rules_do_not_follow_is_told_and_does_not_block() -> None:
    change = renamed(change_between({"a.py": CODE, "b.py": CODE}, {"new/a.py": CODE, "b.py": CODE}), "a.py", "new/a.py")
    (found,) = report_of(change, a="a.py", b="b.py").findings
    assert (found.verdict, found.blocks) == ("one_sided", False)
    assert found.message.startswith(
        "a goes on as new/a.py, renamed by this change; an entry of the rules that does not"
    )
    assert report_of(change, a="new/a.py", b="b.py").findings == ()
    assert report_of(change, a=("a.py", "new/*.py"), b="b.py").findings == ()


def test_a_file_renamed_to_the_other_side_is_not_followed() -> None:
    """The name belongs to side b: a is gone, and b is what a was."""
    change = renamed(change_between({"a.py": CODE}, {"b.py": MOVED}), "a.py", "b.py")
    found = report_of(change, a="a.py", b="b.py").findings
    assert [each.message.partition(":")[0] for each in found] == ["a ends here", "b begins here"]


def test_a_file_that_becomes_another_kind_of_thing_ends_its_side() -> None:
    """A symbolic link or a folder at the path is no file of the side, and git tells it under the same name."""
    change = change_between({"a.py": CODE, "b.py": CODE}, {"b.py": CODE})
    paths = (ChangedPath("a.py", "a.py"),)
    report = report_of(Change("0" * 40, "1" * 40, change.base, change.head, paths), a="a.py", b="b.py")
    assert "a ends here" in report.findings[0].message


DEAD = Rules((Twins("pair", (Side("a", ("aa.py",)), Side("b", ("b.py",)))),), RulesSource("rules.yaml", "worktree"))


def test_a_path_that_matches_nothing_is_told_as_soon_as_the_rules_are_new() -> None:
    base = {"b.py": CODE, "c.py": CODE}
    told = check_change(DEAD, change_between(base, {**base, "rules.yaml": b"version: 1"})).findings
    assert [(each.verdict, each.blocks) for each in told] == [("undecided", False)]
    assert "a names aa.py, which is neither at base nor at head" in told[0].message


def test_while_nothing_touches_the_twins_nor_the_rules_it_is_not_told_again() -> None:
    base = {"b.py": CODE, "c.py": CODE, "rules.yaml": b"version: 1"}
    assert not check_change(DEAD, change_between(base, {**base, "c.py": MOVED})).findings


def test_new_rules_whose_paths_are_all_there_look_at_nothing_that_the_change_leaves_alone() -> None:
    base = {"aa.py": CODE, "b.py": MOVED}
    report = check_change(DEAD, change_between(base, {**base, "rules.yaml": b"version: 1"}))
    assert not report.findings
    assert not report.twins_checked
