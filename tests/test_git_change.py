"""What differs between two commits, and what their trees hold."""

from pathlib import Path

import pytest

from consistency_bot.model import ChangedPath
from repositories import Repository, change, modified

pytestmark = pytest.mark.usefixtures("isolated")


def test_a_commit_differs_from_its_parent_in_the_files_it_edits_adds_and_deletes(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    (repository.folder / "b.py").unlink()
    head = repository.commit(a="a = 2\n", c="c = 1\n")
    with change(repository, base, head) as read:
        assert (read.base_name, read.head_name) == (base, head)
        assert read.paths == (ChangedPath("a.py", "a.py"), ChangedPath("b.py", None), ChangedPath(None, "c.py"))
        assert [read.base.read(name) for name in ("a.py", "b.py", "c.py")] == [b"a = 1\n", b"b = 1\n", None]
        assert [read.head.read(name) for name in ("a.py", "b.py", "c.py")] == [b"a = 2\n", None, b"c = 1\n"]
        assert read.base.find(["*.py"]) == ["a.py", "b.py"]
        assert read.head.find(["*.py"]) == ["a.py", "c.py"]


def test_the_change_starts_at_the_merge_base_and_not_at_the_tip_of_base(repository: Repository) -> None:
    start = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit(a="a = 2\n")
    repository.commit(a="a = 3\n")
    repository.git("checkout", "-q", "main")
    repository.commit(b="b = 2\n")
    with change(repository, "main", "feature") as read:
        assert read.base_name == start
        assert read.paths == modified("a.py")
        assert read.head.read("b.py") == b"b = 1\n"


def test_nothing_differs_where_base_is_head(repository: Repository) -> None:
    with change(repository, "main", "main") as read:
        assert read.paths == ()
        assert read.head.read("a.py") == b"a = 1\n"


def test_an_annotated_tag_stands_for_its_commit(repository: Repository) -> None:
    repository.git("tag", "-a", "-m", "first", "v1")
    repository.commit(a="a = 2\n")
    with change(repository, "v1", "main") as read:
        assert read.paths == modified("a.py")


def test_a_renamed_and_edited_file_is_followed(repository: Repository) -> None:
    lines = "".join(f"line_{number} = {number}\n" for number in range(40))
    base = repository.commit(a=lines)
    (repository.folder / "a.py").unlink()
    repository.write("moved/a_v2.py", lines + "one_more = 1\n")
    with change(repository, base, repository.commit()) as read:
        assert read.paths == (ChangedPath("a.py", "moved/a_v2.py"),)
        assert read.head.read("a.py") is None
        assert read.head.find(["a.py", "moved/*.py"]) == ["moved/a_v2.py"]


def test_a_change_of_mode_alone_is_a_change_of_the_path(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    (repository.folder / "a.py").chmod(0o755)
    with change(repository, base, repository.commit()) as read:
        assert read.paths == modified("a.py")
        assert read.head.read("a.py") == read.base.read("a.py")


def test_bytes_are_read_as_they_are(repository: Repository) -> None:
    repository.write("mixed.py", b"\xef\xbb\xbfa = '\xe9'\r\n\0")
    base = repository.commit()
    with change(repository, base, base) as read:
        assert read.head.read("mixed.py") == b"\xef\xbb\xbfa = '\xe9'\r\n\0"


@pytest.mark.parametrize("name", ["caf\udce9.py", "line\nbreak.py", "-x.py", "tab\t.py", 'quote".py', "größe.py"])
def test_a_file_name_may_be_anything_that_git_stores(repository: Repository, name: str) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.write(name, "x = 1\n")
    for head in (None, repository.commit()):
        with change(repository, base, head) as read:
            assert read.paths == (ChangedPath(None, name),)
            assert read.head.read(name) == b"x = 1\n"
            assert name in read.head.find(["*.py"])


def test_a_symbolic_link_is_no_file(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.write("folder/c.py", "c = 1\n")
    (repository.folder / "link.py").symlink_to("a.py")
    (repository.folder / "linked").symlink_to("folder")
    for head in (None, repository.commit()):
        with change(repository, base, head) as read:
            assert ChangedPath(None, "link.py") in read.paths
            assert read.head.read("link.py") is None
            assert read.head.read("linked/c.py") is None
            assert read.head.find(["**/*.py", "link.py"]) == ["a.py", "b.py", "folder/c.py"]


def test_a_file_that_became_a_symbolic_link_is_gone(repository: Repository) -> None:
    (repository.folder / "a.py").unlink()
    (repository.folder / "a.py").symlink_to("b.py")
    with change(repository, "HEAD") as read:
        assert read.paths == modified("a.py")
        assert read.base.read("a.py") == b"a = 1\n"
        assert read.head.read("a.py") is None
        assert read.head.find(["a.py"]) == []


def test_a_submodule_is_no_file_and_is_not_looked_into(repository: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.commit(inner="x = 1\n")
    base = repository.git("rev-parse", "HEAD")
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    head = repository.commit()
    (repository.folder / "sub" / "inner.py").write_text("x = 2\n")
    with change(repository, base, head) as read:
        assert ChangedPath(None, "sub") in read.paths
        assert read.head.read("sub") is None
        assert read.head.read("sub/inner.py") is None
        assert read.head.find(["**/*.py"]) == ["a.py", "b.py"]
    with change(repository, head) as read:
        assert read.paths == ()
        assert read.head.read("sub/inner.py") is None


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("pkg/*.py", ["pkg/a.py", "pkg/b.py"]),
        ("pkg/?.py", ["pkg/a.py", "pkg/b.py"]),
        ("*/a.py", ["pkg/a.py"]),
        ("pkg/**", ["pkg/a.py", "pkg/b.py", "pkg/sub/a.py", "pkg/sub/deep/a.py"]),
        ("pkg/**/a.py", ["pkg/a.py", "pkg/sub/a.py", "pkg/sub/deep/a.py"]),
        ("pkg/*/a.py", ["pkg/sub/a.py"]),
        ("pkg/a.py", ["pkg/a.py"]),
        ("pkg", []),
        ("pkg/", []),
        ("none/*.py", []),
        ("pkg/a.py/*", []),
    ],
)
def test_a_pattern_finds_the_files_it_matches(repository: Repository, pattern: str, expected: list[str]) -> None:
    for path in ("pkg/a.py", "pkg/b.py", "pkg/sub/a.py", "pkg/sub/deep/a.py"):
        repository.write(path, "x = 1\n")
    with change(repository, "main") as read:  # untracked files
        assert read.head.find([pattern]) == expected
    base = repository.commit()
    with change(repository, base, base) as read:
        assert read.base.find([pattern]) == expected


def test_several_patterns_find_each_file_once(repository: Repository) -> None:
    with change(repository, "main", "main") as read:
        assert read.head.find(["*.py", "a.py", "missing.py"]) == ["a.py", "b.py"]
