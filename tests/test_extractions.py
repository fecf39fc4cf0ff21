"""What went into a function is read where that is called: seen through as it stands, told where anything is another thing."""

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Finding, Rules, RulesSource, Side, Twins

CODE = """\
class Client:
    def fetch(self, url, limit, scale=2):
        reply = self.get(url, timeout=3)
        if limit < 0:
            raise ValueError("limit must not be negative")
        size = reply.size * scale + limit
        self.seen.append(url)
        self.log(size, url=url, level=2)
        for part in reply.parts:
            if part.is_empty:
                continue
            self.keep(part, size)
        return self.parse(reply, size)

    def close(self):
        self.pool.close()
"""
CHECK = """\
        if limit < 0:
            raise ValueError("limit must not be negative")
"""
SIZE = "        size = reply.size * scale + limit\n"
NOTED = """\
        self.seen.append(url)
        self.log(size, url=url, level=2)
"""
LOOP = """\
            if part.is_empty:
                continue
            self.keep(part, size)
"""
CHECKED = CODE.replace(CHECK, "        self._check(limit)\n")
METHOD = """
    def _check(self, n):
        if n < 0:
            raise ValueError("limit must not be negative")
"""
FUNCTION = """
def _scaled(p, q, r):
    return p * q + r
"""
SCALED = CODE.replace(SIZE, "        size = _scaled(reply.size, scale, limit)\n")
SIZED = (
    CODE.replace(SIZE + NOTED, "        size = self._sized(reply, url, scale, limit)\n")
    + """
    def _sized(self, answer, address, factor, bound):
        total = answer.size * factor + bound
        self.seen.append(address)
        self.log(total, url=address, level=2)
        return total
"""
)
KEPT = (
    CODE.replace(LOOP, "            self._keep_one(part, size)\n")
    + """
    def _keep_one(self, piece, size):
        if piece.is_empty:
            return
        self.keep(piece, size)
"""
)
NESTED = CODE.replace(CHECK, "        check(limit)\n").replace(
    "        reply =",
    """\
        def check(n):
            if n < 0:
                raise ValueError("limit must not be negative")

        reply =""",
)

SEEN_THROUGH = {
    "a method": CHECKED + METHOD,
    "called by keyword": CHECKED.replace("_check(limit)", "_check(n=limit)") + METHOD,
    "a default is kept": CHECKED + METHOD.replace("n)", "n, least=0)", 1).replace("n < 0", "n < least"),
    "only by keyword": CHECKED.replace("_check(limit)", "_check(n=limit)") + METHOD.replace("self, n", "self, *, n"),
    "a static method": CHECKED + METHOD.replace("self, ", "").replace("    def", "    @staticmethod\n    def"),
    "a function given the object": CHECKED.replace("self._check(limit)", "_check(self, limit)")
    + "\n\ndef _check(client, n):\n    if n < 0:\n        raise ValueError('no')\n",
    "a nested function": NESTED,
    "a value": SCALED + FUNCTION,
    "a value by keywords": SCALED.replace("(reply.size, scale, limit)", "(r=limit, p=reply.size, q=scale)") + FUNCTION,
    "a part of a value": CODE.replace("reply.size * scale +", "_times(reply.size, scale) +")
    + "\n\ndef _times(one, other):\n    return one * other\n",
    "lines and their result": SIZED,
    "a function that calls another new one": SIZED.replace(
        "answer.size * factor + bound", "_scaled(answer.size, factor, bound)"
    )
    + FUNCTION,
    "the body of a loop": KEPT,
    "all that is left": CODE.replace(
        "        return self.parse(reply, size)\n", "        return self._parsed(size, reply)\n"
    )
    + "\n    def _parsed(self, length, answer):\n        return self.parse(answer, length)\n",
}
"""Code that says what `CODE` says."""


def blocking(base: str, head: str) -> list[Finding]:
    twins = Twins("pair", (Side("a", ("a.py",)), Side("b", ("b.py",))))
    before = {"a.py": base.encode(), "b.py": base.encode()}
    change = change_between(before, before | {"a.py": head.encode()})
    found = check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change)
    return [each for each in found.findings if each.blocks]


@pytest.mark.parametrize("other", SEEN_THROUGH.values(), ids=SEEN_THROUGH)
def test_lines_that_went_into_a_function_are_still_said(other: str) -> None:
    assert blocking(CODE, other) == []


