"""Which edits may be called safe, and what is said against the others."""

from consistency_bot.port import Half, decide
from consistency_bot.port.decisions import is_likely
from consistency_bot.port.surety import Surety
from consistency_bot.rejudging import port_safely

BASE = """
from http.errors import Broken, Closed

class Client:
    def open(self, path, retries=3):
        self.path = path
        self.retries = retries
        self.opened = True
        return self

    def fetch(self, path):
        self.check()
        answer = self.send("GET", path, self.retries)
        self.count += 1
        self.last = path
        return answer

    def check(self):
        if self.closed:
            raise Closed("closed")
        self.checked = True
"""
AWAITED = BASE.replace("    def ", "    async def ").replace("self.send(", "await self.send(")
HEAD = BASE.replace('"GET"', '"HEAD"')


def _halves(*texts: str) -> list[Half]:
    return [Half(path, text.encode()) for path, text in zip(("a.py", "a.py", "b.py"), texts, strict=True)]


def _safe(old: str, new: str, theirs: str) -> str:
    return port_safely(*_halves(old, new, theirs)).text


def _doubts(old: str, new: str, theirs: str) -> list[str]:
    mine, mine_new, other = _halves(old, new, theirs)
    decided = decide(mine, mine_new, other, is_likely)
    surety = Surety(decided.matching, mine_new, decided.decisions)
    assert any(each.edits for each in decided.decisions)
    return [doubt for each in decided.decisions for doubt in surety.doubts(each)]


def test_nothing_is_said_against_a_row_that_was_the_same_among_rows_that_are_the_same() -> None:
    assert _doubts(BASE, HEAD, AWAITED) == []
    assert _safe(BASE, HEAD, AWAITED) == AWAITED.replace('"GET"', '"HEAD"')


def test_an_addition_among_rows_that_are_the_same_is_safe_with_its_comment() -> None:
    row = "        self.count += 1\n"
    new = BASE.replace(row, f"        # for those who come late\n        self.late = 0\n{row}")
    assert _safe(BASE, new, BASE) == new


def test_rows_of_the_other_sides_own_right_beside_it_are_said() -> None:
    theirs = BASE.replace("        self.last = path\n", "        self.note(path)\n        self.last = path\n")
    new = BASE.replace("self.count += 1", "self.count += 2")
    assert _doubts(BASE, new, theirs) == ["the rows around its place are no neighbours there"]
    assert _safe(BASE, new, theirs) == theirs


def test_what_the_other_side_has_of_the_change_already_is_said_right_beside_it() -> None:
    theirs = BASE.replace("        self.last = path\n", "        self.last = path\n        self.seen = path\n")
    new = theirs.replace('"GET"', '"HEAD"')
    assert _doubts(BASE, new, theirs) == ["the other side has a part of the change already, right beside it"]


def test_a_name_that_belongs_to_the_changed_side_is_said() -> None:
    old = BASE.replace("class Client", "class FlaskClient")
    new = old.replace("self.count += 1", "self.count += FlaskCounter.step")
    (doubt,) = _doubts(old, new, BASE)
    assert doubt == "`FlaskCounter` belongs to the side that changed: see what the other side calls it"
    assert _safe(old, new, BASE) == BASE


def test_a_call_of_what_nothing_called_is_no_sure_thing_where_one_side_waits() -> None:
    new = BASE.replace("self.last = path", "self.last = self.cleaned(path)")
    assert _doubts(BASE, new, AWAITED) == ["only one of the sides waits (`await`): see whether this does"]
    assert _doubts(BASE, new, BASE) == []


def test_a_name_put_in_the_other_sides_words_is_said() -> None:
    theirs = BASE.replace("retries", "attempts")
    new = BASE.replace("self.count += 1", "self.count += self.retries")
    assert _doubts(BASE, new, theirs) == [
        "it does not say the same in both files: see the names that were put in the other side's words"
    ]


def test_an_import_is_as_sure_as_what_uses_it_wherever_it_stands() -> None:
    theirs = BASE.replace("from http", "from own import thing\nfrom http").replace(
        "Broken, Closed", "Broken, Closed, Own"
    )
    new = BASE.replace("from http", "from limits import MOST\nfrom http").replace("+= 1", "+= MOST")
    ported = _safe(BASE, new, theirs)
    assert "from limits import MOST\n" in ported
    assert "self.count += MOST\n" in ported


def test_a_function_of_which_something_is_still_to_be_said_is_left_alone_as_a_whole() -> None:
    theirs = BASE.replace("        return answer\n", "        self.note(path)\n        return answer\n")
    new = HEAD.replace("return answer", "return answer.body")
    assert _doubts(BASE, new, theirs) == ["the rows around its place are no neighbours there"]
    assert _safe(BASE, new, theirs) == theirs


def test_another_function_is_written_all_the_same() -> None:
    theirs = BASE.replace("        return answer\n", "        self.note(path)\n        return answer\n")
    new = HEAD.replace("return answer", "return answer.body").replace("self.opened = True", "self.opened = False")
    assert _safe(BASE, new, theirs) == theirs.replace("self.opened = True", "self.opened = False")


def test_where_nothing_is_sure_no_import_goes_either() -> None:
    theirs = BASE.replace("        raise Closed(", "        raise Closed.now(").replace(
        "Broken, Closed", "Broken, Own, Closed"
    )
    new = BASE.replace("Broken, Closed", "Closed")
    assert _safe(BASE, new, theirs) == theirs
