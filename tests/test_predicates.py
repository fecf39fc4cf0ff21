"""A condition that went into a new function is still said; one that reads or means anything else is not."""

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Finding, Rules, RulesSource, Side, Twins

CODE = """\
class Client:
    def fetch(self, url, most):
        reply = self.get(url)
        if reply.status >= 500:
            return None
        return reply.body
"""
CALLED = CODE.replace("reply.status >= 500", "self._failed(reply)")
METHOD = """
    def _failed(self, reply):
        return reply.status >= 500
"""


def blocking(base: str, head: str) -> list[Finding]:
    twins = Twins("pair", (Side("a", ("a.py",)), Side("b", ("b.py",))))
    before = {"a.py": base.encode(), "b.py": base.encode()}
    change = change_between(before, before | {"a.py": head.encode()})
    found = check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change)
    return [each for each in found.findings if each.blocks]


@pytest.mark.parametrize(
    "head",
    [
        CALLED + METHOD,
        CALLED + METHOD.replace("reply", "answer"),
        CALLED + METHOD.replace("self, ", "").replace("    def", "    @staticmethod\n    def"),
        CODE.replace("reply.status >= 500", "failed(reply)") + "\n\ndef failed(r):\n    return r.status >= 500\n",
        CODE.replace("reply.status >= 500", "self._failed(reply.status)") + METHOD.replace("reply.status", "reply"),
    ],
    ids=["a method", "another name for the parameter", "a static method", "a function", "an attribute is passed"],
)
def test_a_condition_that_only_got_a_name_is_no_finding(head: str) -> None:
    assert blocking(CODE, head) == []


@pytest.mark.parametrize(
    "head",
    [
        CALLED + METHOD.replace("500", "400"),
        CALLED.replace("self._failed", "not self._failed") + METHOD,
        CALLED.replace("(reply)", "(url)") + METHOD,
        CALLED.replace("self._failed(reply)", "self.failed") + METHOD,
        CALLED.replace("self._failed(reply)", "self._failed(reply) and url") + METHOD,
        CALLED + METHOD.replace("    def", "    async def"),
        CALLED + METHOD.replace("    def", "    @cached\n    def"),
        CALLED + "\nclass Other:" + METHOD,
        CALLED + METHOD.replace("        return", "        self.count()\n        return"),
    ],
    ids=[
        "another bound",
        "negated",
        "asked of something else",
        "not called",
        "narrowed",
        "a coroutine is always true",
        "a decorator may do anything",
        "a method of another class",
        "a function that does more",
    ],
)
def test_a_call_that_does_not_say_what_the_condition_said_is_a_finding(head: str) -> None:
    assert [each.concept for each in blocking(CODE, head)][:1] == ["condition"]


def test_a_variable_around_the_call_is_not_the_name_in_the_new_function() -> None:
    base = CODE.replace("500", "most")
    assert blocking(base, CALLED + METHOD.replace("500", "most"))
