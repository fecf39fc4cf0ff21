"""`port`: what is written on the other side, against expectations written by hand, and what is declined."""

import difflib
from pathlib import Path

import pytest

from consistency_bot.cli import main
from consistency_bot.port import Half, Ported, port
from consistency_bot.port.decisions import is_likely
from consistency_bot.rejudging import port_safely

FOLDER = Path(__file__).parent / "twins"

PORTS = {
    "call-in-one-init": "+        install_alias_rule()",
    "condition-widened-one": "-    if rings > 1:\n+    if rings > 1 or recompute:",
    "config-key-one": (
        '-        keys = ["tokens", "mask", "positions", "old_scores", "weights"]\n'
        '+        keys = ["tokens", "mask", "answer_mask", "positions", "old_scores", "weights"]\n'
        '-        width = batch["answers"].width\n'
        '-        answer_mask = data["mask"].last(width)\n'
        '+        answer_mask = data["answer_mask"]'
    ),
    "decorator-only": "+    @retry_on_conflict",
    "guard-removed-one": (
        "-        elif self.split_rows and self.columns > 1:\n"
        '-            raise RuntimeError("split_rows with columns > 1 is broken upstream")'
    ),
    "async-exit-one-side": "-        self.close()\n+        if kind is None:\n+            self.close()",
    "base-class-one": "-class AsyncConnectionPool:\n+class AsyncConnectionPool(Observable):",
    "default-one": "-    def pages(self, path, limit=100):\n+    def pages(self, path, limit=200):",
    "except-type-one": ("-            except wire.Timeout:\n+            except (wire.Timeout, ConnectionResetError):"),
    "import-moved-and-a-call-changed": (
        '-    quality = explained_variance(batch["values"], batch["returns"])\n'
        '+    quality = explained_variance(batch["values"], batch["advantages"])'
    ),
    "training-step-put-under-a-context-in-one-trainer": (
        "-        loss = super().training_step(model, inputs, items)\n"
        "+        with self.offload_context:\n"
        "+            loss = super().training_step(model, inputs, items)"
    ),
    "timeout-of-one-call-in-the-blocking-client-only": (
        '+        options = {}\n+        if "timeout" in query:\n+            options["timeout"] = float(query["timeout"])\n'
        "+            **options,"
    ),
    "method-removed-one": (
        "-    async def pages(self, path, limit=100):\n"
        '-        """Every page from here on."""\n'
        "-        while True:\n"
        "-            page = await self.fetch(path, limit=limit)\n"
        "-            if not page:\n"
        "-                return\n"
        "-            yield page\n"
        "-            if self.cursor is None:\n"
        "-                return\n"
        "-"
    ),
    # What the other side has no name for stays unwritten.
    "attention-dropout-switched-on-in-one-framework": "",
}


def _sides(slug: str) -> tuple[Half, Half, Half]:
    base, head = FOLDER / slug / "base", FOLDER / slug / "head"
    paths = sorted(each.relative_to(base) for each in base.rglob("*.py"))
    moved = [each for each in paths if (base / each).read_bytes() != (head / each).read_bytes()]
    assert (len(paths), len(moved)) == (2, 1)
    other = next(each for each in paths if each != moved[0])
    return tuple(  # type: ignore[return-value]
        Half(str(path), (folder / path).read_bytes())
        for folder, path in ((base, moved[0]), (head, moved[0]), (base, other))
    )


def _difference(old: str, new: str) -> str:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return "\n".join(line for line in list(lines)[2:] if not line.startswith("@@"))


@pytest.mark.parametrize("slug", PORTS)
def test_what_one_side_missed_is_written_as_a_person_would(slug: str) -> None:
    mine, mine_new, theirs = _sides(slug)
    ported = port(mine, mine_new, theirs, is_likely)
    assert _difference(theirs.text, ported.text) == PORTS[slug]


