"""`comments: compare`: comments and docstrings of Python files are units of their own."""

import pytest
from memory_tree import change_between

from consistency_bot.align.renames import Renames
from consistency_bot.align.translation import Translation
from consistency_bot.check import check_change
from consistency_bot.model import Comments, Finding, Rules, RulesSource, Side, Twins
from consistency_bot.syntax import Readings, Source

CODE = b'''\
"""Sends texts."""

# How long a text may be, counted in letters.
LIMIT = 3


class Client:
    """One connection."""

    # Kept between calls: opening is slow.
    pool = None

    def send(self, text, limit=LIMIT):
        """Send a text, or refuse it."""
        # Too long a text would be cut by the server,
        # and nobody would notice.
        if len(text) > limit:
            raise ValueError(text)  # before anything is sent
        return self.post(
            text,
            wait=True,  # until it is there
        )
'''


def findings_of(a: bytes, b: bytes, comments: Comments = "compare", base: bytes = CODE) -> list[Finding]:
    twins = Twins("pair", (Side("a", ("a.py",)), Side("b", ("b.py",))), comments=comments)
    change = change_between({"a.py": base, "b.py": base}, {"a.py": a, "b.py": b})
    return list(check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change).findings)


EDITS = [
    (b"counted in letters", b"counted in words", "comment", None),
    (b"opening is slow", b"opening is costly", "comment", "Client"),
    (b"nobody would notice", b"nobody would know", "comment", "Client.send"),
    (b"before anything is sent", b"after all is sent", "comment", "Client.send"),
    (b"until it is there", b"until it is read", "comment", "Client.send"),
    (b"Sends texts.", b"Sends letters.", "docstring", None),
    (b"One connection.", b"One of many connections.", "docstring", "Client"),
    (b"or refuse it", b"or drop it", "docstring", "Client.send"),
]


@pytest.mark.parametrize(("old", "new", "concept", "function"), EDITS, ids=[each[1].decode() for each in EDITS])
def test_a_comment_that_one_side_changes_is_missed_where_comments_count(
    old: bytes, new: bytes, concept: str, function: str | None
) -> None:
    edited = CODE.replace(old, new)
    (finding,) = findings_of(edited, CODE)
    assert (finding.verdict, finding.concept) == ("missed", concept)
    assert finding.changed is not None
    assert finding.changed.function == function
    assert findings_of(edited, edited) == []
    assert findings_of(edited, CODE, "ignore") == []


def test_a_finding_about_a_comment_names_its_lines_on_both_sides() -> None:
    (finding,) = findings_of(CODE.replace(b"nobody would notice", b"nobody would know"), CODE)
    assert finding.counterpart is not None
    assert (finding.counterpart.line, finding.counterpart.end_line) == (15, 16)


@pytest.mark.parametrize(
    "edited",
    [
        CODE.replace(b"by the server,\n        # and nobody", b"by the\n        # server, and nobody"),
        CODE.replace(b"# Kept between", b"#   Kept  between"),
        CODE.replace(b'"""One connection."""', b"'One connection.'"),
        CODE.replace(b"LIMIT = 3\n", b"LIMIT = 3\n# ------\n"),
        CODE.replace(b"LIMIT = 3\n", b"LIMIT = 3  # consistency: differs(constant) the other side counts words\n"),
    ],
    ids=["wrapped otherwise", "spaces", "quotes", "a ruler", "a word to this tool"],
)
def test_how_a_comment_is_laid_out_and_what_is_for_this_tool_does_not_count(edited: bytes) -> None:
    assert findings_of(edited, CODE) == []


def test_code_is_judged_beside_its_comments_as_without_them() -> None:
    edited = CODE.replace(b"> limit", b">= limit")
    for comments in ("compare", "ignore"):
        (finding,) = findings_of(edited, CODE, comments)
        assert (finding.verdict, finding.concept) == ("missed", "guard")


def test_names_are_not_learnt_from_comments() -> None:
    """`letters` on one side and `words` on the other stand at one place in a comment, and stay two words."""
    sides = (CODE, CODE.replace(b"letters", b"words"))
    left, right = (Source("a.py", each, Readings(), comments="compare").definitions[0].units for each in sides)
    votes = Renames()
    votes.watch(left, right, (Translation({}), Translation({})))
    assert votes.votes["LIMIT", "LIMIT"] == 1
    assert not any("words" in pair for pair in votes.votes)


def test_statements_keep_their_order_and_what_they_stand_in() -> None:
    plain, remarked = (Source("a.py", CODE, Readings(), comments=each) for each in ("ignore", "compare"))
    for one, other in zip(plain.definitions, remarked.definitions, strict=True):
        without = [each for each in other.statements if each.units[0].concept not in ("comment", "docstring")]
        assert [each.raw for each in without] == [each.raw for each in one.statements]
        parents = [one.statements[each.parent].raw if each.parent >= 0 else b"" for each in one.statements]
        assert [other.statements[each.parent].raw if each.parent >= 0 else b"" for each in without] == parents
        assert all(other.statements[unit.statement].units.count(unit) == 1 for unit in other.units)
