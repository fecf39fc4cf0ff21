"""Statements that a port changes or adds are folded over lines as the formatter of the other side folds them."""

import pytest

from consistency_bot.port import Half, port
from consistency_bot.port.folding import folded, width_of, words_of
from consistency_bot.port.imports import with_names
from consistency_bot.rejudging import port_safely
from consistency_bot.syntax.source_rows import rows_of

FOLDED = """\
from wire import Answer, Link, Request


class Client:
    def fetch(self, path, retries):
        answer = self.link.send_request(
            "GET", path, retries=retries, timeout=self.timeout, notes={}
        )
        self.count += 1
        return answer

    def store(self, path, value, retries):
        answer = self.link.send_request(
            "PUT",
            path,
            value=value,
            retries=retries,
            timeout=self.timeout,
            is_idempotent=False,
        )
        return answer

    def drop(
        self, path: str, retries: int = 3, timeout: float = 1.0, is_quiet: bool = False
    ) -> Answer:
        if self.link.is_open_for("DELETE") and not self.link.is_closing():
            raise RuntimeError(
                "the link closes while something is still to be taken off it, see notes"
            )
        return self.link.send_request("DELETE", path, retries=retries)
"""


def _ported(old: str, new: str, theirs: str) -> str:
    mine, mine_new, other = (Half("a.py", old.encode()), Half("a.py", new.encode()), Half("b.py", theirs.encode()))
    return port(mine, mine_new, other, lambda decision: True).text


def test_the_width_of_a_file_is_told_by_its_statements() -> None:
    assert width_of(rows_of(FOLDED)) == 88
    assert width_of(rows_of(FOLDED.replace("(\n            ", "("))) is None
    assert width_of([]) is None


@pytest.mark.parametrize("row", rows_of(FOLDED), ids=lambda row: row.first)
def test_what_a_formatter_has_laid_out_is_laid_out_the_same(row) -> None:  # type: ignore[no-untyped-def]
    text = FOLDED[row.start : row.end].strip("\n")[len(row.indent) :]
    assert folded(words_of(row), row.indent, 88) == text


@pytest.mark.parametrize(
    "statement",
    [
        "total = first_of_many_numbers + second_of_many_numbers + third_of_many_numbers",
        "return [each.name for each, other in zip(first_of_many_names, second_of_many_names)]",
        "value = table[first_of_many_numbers][second_of_many_numbers][third_of_many_numbers]",
        "call(first_of_many_numbers, lambda one, other: second_of_many_numbers, third_of_them)",
    ],
)
def test_what_these_rules_do_not_tell_has_no_answer(statement: str) -> None:
    assert folded(words_of(rows_of(statement)[0]), "", 60) is None


def test_a_statement_that_fits_on_a_line_again_is_put_on_one() -> None:
    new = FOLDED.replace(", timeout=self.timeout, notes={}\n", "\n").replace("notes={}", "")
    theirs = FOLDED.replace("self.link", "self.wire")
    new = new.replace(
        'self.link.send_request(\n            "GET", path, retries=retries\n        )',
        'self.link.send_request("GET", path, retries=retries)',
    )
    expected = '        answer = self.wire.send_request("GET", path, retries=retries)\n        self.count'
    assert expected in _ported(FOLDED, new, theirs)


def test_a_statement_that_gets_too_long_is_folded() -> None:
    last = 'self.link.send_request("DELETE", path, retries=retries)'
    theirs = FOLDED.replace(last, last.replace("self.link", "self.connections.first_link"))
    expected = (
        "        return self.connections.first_link.send_request(\n"
        '            "DELETE", path, retries=retries, note=path\n'
        "        )\n"
    )
    assert expected in _ported(FOLDED, FOLDED.replace(last, f"{last[:-1]}, note=path)"), theirs)


def test_a_new_statement_is_folded_where_it_is_too_long_over_there() -> None:
    line = "        self.count += 1\n"
    new = FOLDED.replace(
        line, f'{line}        self.link.note_down("GET", path, retries=retries, at=self.count, by=1)\n'
    )
    expected = (
        "        self.link.note_down(\n"
        '            "GET", path, retries=retries, at=self.number_of_all_calls, by=1\n'
        "        )\n"
    )
    assert expected in _ported(FOLDED, new, FOLDED.replace("count", "number_of_all_calls"))


def test_a_statement_that_a_person_has_laid_out_stays_as_it_is_laid_out() -> None:
    by_hand = '"GET", path, retries=retries,\n            timeout=self.timeout, notes={}\n'
    theirs = FOLDED.replace('"GET", path, retries=retries, timeout=self.timeout, notes={}\n', by_hand)
    ported = _ported(FOLDED, FOLDED.replace("notes={}", "notes=None"), theirs)
    assert by_hand.replace("notes={}", "notes=None") in ported


@pytest.mark.parametrize(("width", "lines"), [(88, 11), (None, 11), (100, 1)])
def test_names_stay_on_one_line_as_long_as_the_other_side_lets_lines_be(width: int | None, lines: int) -> None:
    text = "from wire import Answer, Link, Request, Resources, Retries, Timeouts, Timings, Trips\n"
    out = with_names(rows_of(text)[0], text, ["Verbs"], ["Request", "Verbs"], width)
    assert out is not None
    assert out.count("\n") == lines


def test_a_name_is_sorted_in_as_this_side_sorts_where_the_other_could_be_sorted_in_two_ways() -> None:
    old = "from wire import Link, answer\n\n\ndef fetch(path):\n    return answer(Link(path), 3)\n"
    new = old.replace("Link, answer", "_LEAST_TRIES, Link, answer").replace("3", "_LEAST_TRIES")
    theirs = old.replace("Link, answer", "Link, answer, notes")
    assert _ported(old, new, theirs).startswith("from wire import _LEAST_TRIES, Link, answer, notes\n")


def test_what_a_formatter_folds_on_one_side_alone_is_no_less_sure() -> None:
    last = 'return self.link.send_request("DELETE", path, retries=retries)'
    old = f"{FOLDED}\n    def close(self):\n        self.link.close()\n        self.count = 0\n"
    theirs = old.replace("    def ", "    async def ").replace("self.link.send", "await self.link.send")
    new = old.replace(last, last.replace("retries=retries", "retries=retries, is_last=1.0"))
    halves = (Half("a.py", old.encode()), Half("a.py", new.encode()), Half("b.py", theirs.encode()))
    expected = (
        "        return await self.link.send_request(\n"
        '            "DELETE", path, retries=retries, is_last=1.0\n'
        "        )\n"
    )
    assert expected in port_safely(*halves).text
