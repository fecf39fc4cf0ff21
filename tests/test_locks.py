"""Lock files: which versions of a package they lock or allow, in every format, and never an exception."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_tree import MemoryTree

from consistency_bot.locks.names import LOCKS, PATTERNS, may_lock
from consistency_bot.locks.search import _READERS, locks_around
from consistency_bot.locks.toml import LARGEST, LONGEST, MOST_DOTS
from consistency_bot.locks.values import Bound, Locked, Locks, Unreadable

UV = """\
version = 1
resolution-markers = ["sys_platform == 'darwin'"]

[[package]]
name = "other"
version = "1.0"
dependencies = [
    { name = "torch", version = "2.9.0", source = { registry = "https://example.org/simple" } },
]

[[package]]
name = "torch"
version = "2.9.0"
source = { registry = "https://example.org/simple" }
resolution-markers = [
    "sys_platform == 'darwin'",
    "sys_platform == 'win32'",
]

[[package]]
name = "torch"
version = "2.9.0+cu129"
source = { registry = "https://example.org/cu129" }

[package.optional-dependencies]
more = [{ name = "other" }]
"""

POETRY = """\
[[package]]
name = "Flash_Attn"
version = "2.8.1"
description = "with a version = 3 in it"
optional = false
markers = "sys_platform == \\"linux\\""

[package.dependencies]
version = ">=1"

[[package]]
name = "torch"
version = "2.9.0"

[package.markers]

[metadata]
lock-version = "2.1"
"""

PYLOCK = """\
lock-version = "1.0"
created-by = "somebody"

[[packages]]
name = "torch"
version = "2.9.0"
marker = "sys_platform == 'linux'"

[[packages.wheels]]
name = "torch-2.9.0-py3-none-any.whl"
"""

REQUIREMENTS = """\
# torch==1.0
--index-url https://example.org/simple
-e .
torch[opt-einsum] == 2.9.0 ; sys_platform == "linux"  \\
    --hash=sha256:0123 \\
    --hash=sha256:4567  # why
Torch>=2.8,<3  # a bound
torch @ https://example.org/cu129/torch-2.9.0%2Bcu129-cp312-cp312-linux_x86_64.whl#sha256=0123
https://example.org/torch-2.9.1.tar.gz
torch @ git+https://example.org/torch@main
torchvision==0.24.0
-r more/others.txt
--constraint=constraints.txt
"""

PROJECT = """\
[build-system]
requires = ["torch==2.7"]

[project]
dependencies = [
    "other",
    "torch>=2.8; sys_platform != 'darwin'",
]
[project.optional-dependencies]
gpu = ["torch[opt]==2.9.0"]

[dependency-groups]
dev = ["torch", {include-group = "more"}]

[tool.uv]
override-dependencies = ["torch<3"]

[tool.poetry.dependencies]
python = "^3.11"
torch = {version = "^2.9", markers = "sys_platform == 'linux'"}