@pytest.mark.parametrize("slug", ["default-one", "except-type-one"])
def test_a_safe_port_is_the_same_where_judging_again_finds_nothing(slug: str) -> None:
    mine, mine_new, theirs = _sides(slug)
    assert port_safely(mine, mine_new, theirs).text == port(mine, mine_new, theirs, is_likely).text != theirs.text


CLIENT = """
import time

class Client:
    def fetch(self, path):
        self.check()
        answer = self.send("GET", path)
        self.count += 1
        return answer

    def check(self):
        if self.closed:
            raise RuntimeError("closed")
        self.checked = True
"""
TWIN = (
    CLIENT.replace("    def ", "    async def ")
    .replace("Client", "AsyncClient")
    .replace("self.send(", "await self.send(")
)


def _ported(old: str, new: str, theirs: str) -> Ported:
    return port(Half("a.py", old.encode()), Half("a.py", new.encode()), Half("b.py", theirs.encode()), is_likely)


def test_a_call_that_the_other_side_awaits_is_awaited() -> None:
    new = CLIENT.replace("        self.count", '        self.send("PING", path)\n        self.count')
    ported = _ported(CLIENT, new, TWIN)
    assert _difference(TWIN, ported.text) == '+        await self.send("PING", path)'


def test_a_blocking_side_does_not_await() -> None:
    new = TWIN.replace("        self.count", '        await self.send("PING", path)\n        self.count')
    assert _difference(CLIENT, _ported(TWIN, new, CLIENT).text) == '+        self.send("PING", path)'


def test_what_the_other_side_says_otherwise_stays_as_it_is() -> None:
    theirs = CLIENT.replace('self.send("GET", path)', 'self.send("GET", path, retry=True)')
    new = CLIENT.replace('self.send("GET", path)', 'self.send("HEAD", path)')
    expected = (
        '-        answer = self.send("GET", path, retry=True)\n+        answer = self.send("HEAD", path, retry=True)'
    )
    assert _difference(theirs, _ported(CLIENT, new, theirs).text) == expected


def test_what_is_there_already_is_not_written_again() -> None:
    new = CLIENT.replace("        self.count", "        self.log(path)\n        self.count")
    ported = _ported(CLIENT, new, new)
    assert ported.text == new
    assert [each.state for each in ported.decisions] == ["already there"]


def test_a_place_whose_neighbours_are_no_neighbours_over_there_is_unsure() -> None:
    theirs = CLIENT.replace("        self.count", "        answer.own()\n        answer.words()\n        self.count")
    new = CLIENT.replace("        self.count", "        self.check()\n        self.count")
    ported = _ported(CLIENT, new, theirs)
    assert ported.text == theirs
    assert [each.state for each in ported.decisions] == ["unsure"]


def test_an_import_is_added_only_where_something_uses_it() -> None:
    new = CLIENT.replace("import time", "import time\nfrom log import note")
    assert _ported(CLIENT, new, TWIN).text == TWIN
    used = new.replace("        self.count", "        note(path)\n        self.count")
    assert _difference(TWIN, _ported(CLIENT, used, TWIN).text) == "+from log import note\n+        note(path)"


def test_a_name_brought_in_where_there_is_no_counterpart_is_not_used_either() -> None:
    theirs = TWIN.replace("self.check()\n", "self.verify()\n").replace("check(self)", "verify(self, hard)")
    new = CLIENT.replace("def check(self):", "def check(self, strict=False):").replace(
        "        self.checked = True", "        self.checked = strict"
    )
    assert "strict" not in _ported(CLIENT, new, theirs).text.replace("strict=False", "")


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
        return answer

    def check(self):
        if self.closed:
            raise Closed("closed")
        self.checked = True
