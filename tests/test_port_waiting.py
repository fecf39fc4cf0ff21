"""Where a port says `await`, and where not: learnt from what the other side awaits."""

from consistency_bot.port import Half, port

PLAIN = """\
class Store:
    def read(self, key):
        return self.stub.read(key)

    def write(self, key, value):
        return self.stub.write(key, value)

    def drop(self, key):
        return self.stub.drop(key)

    def rows(self, key):
        self.note(key)
        request = Requests.rows(key)
        Requests.check(request)
        Requests.count(request)
        answer = self.read(request)
        return answer.rows

    def note(self, key):
        self.noted.append(key)
"""
WAITING = (
    PLAIN.replace("    def ", "    async def ")
    .replace("    async def note", "    def note")
    .replace("self.stub.", "await self.stub.")
    .replace("self.read(", "await self.read(")
)


def _ported(old: str, new: str, theirs: str) -> str:
    mine, mine_new, other = (Half("a.py", old.encode()), Half("a.py", new.encode()), Half("b.py", theirs.encode()))
    return port(mine, mine_new, other, lambda decision: True).text


def test_a_method_that_nobody_calls_yet_is_awaited_where_all_methods_of_its_object_are() -> None:
    added = "\n    def move(self, key, to):\n        return self.stub.move(key, to)\n"
    expected = "\n    async def move(self, key, to):\n        return await self.stub.move(key, to)\n"
    assert _ported(PLAIN, PLAIN + added, WAITING) == WAITING + expected


def test_what_is_called_like_a_new_function_is_not_awaited_on_an_object_that_never_is() -> None:
    added = "\n    def move(self, key):\n        request = Requests.move(key)\n        return self.stub.move(request)\n"
    expected = added.replace("    def", "    async def").replace("self.stub", "await self.stub")
    assert _ported(PLAIN, PLAIN + added, WAITING) == WAITING + expected


def test_what_is_taken_of_an_awaited_answer_is_taken_behind_brackets() -> None:
    new = PLAIN.replace("        self.note(key)\n", "        self.note(key)\n        self.size = self.read(key).size\n")
    expected = "        self.note(key)\n        self.size = (await self.read(key)).size\n"
    assert _ported(PLAIN, new, WAITING) == WAITING.replace("        self.note(key)\n", expected)


def test_the_brackets_that_an_await_needed_go_with_it() -> None:
    line = "        self.note(key)\n"
    new = WAITING.replace(line, f"{line}        self.size = (await self.read(key)).size\n")
    assert _ported(WAITING, new, PLAIN) == PLAIN.replace(line, f"{line}        self.size = self.read(key).size\n")


def test_brackets_that_hold_more_than_an_await_stay() -> None:
    line = "        self.note(key)\n"
    new = WAITING.replace(line, f"{line}        self.size = (await self.read(key) or self).size\n")
    assert _ported(WAITING, new, PLAIN) == PLAIN.replace(
        line, f"{line}        self.size = (self.read(key) or self).size\n"
    )