[tool.poetry.group.dev.dependencies]
torch = "~2.9.1"
"""


def locks(files: dict[str, str | bytes], path: str = "src/patches.py", package: str = "torch") -> Locks:
    tree = MemoryTree({name: data if isinstance(data, bytes) else data.encode() for name, data in files.items()})
    return locks_around(tree, path, package)


def test_every_fork_of_a_uv_lock_is_a_version_with_its_line_and_markers() -> None:
    assert locks({"uv.lock": UV}).locked == (
        Locked("uv.lock", 13, "2.9.0", "sys_platform == 'darwin' or sys_platform == 'win32'"),
        Locked("uv.lock", 22, "2.9.0+cu129"),
    )


@pytest.mark.parametrize(
    "text", [UV + "# '''\n", UV.replace("\n", "\r\n"), "\ufeff" + UV], ids=["whole", "CRLF", "BOM"]
)
def test_a_lock_says_the_same_however_it_is_written(text: str) -> None:
    assert locks({"uv.lock": text}).locked == locks({"uv.lock": UV}).locked


def test_names_of_packages_are_compared_as_pip_compares_them() -> None:
    found = locks({"poetry.lock": POETRY}, package="flash.attn").locked
    assert found == (Locked("poetry.lock", 3, "2.8.1", 'sys_platform == "linux"'),)


def test_a_poetry_lock_and_a_pylock_are_read() -> None:
    assert locks({"poetry.lock": POETRY}).locked == (Locked("poetry.lock", 13, "2.9.0"),)
    marker = "sys_platform == 'linux'"
    for name in ("pylock.toml", "pylock.gpu.toml"):
        assert locks({name: PYLOCK}).locked == (Locked(name, 6, "2.9.0", marker),)


def test_requirements_are_pins_bounds_and_addresses_and_lead_to_other_files() -> None:
    files: dict[str, str | bytes] = {
        "requirements.txt": REQUIREMENTS,
        "more/others.txt": "-r ../requirements.txt\n-r ../../outside.txt\n-r /etc/passwd\ntorch===2.9.2\n",
        "constraints.txt": "torch!=2.9.1\n",
    }
    name = "requirements.txt"
    assert locks(files) == Locks(
        locked=(
            Locked(name, 4, "2.9.0", 'sys_platform == "linux"'),
            Locked(name, 8, "2.9.0+cu129"),
            Locked(name, 9, "2.9.1"),
            Locked("more/others.txt", 4, "2.9.2"),
        ),
        bounds=(Bound(name, 7, ">=2.8,<3"), Bound("constraints.txt", 1, "!=2.9.1")),
        unreadable=(Unreadable(name, 10, "takes it from an address that does not tell the version"),),
        looked_at=("constraints.txt", "more/others.txt", name),
    )


@pytest.mark.parametrize("name", ["requirements-gpu.txt", "gpu-requirements.txt", "requirements/gpu.txt"])
def test_requirements_go_by_many_names(name: str) -> None:
    assert locks({name: "torch==2.9.0"}).locked == (Locked(name, 1, "2.9.0"),)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_requirements_may_be_written_by_windows(encoding: str) -> None:
    assert locks({"requirements.txt": "a==1\r\ntorch==2.9.0\r\n".encode(encoding)}).locked == (
        Locked("requirements.txt", 2, "2.9.0"),
    )


def test_a_project_gives_bounds_even_where_it_pins() -> None:
    name = "pyproject.toml"
    assert locks({name: PROJECT}).locked == ()
    assert locks({name: PROJECT}).bounds == (
        Bound(name, 7, ">=2.8", "sys_platform != 'darwin'"),
        Bound(name, 10, "==2.9.0"),
        Bound(name, 13, ""),
        Bound(name, 16, "<3"),
        Bound(name, 20, ">=2.9,<3", "sys_platform == 'linux'"),
        Bound(name, 23, ">=2.9.1,<2.10"),
    )


@pytest.mark.parametrize(
    ("asked", "means"),
    [
        ("^1.2.3", ">=1.2.3,<2"),
        ("^0.2.3", ">=0.2.3,<0.3"),
        ("^0.0.3", ">=0.0.3,<0.0.4"),
        ("^0", ">=0,<1"),
        ("~1", ">=1,<2"),
        ("~1.2.3", ">=1.2.3,<1.3"),
        ("*", ""),
        ("2.9", "==2.9"),
        ("2.9.*", "==2.9.*"),
        ("~=2.9.1", "~=2.9.1"),
        (">=2.8, <3", ">=2.8,<3"),
    ],
)
def test_poetrys_own_words_for_versions_are_those_of_everybody(asked: str, means: str) -> None:
    text = f'[tool.poetry.dependencies]\ntorch = "{asked}"\n'
    assert locks({"pyproject.toml": text}).bounds == (Bound("pyproject.toml", 2, means),)


def test_poetrys_words_that_nobody_understands_are_told() -> None:
    found = locks({"pyproject.toml": '[tool.poetry.dependencies]\ntorch = "^two"\n'})
    assert found.unreadable == (Unreadable("pyproject.toml", 2, "asks for a version that is not understood: `^two`"),)


def test_the_nearest_folder_that_locks_the_package_counts() -> None:
    files: dict[str, str | bytes] = {
        "uv.lock": UV,
        "services/one/pyproject.toml": PROJECT,
        "services/two/requirements.txt": "torch==2.7.1\n",
        "services/two/uv.lock": '[[package]]\nname = "other"\nversion = "1"\n',
    }
    assert {each.version for each in locks(files, "services/one/src/patches.py").locked} == {"2.9.0", "2.9.0+cu129"}
    assert {each.version for each in locks(files, "services/two/src/patches.py").locked} == {"2.7.1"}
    assert {each.version for each in locks(files, "patches.py").locked} == {"2.9.0", "2.9.0+cu129"}


def test_all_folders_count_where_none_above_the_code_says_anything() -> None:
    files: dict[str, str | bytes] = {
        "docker/requirements.txt": "torch==2.9.0\n",
        "ci/requirements.txt": "torch==2.8.0\n",
    }
    assert {each.path for each in locks(files).locked} == set(files)


def test_a_file_that_names_another_package_alone_says_nothing() -> None:
    found = locks({"uv.lock": UV, "pyproject.toml": PROJECT}, package="jax")
    assert found == Locks(looked_at=("pyproject.toml", "uv.lock"))


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        ('[[package]]\nname = "torch"\n<<<<<<< HEAD\nversion = "2.9.0"\n', 3, "is not TOML: "),
        ('[[package]]\nname = "torch"\n', 1, "locks it without a version"),
        ('[[package]]\nname = "torch"\nversion = 2\n', 1, "locks it without a version"),
        ("\n" + '[[package]]\nname = "torch"\nx = ' + "[" * 9000, 2, "is nested too deeply"),
        ('[[package]]\nname = "torch"\nx = ' + "9" * 6000, 1, "is not TOML: "),
        ('[[package]]\nname = "torch"\nx' + " " * LONGEST + "= 1", 3, "has a line that is too long"),
        ('[[package]]\nname = "torch"\nx' + ".x" * (MOST_DOTS + 1) + " = 1", 3, "has a line that is too long"),
        (b'name = "torch"\n\xff', 2, "is not UTF-8"),
    ],
)
def test_a_lock_that_cannot_be_read_is_told_with_its_line(data: str | bytes, line: int, reason: str) -> None:
    (found,) = locks({"uv.lock": data}).unreadable
    assert (found.path, found.line) == ("uv.lock", line)
    assert found.reason.startswith(reason)


def test_a_lock_that_is_too_large_is_not_read() -> None:
    (found,) = locks({"uv.lock": b" " * (LARGEST + 1)}).unreadable
    assert "too large" in found.reason


def test_a_version_inside_a_text_is_none() -> None:
    text = "[[package]]\nname = \"other\"\nx = '''\n[[package]]\nname = \"torch\"\nversion = \"6.6.6\"\n'''\n"
    assert locks({"uv.lock": text}) == Locks(looked_at=("uv.lock",))
    escaped = '[[package]]\nname = "\\u0074orch"\nversion = "2.9.0"\n'
    assert locks({"uv.lock": escaped}).locked == (Locked("uv.lock", 3, "2.9.0"),)


@pytest.mark.parametrize(
    "path", ["a/uv.lock", "pylock.x.toml", "pyproject.toml", "requirements/a.txt", "constraints.txt"]
)
def test_a_change_to_a_lock_is_known_by_its_path(path: str) -> None:
    assert may_lock(path)


@pytest.mark.parametrize("path", ["uv.lock.bak", "README.txt", "src/requirements.py"])
def test_a_change_to_anything_else_locks_nothing(path: str) -> None:
    assert not may_lock(path)


@settings(max_examples=200)
@given(
    st.sampled_from(["uv.lock", "poetry.lock", "pylock.toml", "pyproject.toml", "requirements.txt"]),
    st.one_of(
        st.binary(max_size=200),
        st.lists(
            st.sampled_from(
                [*'[]"=\n\\ .,;@#-', "[[package]]\n", 'name = "torch"\n', "version", "torch", "'''", "2.9.0"]
            )
        )
        .map("".join)
        .map(str.encode),
    ),
)
def test_no_bytes_are_ever_an_exception(name: str, data: bytes) -> None:
    found = locks({name: data})
    assert found.looked_at == (name,)


def test_every_lock_has_a_reader() -> None:
    assert set(_READERS) == set(LOCKS)


def test_every_pattern_is_below_a_folder() -> None:
    assert not [pattern for pattern in PATTERNS if pattern.startswith(("/", "**"))]
