import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consistency_bot.paths import compile_pattern, is_glob

MATCHES = [
    ("a/b.py", "a/b.py", True),
    ("a/b.py", "a/bXpy", False),
    ("a/*.py", "a/b.py", True),
    ("a/*.py", "a/.py", True),
    ("a/*.py", "a/c/b.py", False),
    ("a/*.py", "x/a/b.py", False),
    ("*", "a", True),
    ("*", "a/b", False),
    ("*/b.py", "a/b.py", True),
    ("a/b?.py", "a/b1.py", True),
    ("a/b?.py", "a/b.py", False),
    ("a?b", "a/b", False),
    ("a/**/b.py", "a/b.py", True),
    ("a/**/b.py", "a/x/y/b.py", True),
    ("a/**/b.py", "a/xb.py", False),
    ("a/**", "a/x/y", True),
    ("a/**", "a", False),
    ("a/**", "ab/x", False),
    ("**/b.py", "b.py", True),
    ("**/b.py", "a/x/b.py", True),
    ("**/b.py", "a/xb.py", False),
    ("a/x**.py", "a/x/y/z.py", True),
    ("a/[b].py", "a/[b].py", True),
    ("a/[b].py", "a/b.py", False),
    ("a/*.py", "a/line\nbreak.py", True),
    ("a/*.py", "a/\udcff.py", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), MATCHES)
def test_a_pattern_matches_as_the_table_says(pattern: str, path: str, expected: bool) -> None:
    assert compile_pattern(pattern)(path) is expected


@given(st.text(alphabet="ab/.[]+(", min_size=1))
def test_a_pattern_without_a_wildcard_matches_itself_and_nothing_around_it(path: str) -> None:
    matches = compile_pattern(path)
    assert not is_glob(path)
    assert matches(path)
    assert not matches(path + "a")


@given(st.text(alphabet="ab/*?", min_size=1), st.text(alphabet="ab/", min_size=1))
def test_a_star_never_crosses_a_folder_unless_it_is_double(pattern: str, path: str) -> None:
    if "**" not in pattern and compile_pattern(pattern)(path):
        assert len(re.findall("/", pattern)) == len(re.findall("/", path))
