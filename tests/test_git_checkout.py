"""What a checkout does to files is not a change: line ends, encodings, files left out, files not looked at."""

import os
from pathlib import Path

import pytest

from consistency_bot.git import read_change
from consistency_bot.model import ChangedPath
from repositories import Repository, change, modified

pytestmark = pytest.mark.usefixtures("isolated")


@pytest.mark.parametrize(
    ("settings", "attributes"),
    [
        (["core.autocrlf=true"], ""),
        (["core.eol=crlf"], "*.py text"),
        ([], "*.py eol=crlf"),
        (["core.autocrlf=true", "core.safecrlf=true"], "*.py text=auto"),
    ],
)
def test_line_ends_that_a_checkout_puts_in_are_no_change(
    repository: Repository, settings: list[str], attributes: str
) -> None:
    repository.write(".gitattributes", f"{attributes}\n")
    repository.commit()
    for setting in settings:
        repository.git("config", *setting.split("="))
    for name in ("a.py", "b.py"):
        (repository.folder / name).unlink()
    repository.git("checkout", "-q", "--", ".")
    assert (repository.folder / "a.py").read_bytes() == b"a = 1\r\n"
    os.utime(repository.folder / "b.py", (1, 1))
    with change(repository) as read:
        assert read.paths == ()
        assert read.head.read("a.py") == b"a = 1\n"
    repository.write("a.py", b"a = 2\r\n")
    repository.write("new.py", b"x = 1\r\n")
    with change(repository) as read:
        assert set(read.paths) == {*modified("a.py"), ChangedPath(None, "new.py")}
        assert read.head.read("a.py") == b"a = 2\n"
        assert read.head.read("new.py") == b"x = 1\n"


def test_mixed_line_ends_are_told_as_git_would_store_them_though_a_user_forbids_it(repository: Repository) -> None:
    repository.git("config", "core.autocrlf", "true")
    repository.git("config", "core.safecrlf", "true")
    repository.write("a.py", b"a = 1\r\nb = 2\nc = 3\r\n")
    with change(repository) as read:
        assert read.head.read("a.py") == b"a = 1\nb = 2\nc = 3\n"


def test_line_ends_that_a_person_changed_are_a_change(repository: Repository) -> None:
    repository.write("a.py", b"a = 1\r\n")
    with change(repository) as read:
        assert read.paths == modified("a.py")
        assert read.head.read("a.py") == b"a = 1\r\n"


def test_line_ends_that_were_committed_stay_as_they_are(repository: Repository) -> None:
    repository.write("a.py", b"a = 1\r\n")
    repository.commit()
    repository.write(".gitattributes", "*.py text=auto\n")  # git leaves a file alone that already has them
    repository.write("a.py", b"a = 2\r\n")
    with change(repository) as read:
        assert {*modified("a.py")} < set(read.paths)
        assert read.head.read("a.py") == b"a = 2\r\n"


@pytest.mark.parametrize(
    ("attribute", "on_disk", "stored"),
    [
        ("working-tree-encoding=UTF-16LE", "a = 'é'\n".encode("utf-16-le"), "a = 'é'\n".encode()),
        ("working-tree-encoding=latin1", "a = 'é'\n".encode("latin-1"), "a = 'é'\n".encode()),
        ("ident", b"a = '$Id: 0123 $'\n", b"a = '$Id$'\n"),
        ("working-tree-encoding=UTF-16LE", b"a = \xff\xff\0", b"a = \xff\xff\0"),
    ],
)
def test_an_encoding_or_an_id_that_a_checkout_puts_in_is_taken_back(
    repository: Repository, attribute: str, on_disk: bytes, stored: bytes
) -> None:
    repository.write(".gitattributes", f"a.py {attribute}\n")
    repository.commit()
    repository.write("a.py", on_disk)
    with change(repository) as read:
        assert read.head.read("a.py") == stored


@pytest.mark.parametrize("name", ["caf\udce9.py", "line\nbreak.py", "-w.py", "größe/a b.py"])
def test_line_ends_are_taken_back_whatever_the_file_is_called(repository: Repository, name: str) -> None:
    repository.write(".gitattributes", "*.py text\n")
    repository.write(name, b"x = 1\r\n")
    with change(repository) as read:
        assert read.head.read(name) == b"x = 1\n"


def test_the_content_that_would_be_stored_is_asked_for_without_storing_it(repository: Repository) -> None:
    repository.git("config", "core.autocrlf", "true")
    repository.write("a.py", b"a = 'never stored'\r\n")
    with change(repository) as read:
        assert read.head.read("a.py") == b"a = 'never stored'\n"
    objects = [path for path in (repository.folder / ".git" / "objects").rglob("*") if path.is_file()]
    assert len(objects) == 4  # a commit, its tree and two files


