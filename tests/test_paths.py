import re
from time import process_time

import pytest
from hypothesis import given, settings
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
    ("**/**/**/x*", "a/b/xy", True),
    ("**/**/**/x*", "x", True),
    ("**/**/**/x*", "a/yx", False),
    ("a*b*c", "a1b2b3c", True),
    ("a*b/c*d", "ab/xab/cd", False),
    ("**a*b", "a/ab", True),
    ("**a*b**", "a/ab/c", True),
    ("**/a*b/**/c", "ab/x/c", True),
    ("**/a*b/**/c", "a/b/c", False),
    ("a**/b", "ac/d/b", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), MATCHES)
def test_a_pattern_matches_as_the_table_says(pattern: str, path: str, expected: bool) -> None:
    assert compile_pattern(pattern)(path) is expected


def naive(pattern: str) -> re.Pattern[str]:
    """What a pattern means, in an expression that may try the same over and over again."""
    words = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    tokens = re.findall(r"(?:(?<=/)|\A)\*\*/|\*+|\?|[^*?]+", pattern)
    return re.compile("".join(words.get(each) or (".*" if each[0] == "*" else re.escape(each)) for each in tokens))


@settings(max_examples=1500)
@given(st.text(alphabet="ab/**?", min_size=1, max_size=12), st.text(alphabet="ab/", max_size=14))
def test_a_pattern_that_never_tries_twice_matches_the_same(pattern: str, path: str) -> None:
    assert compile_pattern(pattern)(path) is (naive(pattern).fullmatch(path) is not None or pattern == path)


@pytest.mark.parametrize("pattern", ["**/" * 30 + "x*", "*a" * 30 + "*b", "**a" * 30 + "**b", "**/*a*a*a*a*/**/*b"])
def test_no_pattern_explodes(pattern: str) -> None:
    matches = compile_pattern(pattern)
    start = process_time()
    assert not matches("a" * 200 + "/" + "a/" * 100)
    assert process_time() - start < 2  # it would take years


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