@pytest.mark.parametrize("other", SEEN_THROUGH.values(), ids=SEEN_THROUGH)
def test_lines_that_came_out_of_a_function_were_said_before(other: str) -> None:
    assert blocking(other, CODE) == []


def test_a_public_function_that_is_dissolved_is_missed_by_who_called_it() -> None:
    (finding,) = blocking((SCALED + FUNCTION).replace("_scaled", "scaled"), CODE)
    assert finding.changed is not None
    assert (finding.verdict, finding.changed.function) == ("missed", "scaled")


def test_a_method_of_a_base_class_is_one_of_its_own() -> None:
    base = CODE.replace("Client:", "Client(Base):") + "\n\nclass Base:\n    timeout = 3\n"
    head = base.replace(CHECK, "        self._check(limit)\n") + METHOD
    assert blocking(base, head) == blocking(head, base) == []
    assert blocking(base, head.replace("Client(Base)", "Client(Bases)"))


CHANGED = {
    "widened": CHECKED + METHOD.replace("n < 0", "n <= 0"),
    "another error": CHECKED + METHOD.replace("ValueError", "TypeError"),
    "asked of another value": CHECKED.replace("_check(limit)", "_check(scale)") + METHOD,
    "another default": CHECKED + METHOD.replace("n)", "n, least=1)", 1).replace("n < 0", "n < least"),
    "a default that is not kept": CHECKED.replace("_check(limit)", "_check(limit, 5)")
    + METHOD.replace("n)", "n, least=0)", 1).replace("n < 0", "n < least"),
    "not called": CHECKED.replace("        self._check(limit)\n", "") + METHOD,
    "called in one case only": CHECKED.replace("        self._check", "        if url:\n            self._check")
    + METHOD,
    "called in a case that was there": CHECKED.replace("        self._check(limit)\n", "").replace(
        "                continue\n", "                self._check(limit)\n                continue\n"
    )
    + METHOD,
    "a method of another class": CHECKED + "\n\nclass Other:" + METHOD,
    "of any class": CHECKED.replace("self._check", "url._check") + METHOD.replace("n < 0", "n > 0"),
    "nested and widened": NESTED.replace("n < 0", "n <= 0"),
    "arguments swapped": SCALED.replace("scale, limit", "limit, scale") + FUNCTION,
    "arguments swapped under the names of the parameters": SCALED.replace("scale, limit", "limit, scale")
    + "\n\ndef _scaled(size, scale, limit):\n    return size * scale + limit\n",
    "a term lost": SCALED + FUNCTION.replace(" + r", ""),
    "a keyword lost": SIZED.replace(", level=2", ""),
    "a line lost": SIZED.replace("        self.seen.append(address)\n", ""),
    "another result": SIZED.replace("return total", "return bound"),
    "the end of a loop's turn lost": KEPT.replace("        if piece.is_empty:\n            return\n", ""),
    "results swapped": CODE.replace("return self.parse(reply, size)", "return self._parsed(size, reply)")
    + "\n    def _parsed(self, length, answer):\n        return self.parse(length, answer)\n",
}
"""Code that says something else."""


@pytest.mark.parametrize("other", CHANGED.values(), ids=CHANGED)
def test_what_is_another_thing_in_the_function_is_told(other: str) -> None:
    assert blocking(CODE, other)


@pytest.mark.parametrize("slip", ["a keyword lost", "a term lost", "widened", "arguments swapped", "another result"])
def test_what_is_another_thing_once_it_came_out_is_told(slip: str) -> None:
    assert blocking(CHANGED[slip], CODE)


def test_arguments_that_cannot_be_bound_are_left_as_they_are_told() -> None:
    assert blocking(CODE, SCALED.replace("(reply.size, scale, limit)", "(*sizes)") + FUNCTION)
    assert blocking(CODE, SCALED + FUNCTION.replace("p, q, r", "p, *q").replace("p * q + r", "p * q[0] + q[1]"))


def test_a_function_that_is_gone_with_what_it_said_is_told_where_it_was_called() -> None:
    grown = CODE.replace("level=2)", "level=2, once=True)")
    assert [each.changed.function for each in blocking(SIZED, grown) if each.changed is not None] == ["Client.fetch"]