def test_files_left_out_by_a_sparse_checkout_are_there(repository: Repository) -> None:
    for path in ("in/c.py", "out/d.py"):
        repository.write(path, "x = 1\n")
    base = repository.commit()
    repository.git("checkout", "-q", "-b", "feature")
    repository.write("out/new.py", "x = 1\n")
    repository.commit()
    for options in (["--cone", "--no-sparse-index"], ["--cone", "--sparse-index"]):
        repository.git("sparse-checkout", "set", *options, "in")
        assert not (repository.folder / "out").exists()
        repository.write("in/untracked.py", "x = 1\n")
        for staged in (False, True):
            with read_change(str(repository), base, None, staged) as read:
                assert ChangedPath(None, "out/new.py") in read.paths
                assert read.head.read("out/d.py") == read.head.read("out/new.py") == b"x = 1\n"
                assert (read.head.read("in/untracked.py") is None) is staged


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_a_file_that_git_is_told_not_to_look_at_is_as_it_was(repository: Repository, flag: str) -> None:
    repository.git("update-index", flag, "a.py")
    repository.write("a.py", "a = 2\n")
    for staged in (False, True):
        with read_change(str(repository), "HEAD", None, staged) as read:
            assert read.paths == ()
            assert read.head.read("a.py") == b"a = 1\n"


def test_a_split_index_is_read_and_stays_split(repository: Repository) -> None:
    repository.git("update-index", "--split-index")
    repository.write("a.py", "a = 2\n")
    repository.git("add", "a.py")
    repository.write("untracked.py", "x = 1\n")
    before = sorted(path.name for path in (repository.folder / ".git").iterdir())
    assert any(name.startswith("sharedindex.") for name in before)
    with change(repository) as read:
        assert set(read.paths) == {*modified("a.py"), ChangedPath(None, "untracked.py")}
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == modified("a.py")
    assert sorted(path.name for path in (repository.folder / ".git").iterdir()) == before


def test_a_file_that_is_only_announced_is_in_the_working_tree_and_not_in_the_index(repository: Repository) -> None:
    repository.write("new.py", "x = 1\n")
    repository.git("add", "--intent-to-add", "new.py")
    with change(repository) as read:
        assert read.paths == (ChangedPath(None, "new.py"),)
        assert read.head.read("new.py") == b"x = 1\n"
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == ()
        assert read.head.read("new.py") is None


def test_a_file_staged_and_then_deleted_is_in_the_index_alone(repository: Repository) -> None:
    repository.write("new.py", "x = 1\n")
    repository.git("add", "new.py")
    for name in ("new.py", "a.py"):
        (repository.folder / name).unlink()
    with change(repository) as read:
        assert read.paths == (ChangedPath("a.py", None),)
        assert read.head.read("new.py") is None
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == (ChangedPath(None, "new.py"),)
        assert read.head.read("new.py") == b"x = 1\n"
        assert read.head.read("a.py") == b"a = 1\n"


def test_paths_that_differ_in_case_alone_are_two_files(repository: Repository) -> None:
    base = repository.commit(Twin="x = 1\n", twin="x = 1\n")
    if (repository.folder / "TWIN.py").exists():
        pytest.skip("this file system takes them for one")
    repository.write("twin.py", "x = 2\n")
    with change(repository, base) as read:
        assert read.paths == modified("twin.py")
        assert [read.head.read(name) for name in ("Twin.py", "twin.py")] == [b"x = 1\n", b"x = 2\n"]
        assert read.head.find(["twin.py", "T*.py"]) == ["Twin.py", "twin.py"]


# Nothing outside of the working tree is read


def outside(repository: Repository, tmp_path: Path) -> Path:
    """A folder outside of the repository with what a link could lead to."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "c.py").write_text("secret = 1\n")
    return folder


def test_a_folder_that_became_a_link_leads_nowhere(repository: Repository, tmp_path: Path) -> None:
    repository.write("pkg/c.py", "x = 1\n")
    repository.commit()
    (repository.folder / "pkg" / "c.py").unlink()
    (repository.folder / "pkg").rmdir()
    (repository.folder / "pkg").symlink_to(outside(repository, tmp_path))
    with change(repository) as read:
        assert set(read.paths) == {ChangedPath("pkg/c.py", None), ChangedPath(None, "pkg")}
        assert read.head.read("pkg/c.py") is None
        assert read.head.find(["pkg/*.py", "pkg/c.py"]) == []
        assert read.working_tree is not None
        assert read.working_tree.read("pkg/c.py") is None


def test_a_folder_that_becomes_a_link_while_we_look_leads_nowhere(repository: Repository, tmp_path: Path) -> None:
    repository.write("pkg/c.py", "x = 1\n")
    with change(repository) as read:
        (repository.folder / "pkg" / "c.py").unlink()
        (repository.folder / "pkg").rmdir()
        (repository.folder / "pkg").symlink_to(outside(repository, tmp_path))
        assert read.head.read("pkg/c.py") is None


def test_a_conflict_behind_a_link_leads_nowhere(repository: Repository, tmp_path: Path) -> None:
    blob = repository.git("rev-parse", "HEAD:a.py")
    stages = "".join(f"100644 {blob} {stage}\tpkg/c.py\0" for stage in (1, 2, 3))
    repository.git("update-index", "-z", "--index-info", stdin=stages.encode())
    (repository.folder / "pkg").symlink_to(outside(repository, tmp_path))
    with change(repository) as read:
        assert read.head.read("pkg/c.py") is None
        assert read.head.find(["pkg/*.py"]) == []


def test_a_pipe_in_a_files_place_is_no_file_and_is_not_waited_for(repository: Repository) -> None:
    (repository.folder / "a.py").unlink()
    os.mkfifo(repository.folder / "a.py")
    with change(repository) as read:
        assert read.head.read("a.py") is None