"""


def _added(old: str, new: str) -> str:
    return "\n".join(line for line in _difference(old, new).splitlines() if line[0] == "+")


def test_an_item_goes_behind_its_neighbour_among_items_that_only_the_other_side_has() -> None:
    theirs = BASE.replace("path, retries=3)", "path, retries=3, proxy=None)")
    new = BASE.replace("path, retries=3)", "path, *, verify=True, retries=3)")
    assert "def open(self, path, *, verify=True, retries=3, proxy=None):" in _ported(BASE, new, theirs).text
    behind = BASE.replace("retries=3)", "retries=3, verify=True)")
    assert "retries=3, verify=True, proxy=None)" in _ported(BASE, behind, theirs).text


def test_an_item_that_the_other_side_has_already_is_not_written_twice() -> None:
    theirs = BASE.replace("retries=3)", "retries=3, verify=False)")
    new = BASE.replace("path, retries=3)", "path, verify=True, retries=3)")
    assert _ported(BASE, new, theirs).text == theirs


def test_of_two_items_the_one_that_the_other_side_says_otherwise_stays() -> None:
    theirs = BASE.replace("retries=3", "retries: int = 5")
    new = BASE.replace("path, retries=3)", "path: str, retries=4)")
    assert "def open(self, path: str, retries: int = 5):" in _ported(BASE, new, theirs).text


def test_a_new_method_goes_beside_the_counterpart_of_its_neighbour() -> None:
    theirs = BASE.replace(
        "        return answer\n", "        return answer\n\n    def own(self):\n        return self.path\n"
    )
    new = BASE.replace(
        "        return answer\n", "        return answer\n\n    def ping(self):\n        self.check()\n"
    )
    ported = _ported(BASE, new, theirs).text
    assert ported.index("def fetch") < ported.index("def ping") < ported.index("def own")


def test_a_new_method_that_has_to_wait_over_there_is_asynchronous() -> None:
    new = CLIENT + '\n    def ping(self):\n        return self.send("PING")\n'
    expected = '+\n+    async def ping(self):\n+        return await self.send("PING")'
    assert _difference(TWIN, _ported(CLIENT, new, TWIN).text) == expected


def test_an_example_in_a_docstring_is_left_to_a_person_where_one_side_waits() -> None:
    old = CLIENT.replace(
        "    def check", '    def ping(self):\n        """Asks.\n        """\n        self.check()\n\n    def check'
    )
    theirs = TWIN.replace(
        "    async def check",
        '    async def ping(self):\n        """Asks.\n        """\n        self.check()\n\n    async def check',
    )
    new = old.replace('"""Asks.\n', '"""Asks.\n\n        >>> Client().ping()\n')
    assert _ported(old, new, theirs).text == theirs
    new = old.replace('"""Asks.\n', '"""Asks.\n\n        And waits.\n')
    assert "And waits." in _ported(old, new, theirs).text


def test_a_method_that_the_other_side_calls_otherwise_is_called_so() -> None:
    old = CLIENT + "\n    def close(self):\n        self.closed = True\n"
    theirs = TWIN + "\n    async def aclose(self):\n        self.closed = True\n"
    new = old.replace("        self.count", "        self.close()\n        self.count")
    assert _added(theirs, _ported(old, new, theirs).text) == "+        await self.aclose()"


def test_a_decorator_goes_above_the_counterpart_wherever_that_stands() -> None:
    first, second = BASE.index("    def fetch"), BASE.index("    def check")
    theirs = BASE[:first] + BASE[second:] + "\n" + BASE[first:second].rstrip() + "\n"
    new = BASE.replace("    def fetch", "    @traced\n    def fetch")
    assert "    @traced\n    def fetch" in _ported(BASE, new, theirs).text


def test_an_addition_next_to_rows_of_this_side_alone_goes_between_the_neighbours_of_those() -> None:
    old = BASE.replace("        self.count += 1\n", "        self.log(path)\n        self.count += 1\n")
    new = old.replace("        self.log(path)\n", "        self.log(path)\n        self.check()\n")
    expected = '        answer = self.send("GET", path, self.retries)\n        self.check()\n        self.count += 1'
    assert expected in _ported(old, new, BASE).text


def test_what_is_nested_otherwise_over_there_is_not_guessed() -> None:
    theirs = BASE.replace(
        '        answer = self.send("GET", path, self.retries)\n',
        '        with self.lock:\n            answer = self.send("GET", path, self.retries)\n',
    )
    new = BASE.replace("        self.count += 1\n", "        self.check()\n        self.count += 1\n")
    assert _ported(BASE, new, theirs).text == theirs


def test_a_name_that_this_side_gave_up_is_given_up_in_rows_of_the_other_side_alone() -> None:
    new = BASE.replace("answer", "reply")
    theirs = BASE.replace("        return answer", "        log(answer)  # of its own\n        return answer")
    assert "        log(reply)  # of its own\n        return reply" in _ported(BASE, new, theirs).text


def test_a_name_is_sorted_into_an_import_that_is_sorted() -> None:
    new = BASE.replace("Broken, Closed", "Broken, Busy, Closed").replace('Closed("closed")', 'Busy("closed")')
    theirs = BASE.replace("import Broken, Closed", "import Broken, Closed, Lost")
    assert "from http.errors import Broken, Busy, Closed, Lost\n" in _ported(BASE, new, theirs).text


def test_an_import_that_gets_too_long_for_a_line_is_put_one_name_on_a_line() -> None:
    names = ", ".join(f"Closed{number:02}" for number in range(7))
    theirs = BASE.replace("import Broken, Closed", f"import Broken, Closed, {names}")
    new = BASE.replace("Broken, Closed", "Broken, Busy, Closed").replace('Closed("closed")', 'Busy("closed")')
    assert "import (\n    Broken,\n    Busy,\n    Closed,\n    Closed00," in _ported(BASE, new, theirs).text


def test_what_belongs_to_a_thing_that_is_another_over_there_is_not_written() -> None:
    theirs = BASE.replace("def check(self):", "def check(self) -> bool:")
    old = BASE.replace("def check(self):", "def check(self) -> Awaitable:")
    assert _ported(old, old.replace("Awaitable", "Awaitable[bool]"), theirs).text == theirs


def test_files_that_have_little_in_common_are_left_alone_unless_all_can_be_followed() -> None:
    own = "".join(f"\ndef own_{number}(item):\n    return item + {number}\n" for number in range(40))
    new = BASE.replace("self.count += 1", "self.count += 2")
    assert "self.count += 2" in _ported(BASE, new, BASE + own).text
    more = new.replace("        self.opened = True\n", '        self.opened = True\n        self.note = "opened"\n')
    assert "self.note" in _ported(BASE, more, BASE + own).text
    another = BASE.replace(
        "        self.opened = True\n", "        self.proxy = None\n        self.opened = True\n" * 2
    )
    assert "self.note" not in _ported(BASE, more, another + own).text


def test_a_new_function_waits_for_a_change_that_can_be_followed_nearly_whole() -> None:
    ping = "\n    def ping(self):\n        return self.check()\n"
    new = BASE + ping
    assert "def ping" in _ported(BASE, new, BASE).text
    theirs = BASE.replace("        self.count += 1", "        self.total = self.total + 1")
    assert "def ping" not in _ported(BASE, new.replace("self.count += 1", "self.count += 2"), theirs).text


def test_many_rows_are_not_written_where_much_of_the_change_cannot_be_followed() -> None:
    rows = "".join(f"        self.check_{number}()\n" for number in range(6))
    new = BASE.replace("        self.opened = True\n", f"        self.opened = True\n{rows}")
    assert "self.check_5()" in _ported(BASE, new, BASE).text
    theirs = BASE.replace("        self.count += 1", "        self.total = self.total + 1")
    assert "self.check_5()" not in _ported(BASE, new.replace("self.count += 1", "self.count += 2"), theirs).text


def test_a_name_that_is_made_of_another_is_made_of_what_that_is_called_over_there() -> None:
    theirs = BASE.replace("check", "check_async")
    new = BASE.replace("check", "_check")
    assert _ported(BASE, new, theirs).text == BASE.replace("check", "_check_async")


def test_a_name_is_never_taken_for_one_that_nobody_uses() -> None:
    old = BASE.replace("        self.count += 1", "        kept, width = self.shape()\n        self.count += 1")
    theirs = old.replace("kept, width", "_, width")
    new = old.replace("        self.count += 1", "        kept = self.sure(width)\n        self.count += 1")
    assert "        kept = self.sure(width)\n" in _ported(old, new, theirs).text


def test_an_import_that_has_moved_moves_where_other_names_come_from_there_too() -> None:
    old = BASE.replace("import Broken, Closed", "import Broken, Closed\nfrom http.log import note")
    theirs = BASE.replace("import Broken, Closed", "import Broken, Closed\nfrom http.log import flush, note")
    new = old.replace("from http.log import note", "from http.notes import note")
    written = _ported(old, new, theirs).text
    assert "from http.log import flush\n" in written
    assert "from http.notes import note\n" in written
    alone = old.replace("import Broken, Closed\nfrom http.log import note", "import Broken, Closed, note")
    written = _ported(old, alone, theirs).text
    assert "from http.log import flush\n" in written
    assert "from http.errors import Broken, Closed, note\n" in written


def _ported_safely(old: str, new: str, theirs: str) -> str:
    halves = [Half(path, text.encode()) for path, text in (("a.py", old), ("a.py", new), ("b.py", theirs))]
    return port_safely(*halves).text


def test_half_a_change_is_not_safe() -> None:
    new = BASE.replace("        answer = self.send(", "        reply = self.send(").replace(
        "return answer", "return reply"
    )
    assert _ported_safely(BASE, new, BASE) == new
    theirs = BASE.replace("        return answer", "        return answer.body")
    assert _ported_safely(BASE, new, theirs) == theirs


def _write(folder: Path, *texts: bytes) -> list[str]:
    names = []
    for name, text in zip(("old.py", "new.py", "twin.py"), texts, strict=True):
        (folder / name).write_bytes(text)
        names.append(str(folder / name))
    return names


def _run(names: list[str], *options: str) -> int:
    return main(["port", "--from", names[0], names[1], "--onto", names[2], *options])


GET_TO_HEAD = CLIENT.replace('"GET"', '"HEAD"').encode()


@pytest.mark.parametrize(
    "theirs",
    [
        TWIN.encode(),
        TWIN.replace("\n", "\r\n").encode(),
        TWIN.encode().replace(b"\n", b"\r\n", 3).replace(b"\n", b"\r", 1),
        b"# -*- coding: latin-1 -*-\n" + TWIN.replace("count += 1", "count += 1  # z\u00e4hlt").encode("latin-1"),
        b"\xef\xbb\xbf" + TWIN.encode(),
        TWIN.rstrip("\n").encode(),
        TWIN.replace("self.count += 1", "self.count   +=  1 ;  # as it was").encode(),
    ],
)
def test_untouched_lines_stay_as_they_are_to_the_byte(
    theirs: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert _run(_write(tmp_path, CLIENT.encode(), GET_TO_HEAD, theirs)) == 0
    assert capfdbinary.readouterr().out == theirs.replace(b'"GET"', b'"HEAD"')


def test_a_change_that_is_declined_prints_nothing_and_ends_with_one(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    names = _write(tmp_path, CLIENT.encode(), GET_TO_HEAD, b"def other():\n    return 1\n")
    assert _run(names, "--explain") == 1
    out, err = capfdbinary.readouterr()
    assert not out
    assert b"line 7: none (nothing stands opposite a row that was changed)" in err


def test_a_diff_can_be_asked_for(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    names = _write(tmp_path, CLIENT.encode(), GET_TO_HEAD, TWIN.encode())
    assert _run(names, "--diff", "--safe") == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert [line for line in lines[3:] if line[0] in "+-"] == [
        '-        answer = await self.send("GET", path)',
        '+        answer = await self.send("HEAD", path)',
    ]


def test_a_file_that_is_not_there_is_a_mistake_of_the_command_line(tmp_path: Path) -> None:
    names = _write(tmp_path, CLIENT.encode(), GET_TO_HEAD, TWIN.encode())
    assert _run([*names[:2], str(tmp_path / "none.py")]) == 2
