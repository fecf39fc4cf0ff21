"""`port`: what this side changed in every place, where the other side has places of its own; and imports said otherwise."""

import pytest

from consistency_bot.port import Half, Ported, port
from consistency_bot.port.decisions import is_likely
from consistency_bot.rejudging import port_safely

STORE = """
from wire import encode, decode
import time

class Store:
    def put(self, key, value):
        self.check(key)
        raw = encode(value, self.args)
        self.send("PUT", key, raw)
        return key

    def patch(self, key, value):
        self.check(key)
        raw = encode(value, self.args)
        self.send("PATCH", key, raw)
        return key

    def swap(self, key, old, value):
        self.check(key)
        before = encode(old, self.args)
        self.send("SWAP", key, before)
        return key

    def check(self, key):
        if key in self.lost:
            raise KeyError(key)
        self.checked = True
"""
OWN = """
    def append(self, key, values):
        for each in values:
            self.parts.append(encode(each, self.args))
        return len(self.parts)
"""
TWIN = STORE.replace("Store", "BulkStore") + OWN


def _halves(old: str, new: str, theirs: str) -> tuple[Half, Half, Half]:
    return Half("a.py", old.encode()), Half("a.py", new.encode()), Half("b.py", theirs.encode())


def _ported(old: str, new: str, theirs: str) -> Ported:
    return port(*_halves(old, new, theirs), is_likely)


def test_what_changed_everywhere_is_changed_in_rows_of_the_other_side_alone() -> None:
    new = STORE.replace("self.args)", "self.options)")
    assert _ported(STORE, new, TWIN).text == TWIN.replace("self.args)", "self.options)")


def test_an_argument_that_every_call_got_is_given_in_calls_of_the_other_side_alone() -> None:
    new = STORE.replace("self.args)", "self.args, 1)")
    assert "self.parts.append(encode(each, self.args, 1))" in _ported(STORE, new, TWIN).text


def test_what_two_places_changed_says_nothing_about_a_third() -> None:
    old, twin = (text.replace("encode(old, self.args)", "encode(old)") for text in (STORE, TWIN))
    new = old.replace("self.args)", "self.options)")
    assert "encode(each, self.args)" in _ported(old, new, twin).text


def test_what_this_side_still_says_elsewhere_stays_in_rows_of_the_other_side_alone() -> None:
    more = "\ndef size(self):\n    return len(encode(self.rest, self.args))\n"
    new = STORE.replace("self.args)", "self.options)")
    assert "encode(each, self.args)" in _ported(STORE + more, new + more, TWIN).text


def test_rows_of_the_other_side_alone_never_get_a_name_that_nobody_brings_in() -> None:
    old = STORE + "\ndef packed(value):\n    return value\n"
    new = old.replace("self.args)", "packed)")
    assert "encode(each, self.args)" in _ported(old, new, TWIN).text


def test_rows_of_the_other_side_alone_are_never_safe() -> None:
    new = STORE.replace("self.args)", "self.options)")
    assert "encode(each, self.args)" in port_safely(*_halves(STORE, new, TWIN)).text


def test_a_row_without_a_counterpart_is_changed_wherever_the_other_side_says_it() -> None:
    old = STORE + '\ndef warn(path):\n    print("not found", path, flush=True)\n    return 1\n'
    twin = TWIN + '\n\nclass Log:\n    def lost(self, path):\n        print("not found", path, flush=True)\n'
    twin += '        self.n += 1\n\n    def gone(self, path):\n        print("not found", path, flush=True)\n'
    new = old.replace('"not found", path', '"not found:", path')
    assert _ported(old, new, twin).text == twin.replace('"not found", path', '"not found:", path')


def test_a_row_that_this_side_still_has_says_nothing_about_where_the_other_side_says_it() -> None:
    row = '    print("not found", path, flush=True)\n'
    old = STORE + f"\ndef warn(path):\n{row}    return 1\n\ndef note(path):\n    path += 1\n{row}"
    twin = TWIN + f"\n\ndef lost(self, path):\n{row}    self.n += 1\n\ndef gone(self, path):\n{row}"
    new = old.replace(row, row.replace("found", "found:"), 1)
    assert _ported(old, new, twin).text == twin


@pytest.mark.parametrize(
    "new",
    ["from wire import decode, encode\n", "from wire import encode, decode  # noqa: F401\n"],
    ids=["order", "comment"],
)
def test_an_import_that_brings_in_the_same_is_said_as_this_side_says_it_now(new: str) -> None:
    old = "from wire import encode, decode\n"
    assert _ported(STORE, STORE.replace(old, new), TWIN).text == TWIN.replace(old, new)


def test_an_import_that_the_other_side_says_otherwise_keeps_its_order() -> None:
    twin = TWIN.replace("import encode, decode", "import encode, decode, pack")
    new = STORE.replace("import encode, decode", "import decode, encode")
    assert _ported(STORE, new, twin).text == twin


LEFT = STORE + "\ndef own(path):\n    print(path, 1)\n"
MANY = "".join(f"        note(key, {number})\n" for number in range(6))
NOTED = LEFT.replace("import time\n", "import time\nfrom log import note\n").replace("print(path, 1)", "print(path, 2)")
NOTED = NOTED.replace("        self.checked = True\n", MANY + "        self.checked = True\n")


def test_an_import_comes_with_the_rest_where_its_one_user_is_left_to_a_person() -> None:
    ported = _ported(LEFT, NOTED.replace('"PUT"', '"PUSH"'), TWIN)
    assert "from log import note\n" in ported.text
    assert '"PUSH"' in ported.text
    assert "note(key" not in ported.text


def test_an_import_whose_user_is_left_to_a_person_does_not_come_alone() -> None:
    assert _ported(LEFT, NOTED, TWIN).text == TWIN


def test_an_import_that_two_would_use_is_left_to_a_person_with_them() -> None:
    new = NOTED.replace('"PUT"', '"PUSH"').replace("print(path, 2)", "note(path, 2)")
    assert "import note" not in _ported(LEFT, new, TWIN).text


def test_an_import_whose_user_is_not_written_is_never_safe() -> None:
    new = STORE.replace("import time\n", "import time\nfrom log import note\n").replace('"PUT"', '"PUSH"')
    new = new.replace(
        "    def check(self, key):", "    def noted(self, key):\n        note(key)\n\n    def check(self, key):"
    )
    halves = _halves(STORE, new, STORE.replace("Store", "BulkStore"))
    assert "import note" in port(*halves, is_likely).text
    safe = port_safely(*halves).text
    assert '"PUSH"' in safe
    assert "import note" not in safe
