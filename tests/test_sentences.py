"""What a finding says in words: which unit speaks for a cause, and what became of it on either side."""

import yaml
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Finding
from consistency_bot.rules import RulesText, load_rules

TWINS = [{"id": "clients", "sides": {"a": "a.py", "b": "b.py"}}]
RULES = RulesText("rules.yaml", yaml.safe_dump({"version": 1, "twins": TWINS}).encode())


def findings(a: tuple[str, str], b: tuple[str, str]) -> list[Finding]:
    """What is said where side a and side b each go from one body of a function to another."""
    before, after = (
        {f"{side}.py": f"def f(self, url, j, d):\n{two[at]}".encode() for side, two in (("a", a), ("b", b))}
        for at in (0, 1)
    )
    change = change_between(before, after)
    return list(check_change(load_rules(change, RULES), change).findings)


POST = "    self.x = self.post(\n        url,\n        json=j,\n        data=d,\n    )\n    return self.x\n"
STREAM = POST.replace("post(", "stream(").replace("url,", '"POST",\n        url,')


def test_an_argument_that_is_passed_to_another_call_now_does_not_speak_for_the_change() -> None:
    b = POST.replace("self.post", "session.post"), STREAM.replace("self.stream", "client.get(j).stream")
    (found,) = findings((POST, STREAM.replace("data=d", "content=d")), b)
    assert "=d" in found.message
    assert "json=j" not in found.message


def test_a_statement_speaks_before_the_arguments_of_another_one() -> None:
    base = "    self.send(url, json=j)\n    if self.closed:\n        return j\n    return d\n"
    head = "    self.send(url, json=d)\n    if self.closed and url:\n        return j\n    return d\n"
    (found,) = findings((base, head), (base, base))
    assert found.concept == "condition"


def test_an_argument_that_nobody_touched_on_the_other_side_is_missed_though_its_call_got_another_one() -> None:
    more = POST.replace("url,", "url,\n        context=self.c,")
    (found,) = findings((POST, more), (POST, more.replace("        json=j,\n", "")))
    assert (found.verdict, found.changed and found.changed.side) == ("missed", "b")
    assert "a still has it in" in found.message
