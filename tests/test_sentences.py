"""What a finding says in words: which unit speaks for a cause, and what became of it on either side."""

import pytest
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


def message(a: tuple[str, str], b: tuple[str, str]) -> str:
    """The message of the only finding."""
    (found,) = findings(a, b)
    return found.message


IF = "    if self.n < j:\n        self.send(url)\n    return d\n"


def test_a_changed_line_is_told_with_what_it_was_and_what_it_is_now() -> None:
    assert message((IF, IF.replace("n < j", "n <= j")), (IF, IF)) == (
        "a changed the condition `if self.n < j:` to `if self.n <= j:` in `f` (a.py:2);"
        " b still says `if self.n < j:` in `f` (b.py:2)."
    )


def test_where_both_sides_moved_each_is_quoted() -> None:
    assert message((IF, IF.replace("n < j", "n <= j")), (IF, IF.replace("n < j", "n != j"))) == (
        "a changed the condition `if self.n < j:` to `if self.n <= j:` in `f` (a.py:2);"
        " b now says `if self.n != j:` in `f` (b.py:2)."
    )


def test_what_has_stood_on_the_other_side_unlike_is_quoted() -> None:
    other = IF.replace("n < j", "n > d")
    assert message((IF, IF.replace("n < j", "n <= j and self.k")), (other, other)) == (
        "a changed the condition `if self.n < j:` to `if self.n <= j and self.k:` in `f` (a.py:2);"
        " b says `if self.n > d:` in `f` (b.py:2)."
    )


def test_a_lost_line_is_told_as_lost() -> None:
    assert message((IF, IF.replace("        self.send(url)\n", "        pass\n")), (IF, IF)) == (
        "a no longer has the call `self.send(url)` in `f` (a.py:3); b still has it in `f` (b.py:3)."
    )


def test_up_to_three_more_units_are_named_and_the_others_counted() -> None:
    lines = [f"    self.do_{n}(url)\n" for n in range(7)]
    base, rest = "".join(lines), lines[0] + lines[6]
    assert message((base, rest), (base, base)).endswith("; with it: `self.do_2(url)`, `self.do_3(url)` and 2 more.")
    three = "".join([*lines[:1], *lines[4:]])
    assert message((base, three), (base, base)).endswith("; with it: `self.do_2(url)` and `self.do_3(url)`.")


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("    send(url, key=j, n=1)\n", "    send(url, key=j[d], n=1)\n", "argument `key=j` to `key=j[d]`"),
        ("    send(url, n=1,\n         key=j(1, 2))\n", "    send(url, n=1)\n", "the argument `key=j(1, 2)` in"),
        ("    x = {'key': j, 'd': d}\n", "    x = {'key': [j, 1], 'd': d}\n", "entry `'key': j` to `'key': [j, 1]`"),
        ("    send(url, key=lambda x, y: x)\n", "    send(url)\n", "`send(url, key=lambda x, y: x)`"),
        ("    send(url, open(key=j), key=j)\n", "    send(url, open(key=j))\n", "`send(url, open(key=j), key=j)`"),
        ("    return j\n", "    return d\n", "a changed the `return j` to `return d` in"),
        ("    for x in j:\n        continue\n", "    for x in j:\n        pass\n", "no longer has the `continue` in"),
        ("    send(\n        url,\n        j,\n    )\n", "    pass\n", "the call `send(url, j)` in"),
    ],
)
def test_a_unit_is_quoted_alone_and_as_a_reader_calls_it(was: str, now: str, said: str) -> None:
    assert said in message((was, now), (was, was))


def test_a_parameter_is_called_one() -> None:
    old, new = "    def g(item):\n        return j\n", "    def g(item_id):\n        return j\n"
    (found,) = findings((old, new), (old, old))
    assert "the parameter `item` to `item_id`" in found.message
    assert found.concept == "signature"


def test_of_two_long_texts_the_difference_is_shown() -> None:
    long = "    self.value = " + " + ".join(f"self.part_{n}" for n in range(20)) + "\n"
    said = message((long, long.replace("part_19", "part_20")), (long, long))
    assert "self.part_19` to `…" in said


def test_a_condition_that_got_or_lost_an_alternative_is_a_changed_one() -> None:
    or_else = IF.replace("n < j:", "n < j or self.k:")
    assert message((IF, or_else), (IF, IF)) == (
        "a changed the condition `if self.n < j:` to `if self.n < j or self.k:` in `f` (a.py:2);"
        " b says `if self.n < j:` in `f` (b.py:2)."
    )
    assert message((or_else, IF), (or_else, or_else)) == (
        "a changed the condition `if self.n < j or self.k:` to `if self.n < j:` in `f` (a.py:2);"
        " b still says `if self.n < j or self.k:` in `f` (b.py:2)."
    )
