"""A clone that is cut off gets what the merge base needs, and never an empty or a wrong diff."""

from pathlib import Path

import pytest
from checks import CODE, MOVED, RULES

from consistency_bot.git import fetching, read_change
from consistency_bot.git.fetching import BASE, fetch_change
from repositories import Repository


@pytest.fixture
def origin(tmp_path: Path, isolated: None) -> Repository:
    """A history of 30 commits on `main` since the branch of #7 began, and 20 on that."""
    origin = Repository(tmp_path / "origin")
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
    origin.write("rules.yaml", RULES)
    origin.commit(a=CODE, b=CODE)
    origin.git("branch", "topic")
    for number in range(30):
        origin.commit(c=f"x = {number}\n")
    origin.git("checkout", "-q", "topic")
    for number in range(20):
        origin.commit(d=f"x = {number}\n")
    origin.git("update-ref", "refs/pull/7/head", origin.commit(a=MOVED))
    origin.git("checkout", "-q", "main")
    return origin


@pytest.mark.parametrize("depths", [(50,), (2, 100), (2,)], ids=["one step", "two steps", "all"])
@pytest.mark.parametrize("options", [(), ("--filter=blob:none",)], ids=["whole files", "no files"])
def test_a_shallow_clone_sees_the_whole_change_and_no_more(
    origin: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    depths: tuple[int, ...],
    options: tuple[str, ...],
) -> None:
    monkeypatch.setattr(fetching, "DEPTHS", depths)
    clone = origin.clone(tmp_path / "clone", "--depth=1", *options)
    head = origin.git("rev-parse", "topic")
    fetch_change(str(clone), "origin", "refs/heads/main", "refs/pull/7/head", head)
    with read_change(str(clone), BASE, head) as change:
        assert change.base_name == origin.git("merge-base", "main", "topic")
        assert sorted(path.new or "" for path in change.paths) == ["a.py", "d.py"]
        assert change.head.read("a.py") == MOVED.encode()


def test_a_whole_clone_stays_whole(origin: Repository, tmp_path: Path) -> None:
    clone = origin.clone(tmp_path / "clone")
    head = origin.git("rev-parse", "topic")
    fetch_change(str(clone), "origin", "refs/heads/main", "refs/pull/7/head", head)
    assert clone.git("rev-parse", "--is-shallow-repository") == "false"
    assert "promisor" not in clone.git("config", "--list")


def test_a_nearer_ancestor_behind_the_cut_is_found(
    origin: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`main` was merged into the branch: a cut must not let an older common commit pass for the merge base."""
    monkeypatch.setattr(fetching, "DEPTHS", (2, 3))
    origin.git("checkout", "-q", "topic")
    origin.git("merge", "-q", "main")
    head = origin.commit(d="x = 99\n")
    origin.git("update-ref", "refs/pull/7/head", head)
    expected = origin.git("rev-parse", "main")
    origin.git("checkout", "-q", "main")
    origin.commit(c="x = 98\n")
    clone = origin.clone(tmp_path / "clone", "--depth=1")
    fetch_change(str(clone), "origin", "refs/heads/main", "refs/pull/7/head", head)
    with read_change(str(clone), BASE, head) as change:
        assert change.base_name == expected
