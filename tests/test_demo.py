"""The demo's story, its pull requests, and that it leaves nothing behind whatever git is set up like."""

import ast
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest
import yaml

import consistency_bot
from consistency_bot.concepts import CONCEPTS
from consistency_bot.demo import repository, run_demo, story
from consistency_bot.demo.repository import DemoRepository, demo_repository, find_example
from consistency_bot.errors import GitError, UsageError

ROOT = Path(__file__).parent.parent
PATCHES = [pull_request.patch for pull_request in story.PULL_REQUESTS]


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files, which has to be empty again after every test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture(scope="module")
def told() -> tuple[int, str]:
    """The exit status of one run, and its text."""
    out = io.StringIO()
    return run_demo(out), out.getvalue()


def test_the_story_comes_out_as_told(told: tuple[int, str]) -> None:
    status, text = told
    assert (status, text.splitlines()[-1]) == (0, "All 5 came out as told."), text


def test_the_lost_statement_is_named(told: tuple[int, str]) -> None:
    assert "loss *= self.dp_size * self.cp_size" in told[1]


def test_every_pull_request_has_its_title_and_its_diffstat(told: tuple[int, str]) -> None:
    for number, patch in enumerate(PATCHES, 1):
        header = (find_example() / "pull_requests" / patch).read_text()
        subject = next(line for line in header.splitlines() if line.startswith("Subject: "))
        assert f"\n{number}. {subject.removeprefix('Subject: ')}\n" in told[1]
    assert told[1].count(" examples/policy_workers/dtensor_policy_worker") >= len(PATCHES)


def test_the_sample_in_the_readme_is_what_the_demo_prints(told: tuple[int, str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sample = readme.partition("```text\n")[2].partition("\n```")[0]
    assert sample
    assert indent(sample, "    ") in told[1]


def test_two_runs_say_the_same(told: tuple[int, str]) -> None:
    out = io.StringIO()
    run_demo(out)
    assert out.getvalue() == told[1]


def test_every_patch_of_the_example_is_told() -> None:
    assert sorted(PATCHES) == sorted(path.name for path in (find_example() / "pull_requests").glob("*.patch"))


@pytest.mark.parametrize("patch", PATCHES)
def test_a_pull_request_fits_the_example_and_leaves_python(patch: str) -> None:
    with demo_repository() as demo:
        _parse(demo)
        demo.open_pull_request(patch)
        _parse(demo)


def _parse(demo: DemoRepository) -> None:
    for path in Path(demo.path, repository.EXAMPLE).glob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"), path.name)


def test_the_refactoring_loses_one_statement_and_no_call() -> None:
    with demo_repository() as demo:
        calls, updates = _calls(demo), _updates(demo)
        demo.open_pull_request("3-refactor.patch")
        new = {"_count_valid", "_run_micro_batch", "_position_ids", "_token_logprobs", "_optimizer_step", "_summary"}
        assert _calls(demo) == calls | new
        assert updates - _updates(demo) == {"loss *= self.dp_size * self.cp_size"}


def _calls(demo: DemoRepository) -> set[str]:
    """The names of all functions and methods that the second worker calls."""
    called = (node.func for node in _nodes(demo) if isinstance(node, ast.Call))
    return {ast.unparse(function).rpartition(".")[2] for function in called}


def _updates(demo: DemoRepository) -> set[str]:
    return {ast.unparse(node) for node in _nodes(demo) if isinstance(node, ast.AugAssign)}


def _nodes(demo: DemoRepository) -> Iterator[ast.AST]:
    worker = Path(demo.path, repository.EXAMPLE, "dtensor_policy_worker_v2.py")
    return ast.walk(ast.parse(worker.read_text(encoding="utf-8")))


def test_its_twins_are_those_that_this_project_declares() -> None:
    own = yaml.safe_load((ROOT / "rules.yaml").read_text(encoding="utf-8"))
    (twins,) = yaml.safe_load(story.RULES)["twins"]
    declared = next(entry for entry in own["twins"] if entry["id"] == twins["id"])
    assert {key: declared[key] for key in twins} == twins


def test_a_story_that_comes_out_otherwise_ends_with_one_and_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    guard_removed = story.PULL_REQUESTS[1]
    wrong = story.PullRequest(guard_removed.patch, "", (story.Told("missed", True, "train"),))
    monkeypatch.setattr("consistency_bot.demo.PULL_REQUESTS", (guard_removed, wrong))
    monkeypatch.setattr(DemoRepository, "open_pull_request", _once(DemoRepository.open_pull_request))
    out = io.StringIO()
    assert run_demo(out) == 1
    assert "no missed in train" in out.getvalue()
    assert "Not as told: pull request 2." in out.getvalue()


def _once(open_pull_request: object) -> object:
    """`open_pull_request`, for a story that tells the same pull request twice."""

    def reopen(demo: DemoRepository, patch: str) -> str:
        branch = patch.removesuffix(".patch")
        if demo.git("branch", "--list", branch):
            return branch
        assert callable(open_pull_request)
        return str(open_pull_request(demo, patch))

    return reopen


def test_a_patch_that_no_longer_fits_is_an_error_that_names_it(tmp_path: Path) -> None:
    with demo_repository() as demo:
        stale = DemoRepository(demo.path, _copy_example(tmp_path / "example"))
        patch = tmp_path / "example" / "pull_requests" / "5-feature.patch"
        patch.write_text(patch.read_text(encoding="utf-8").replace("def score", "def rate"), encoding="utf-8")
        with pytest.raises(GitError, match=r"5-feature\.patch"):
            stale.open_pull_request("5-feature.patch")


def _copy_example(folder: Path) -> Path:
    return Path(shutil.copytree(find_example(), folder))


def test_an_installed_package_tells_it_from_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "consistency_bot"
    copy = _copy_example(package / "_examples" / "policy_workers")
    monkeypatch.setattr(consistency_bot, "__file__", str(package / "__init__.py"))
    assert find_example() == copy


def test_without_the_example_the_error_says_where_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consistency_bot, "__file__", str(tmp_path / "consistency_bot" / "__init__.py"))
    with pytest.raises(UsageError, match="_examples"):
        run_demo(io.StringIO())


def test_the_users_git_settings_change_nothing(
    told: tuple[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "applypatch-msg", "pre-applypatch"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    (tmp_path / ".config" / "git").mkdir(parents=True)
    (tmp_path / ".config" / "git" / "attributes").write_text("*.py text eol=crlf\n", encoding="utf-8")
    (tmp_path / ".config" / "git" / "ignore").write_text("*.py\n", encoding="utf-8")
    (tmp_path / ".gitconfig").write_text(
        "[init]\n defaultBranch = trunk\n templateDir = nowhere\n[commit]\n gpgSign = true\n"
        f"[core]\n autocrlf = true\n hooksPath = {hooks}\n[user]\n useConfigOnly = true\n",
        encoding="utf-8",
    )
    for name in [name for name in os.environ if name.startswith(("GIT_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    out = io.StringIO()
    assert (run_demo(out), out.getvalue()) == told


def test_a_terminal_without_the_letters_shows_escapes(told: tuple[int, str]) -> None:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding="ascii") as out:
        assert run_demo(out) == told[0]
        out.flush()
        assert raw.getvalue().startswith(b"Two training workers")


def test_a_failing_run_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitError, match="on PATH"):
        run_demo(io.StringIO())


def test_the_readme_names_every_concept() -> None:
    listed = (ROOT / "README.md").read_text("utf-8").partition("The concepts:\n")[2].partition(".\n")[0]
    assert " ".join(listed.split()) == ", ".join(f"`{each}`" for each in CONCEPTS)
