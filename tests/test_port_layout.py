"""Statements that a port writes are laid out as the other side lays out its own."""

from consistency_bot.port import Half, port
from consistency_bot.port.decisions import is_likely

OLD = """\
import log


class Client:
    def fetch(self, path):
        answer = self.send("GET", path,
                           retries=3)
        self.count += 1
        return answer

    def send(self, verb, path, retries):
        return self.link.send(verb, path, retries)
"""
TWIN = (
    OLD.replace("    def ", "    async def ")
    .replace("self.send(", "await self.send(")
    .replace("                           retries", "                                 retries")
)


def _ported(old: str, new: str, theirs: str) -> str:
    mine, mine_new, other = (Half("a.py", old.encode()), Half("a.py", new.encode()), Half("b.py", theirs.encode()))
    return port(mine, mine_new, other, is_likely).text


def test_an_added_line_that_is_aligned_with_its_bracket_is_aligned_over_there_too() -> None:
    added = '        self.send("PING", path,\n                  retries=1)\n'
    expected = '        await self.send("PING", path,\n                        retries=1)\n'
    new = OLD.replace("        self.count", added + "        self.count")
    assert _ported(OLD, new, TWIN) == TWIN.replace("        self.count", expected + "        self.count")


def test_lines_stay_aligned_with_a_bracket_that_moves() -> None:
    new = OLD.replace(
        'answer = self.send("GET", path,\n                           retries',
        'reply = self.send("GET", path,\n                          retries',
    ).replace("return answer", "return reply")
    expected = TWIN.replace(
        'answer = await self.send("GET", path,\n                                 retries',
        'reply = await self.send("GET", path,\n                                retries',
    ).replace("return answer", "return reply")
    assert _ported(OLD, new, TWIN) == expected


def test_what_comes_before_the_first_word_has_the_blank_that_this_side_has() -> None:
    old = OLD.replace("self.count += 1", "note(path)")
    theirs = TWIN.replace("self.count += 1", "note(path)")
    assert "        log.note(path)\n" in _ported(old, old.replace(" note(", " log.note("), theirs)
    assert "        del note(path)\n" in _ported(old, old.replace(" note(", " del note("), theirs)


def test_an_item_brings_its_comma_where_the_other_side_has_none_behind_the_last() -> None:
    old = OLD.replace("self.count += 1", "log.note(\n            path,\n            level=3,\n        )")
    theirs = TWIN.replace("self.count += 1", "log.note(path, level=3)")
    new = old.replace("level=3,\n", "level=3,\n            **self.extra,\n")
    assert "log.note(path, level=3, **self.extra)" in _ported(old, new, theirs)


def test_an_item_has_its_comma_behind_it_where_the_other_side_has_one_behind_the_last() -> None:
    old = OLD.replace("self.count += 1", "log.note(path, level=3)")
    theirs = TWIN.replace("self.count += 1", "log.note(\n            path,\n            level=3,\n        )")
    written = _ported(old, old.replace("level=3)", "level=3, **self.extra)"), theirs)
    assert "".join(written.split()).count("log.note(path,level=3,**self.extra,)") == 1


def test_brackets_that_only_lay_out_a_statement_are_not_put_around_another_one() -> None:
    theirs = TWIN.replace("self.link.send(verb, path, retries)", "self.link.send(verb, path, retries, self.proxy)")
    old = "return self.link.send(verb, path, retries)"
    new = OLD.replace(old, "return (\n            self.link.send(verb, path, retries)\n        )")
    assert _ported(OLD, new, theirs) == theirs


def test_what_comes_behind_words_that_went_keeps_its_blank() -> None:
    old = OLD.replace("def fetch(self, path):", "def fetch(self, path) -> Future[None]:")
    theirs = OLD.replace("def fetch(self, path):", "def fetch(self, path) -> Future[Reply]:")
    new = old.replace("Future[None]", "None")
    assert "def fetch(self, path) -> Reply:\n" in _ported(old, new, theirs)
