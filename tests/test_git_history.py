"""Where a change starts in histories that are cut off, rewritten, crossed, or not related at all."""

import re
import shlex
from pathlib import Path

import pytest

from consistency_bot.git import read_change
from consistency_bot.model import ChangedPath
from repositories import Repository, change, modified, refused

pytestmark = pytest.mark.usefixtures("isolated")


def commands_in(message: str) -> list[list[str]]:
    """The git commands that a message tells the user to run."""
    return [shlex.split(command)[1:] for command in re.findall("`(git fetch [^`]*)`", message)]


def merge(repository: Repository, *names: str) -> str:
    """Merge branches into the one that is checked out; the merge commit's id."""
    repository.git("merge", "-q", "--no-ff", "-m", "a merge", *names)
    return repository.git("rev-parse", "HEAD")


@pytest.fixture
def parted(repository: Repository) -> Repository:
    """`main` and `feature`, checked out, have each gone on by two commits from the first one."""
    repository.git("branch", "feature")
    repository.commit(a="a = 2\n")
    repository.commit(a="a = 3\n")
    repository.git("checkout", "-q", "feature")
    repository.commit(b="b = 2\n")
    repository.commit(b="b = 3\n")
    return repository


# Commits that are no edit


def test_an_empty_commit_changes_nothing(repository: Repository) -> None:
    repository.git("commit", "-q", "--allow-empty", "-m", "nothing")
    for head in ("HEAD", None):
        with change(repository, "HEAD~1", head) as read:
            assert read.paths == ()
            assert read.head.read("a.py") == b"a = 1\n"


def test_a_head_that_base_already_has_changes_nothing(parted: Repository) -> None:
    for base, head in (("main", "main~1"), ("main", "main"), ("main", "feature~2")):
        with change(parted, base, head) as read:
            assert read.paths == ()
            assert read.base_name == read.head_name == parted.git("rev-parse", head)


def test_what_a_merge_brought_in_from_base_is_not_its_change(parted: Repository) -> None:
    tip = parted.git("rev-parse", "main")
    head = merge(parted, "main")
    for base in ("main", tip):
        with change(parted, base, head) as read:
            assert read.base_name == tip
            assert read.paths == modified("b.py")
    with change(parted, "HEAD~1", head) as read:  # against its first parent it is what came in
        assert read.paths == modified("a.py")


def test_a_merge_of_more_than_two_is_judged_from_any_of_its_parents(parted: Repository) -> None:
    parted.git("checkout", "-q", "-b", "third", "main~2")
    parted.commit(c="c = 1\n")
    merge(parted, "main", "feature")
    for base, paths in (("main", {"b.py", "c.py"}), ("feature", {"a.py", "c.py"}), ("HEAD^1", {"a.py", "b.py"})):
        with change(parted, base, "third") as read:
            assert {path.new for path in read.paths} == paths


def test_histories_that_crossed_start_where_git_says(parted: Repository) -> None:
    tips = [parted.git("rev-parse", name) for name in ("main", "feature")]
    merge(parted, tips[0])
    parted.git("checkout", "-q", "main")
    merge(parted, tips[1])
    parted.commit(c="c = 1\n")
    assert set(parted.git("merge-base", "--all", "main", "feature").split()) == set(tips)
    with change(parted, "feature", "main") as read:
        assert read.base_name == parted.git("merge-base", "feature", "main")
        assert read.base_name in tips
        named = parted.git("diff", "--name-only", "feature...main").split()
        assert [path.new for path in read.paths] == named


# Work in progress


def test_a_bisection_is_judged_at_the_commit_it_stands_at(parted: Repository) -> None:
    parted.git("bisect", "start", "feature", "feature~2")
    parted.write("a.py", "a = 4\n")
    with change(parted, "main", None) as read:
        assert read.base_name == parted.git("rev-parse", "main~2")
        assert read.paths == modified("a.py", "b.py")


def test_a_rebase_that_stopped_is_judged_with_its_conflict_in_the_working_tree_alone(parted: Repository) -> None:
    parted.commit(a="a = 'ours'\n")
    with pytest.raises(AssertionError):
        parted.git("rebase", "-q", "main")
    with change(parted, "main", None) as read:
        assert read.base_name == parted.git("rev-parse", "main")
        assert b"<<<<<<<" in (read.head.read("a.py") or b"")
        assert read.head.read("b.py") == b"b = 3\n"
    assert "unresolved conflicts in a.py; resolve them" in refused(parted, "main", staged=True)
    parted.write("a.py", "a = 'both'\n")
    parted.git("add", "a.py")
    with read_change(str(parted), "main", None, staged=True) as read:
        assert read.paths == modified("a.py", "b.py")


