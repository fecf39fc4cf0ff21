"""The last changes of a finding's lines, as the comment tells them."""

from pathlib import Path

import pytest
from checks import CODE, MOVED
from github_scene import Scene

from consistency_bot.git import history
from consistency_bot.git.history import History, pull_named
from consistency_bot.model import Place
from repositories import Repository

LIMITS = [CODE.replace("limit > 1", f"limit > {number}") for number in range(2, 7)]


@pytest.fixture
def repository(tmp_path: Path, isolated: None) -> Repository:
    return Repository(tmp_path / "repository")


def touched(repository: Repository, path: str = "a.py", base: str = "HEAD") -> list[tuple[str, int | None]]:
    """The changes told of the second line, the condition's."""
    head = repository.git("rev-parse", "HEAD")
    told = History(str(repository), repository.git("rev-parse", base), head).touched(Place("a", path, 2, 2))
    return [(repository.git("log", "-1", "--format=%s", each.commit), each.pull) for each in told]


def commit(repository: Repository, subject: str, path: str = "a.py", text: str = CODE) -> None:
    repository.write(path, text)
    repository.git("add", "--all")
    repository.git("commit", "-q", "-m", subject)


def test_the_last_three_changes_are_told_the_newest_first(repository: Repository) -> None:
    for number, text in enumerate(LIMITS):
        commit(repository, f"change {number} (#{number})", text=text)
    commit(repository, "elsewhere (#9)", text=LIMITS[-1] + "\n\nx = 1\n")
    assert touched(repository) == [("change 4 (#4)", 4), ("change 3 (#3)", 3), ("change 2 (#2)", 2)]


def test_the_changes_own_commits_are_left_out(repository: Repository) -> None:
    commit(repository, "the one before (#1)")
    for number, text in enumerate(LIMITS):
        commit(repository, f"own {number}", text=text)
    assert touched(repository, base="HEAD~5") == [("the one before (#1)", 1)]


def test_a_merged_pull_request_is_told_not_the_commits_that_it_merged(repository: Repository) -> None:
    commit(repository, "first")
    repository.git("checkout", "-q", "-b", "fix")
    commit(repository, "wip", text=LIMITS[0])
    commit(repository, "wip again", text=LIMITS[1])
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "-m", "Merge pull request #12 from o/fix", "fix")
    assert touched(repository) == [("Merge pull request #12 from o/fix", 12), ("first", None)]


@pytest.mark.parametrize("path", ["a b.py", "a:b.py", "-x.py", "a\nb.py", "größe.py", "a'$(touch owned).py", "*.py"])
def test_any_path_has_a_history(repository: Repository, path: str) -> None:
    commit(repository, "one (#1)", path=path)
    commit(repository, "two (#2)", path=path, text=LIMITS[0])
    assert [pull for _, pull in touched(repository, path)] == [2, 1]


@pytest.mark.parametrize("place", [Place("a", "a.py", 2, 1), Place("a", "a.py", 99, 99), Place("a", "none.py", 1, 1)])
def test_a_place_without_lines_has_none(repository: Repository, place: Place) -> None:
    commit(repository, "one")
    head = repository.git("rev-parse", "HEAD")
    asked = History(str(repository), head, head)
    assert asked.touched(place) == ()
    assert asked.why_not == ""


@pytest.mark.parametrize(
    ("options", "why"), [(("--depth=1",), "history is cut off"), (("--filter=blob:none",), "has not all files")]
)
def test_a_clone_that_lacks_something_tells_nothing_and_says_why(
    repository: Repository, tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    """A commit behind which history is cut off would seem to have written every line."""
    repository.git("config", "uploadpack.allowFilter", "true")
    for number, text in enumerate(LIMITS):
        commit(repository, f"change {number}", text=text)
    clone = repository.clone(tmp_path / "clone", *options)
    head = clone.git("rev-parse", "HEAD")
    asked = History(str(clone), head, head)
    assert asked.touched(Place("a", "a.py", 2, 2)) == ()
    assert why in asked.why_not


def test_git_is_not_waited_for_long(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "SECONDS", 0.0)
    commit(repository, "one")
    head = repository.git("rev-parse", "HEAD")
    asked = History(str(repository), head, head)
    assert asked.touched(Place("a", "a.py", 2, 2)) == ()
    assert "git took more than" in asked.why_not


@pytest.mark.parametrize(
    ("subject", "number"),
    [("fix (#12)", 12), ("Merge pull request #3 from o/x", 3), ("fix #12", None), ("(#1) fix", None), ("", None)],
)
def test_a_pull_request_is_named_in_githubs_two_ways(subject: str, number: int | None) -> None:
    assert pull_named(subject) == number


def test_the_comment_tells_who_changed_both_places_last(scene: Scene) -> None:
    scene.repository.git("checkout", "-q", "main")
    for number, text in enumerate(LIMITS[:2]):
        scene.repository.write("a.py", text)
        scene.repository.write("b.py", text)
        scene.repository.git("commit", "-qam", f"fix the limit (#{number + 1})")
    scene.pull.base = scene.repository.git("rev-parse", "HEAD")
    scene.repository.git("checkout", "-q", "-B", "topic")
    scene.push(a=MOVED)
    notes = scene.report().notes
    (line,) = [line for line in scene.hub.bodies()[0].splitlines() if "Last changed before" in line]
    newest = scene.pull.base
    expected = f"[`{newest[:9]}`](https://github.com/o/r/commit/{newest}) "
    assert line.startswith(f"<sub>Last changed before: `a` and `b` in {expected}")
    assert line.count("(`#2`)") == line.count("(`#1`)") == 1
    assert not any("not told" in note for note in notes)


def test_a_shallow_clone_gets_the_comment_all_the_same(scene: Scene, tmp_path: Path) -> None:
    scene.repository.git("config", "uploadpack.allowFilter", "true")
    scene.repository.git("update-ref", "refs/pull/7/head", scene.pull.head)
    clone = scene.repository.clone(tmp_path / "clone", "--depth=1")
    from consistency_bot.github.judging import Clone

    outcome = scene.report(clone=Clone(str(clone), "origin", "https://github.com/o/r"))
    (body,) = scene.hub.bodies()
    assert "Last changed before" not in body
    assert any("the last changes are not told: this clone" in note for note in outcome.notes)