def test_many_conflicts_are_counted_and_not_all_named(repository: Repository) -> None:
    blob = repository.git("rev-parse", "HEAD:a.py")
    lines = "".join(f"100644 {blob} {stage}\tf{number}.py\n" for number in range(7) for stage in (1, 2, 3))
    repository.git("update-index", "--index-info", stdin=lines.encode())
    assert "in f0.py, f1.py, f2.py, f3.py, f4.py and 2 more; resolve" in refused(repository, staged=True)


# Histories that are cut off


@pytest.mark.parametrize("number", [0, 1])
def test_each_fetch_that_a_message_names_brings_the_merge_base(parted: Repository, tmp_path: Path, number: int) -> None:
    shallow = parted.clone(tmp_path / "shallow", "--depth=1", "--no-single-branch")
    message = refused(shallow, "origin/main", "origin/feature")
    assert "this clone is shallow" in message
    assert "`fetch-depth: 0` at actions/checkout" in message
    shallow.git(*commands_in(message)[number], "-q")
    with change(shallow, "origin/main", "origin/feature") as read:
        assert read.paths == modified("b.py")


def test_the_fetches_that_messages_name_cure_a_clone_of_one_branch_step_by_step(
    parted: Repository, tmp_path: Path
) -> None:
    clone = parted.clone(tmp_path / "shallow", "--depth=1", "--branch=feature")
    message = refused(clone, "origin/main", "HEAD")
    assert commands_in(message) == [
        ["fetch", "--unshallow", "origin", "+refs/heads/main:refs/remotes/origin/main"],
    ]
    clone.git(*commands_in(message)[0], "-q")
    with change(clone, "origin/main", "HEAD") as read:
        assert read.paths == modified("b.py")


def test_a_commit_beyond_the_end_of_a_shallow_clone_is_brought_by_the_named_fetch(
    parted: Repository, tmp_path: Path
) -> None:
    base = parted.git("rev-parse", "feature~2")
    shallow = parted.clone(tmp_path / "shallow", "--depth=1", "--branch=feature")
    message = refused(shallow, base, "HEAD")
    assert repr(base) in message
    shallow.git(*commands_in(message)[0], "-q")
    with change(shallow, base, "HEAD") as read:
        assert read.paths == modified("b.py")


def test_a_parent_that_was_fetched_by_itself_is_enough(parted: Repository, tmp_path: Path) -> None:
    base, head = parted.git("rev-parse", "feature~1", "feature").split()
    shallow = parted.clone(tmp_path / "shallow", "--depth=1", "--branch=feature")
    shallow.git("fetch", "-q", "--depth=1", "origin", base)
    with change(shallow, base, head) as read:
        assert read.paths == modified("b.py")


# Histories that are rewritten or not related


def test_unrelated_histories_have_no_change_between_them(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "other")
    repository.commit(a="a = 2\n")
    for head in ("other", None):
        assert "their histories are unrelated; name another --base" in refused(repository, "main", head)


def graft(repository: Repository, how: str, commit: str, *parents: str) -> None:
    """Give a commit other parents, by a replacement or by the older file of grafts."""
    if how == "replacement":
        repository.git("replace", "--graft", commit, *parents)
    else:
        grafts = repository.folder / ".git" / "info" / "grafts"
        grafts.write_text(" ".join((commit, *parents)) + "\n")


@pytest.mark.parametrize("how", ["replacement", "graft"])
def test_a_history_that_was_joined_is_followed(repository: Repository, how: str) -> None:
    old = repository.git("rev-parse", "main")
    repository.git("checkout", "-q", "--orphan", "imported")
    first = repository.commit(a="a = 2\n")
    repository.commit(c="c = 1\n")
    assert "unrelated" in refused(repository, old, "imported")
    graft(repository, how, first, old)
    for head in ("imported", None):
        with change(repository, old, head) as read:
            assert read.base_name == old
            assert set(read.paths) == {*modified("a.py"), ChangedPath(None, "c.py")}


@pytest.mark.parametrize("how", ["replacement", "graft"])
def test_a_history_that_was_cut_says_what_hides_the_rest(parted: Repository, how: str) -> None:
    graft(parted, how, parted.git("rev-parse", "feature~1"))
    message = refused(parted, "main", "feature")
    assert "replacements or grafts change the history" in message
    assert "git replace --list" in message


def test_a_replaced_history_is_cured_as_the_message_says(parted: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    graft(parted, "replacement", parted.git("rev-parse", "feature~1"))
    assert "GIT_NO_REPLACE_OBJECTS=1" in refused(parted, "main", "feature")
    monkeypatch.setenv("GIT_NO_REPLACE_OBJECTS", "1")
    with change(parted, "main", "feature") as read:
        assert read.paths == modified("b.py")
