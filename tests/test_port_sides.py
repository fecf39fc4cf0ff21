"""`port`: what a file says of itself stays its own: whether it has type hints, where it lies, which of the sides it is."""

import pytest

from consistency_bot.port import Half, Ported, port
from consistency_bot.port.decisions import is_likely
from consistency_bot.port.hints import lacks_hints


def _ported(old: str, new: str, theirs: str) -> Ported:
    mine, mine_new = (Half("a.py", text.encode()) for text in (old, new))
    return port(mine, mine_new, Half("b.py", theirs.encode()), is_likely)


BODY = """
        self.key = key
        self.limit = limit
        self.open(key, limit)
"""


@pytest.mark.parametrize(
    ("added", "written"),
    [
        (", hold: bool = False", ", hold=False"),
        (", tags: dict[str, list[int]] | None = None", ", tags=None"),
        (", hold: bool = False, zone: int = 3", ", hold=False, zone=3"),
        (", *, hold: bool", ", *, hold"),
        (", hold=False", ", hold=False"),
    ],
)
def test_a_signature_without_hints_gets_parameters_without_them(added: str, written: str) -> None:
    old = f"class Store:\n    def __init__(self, key: str, limit: int = 2) -> None:{BODY}"
    theirs = f"class Store:\n    def __init__(self, key, limit=2):{BODY}"
    new = old.replace("limit: int = 2", f"limit: int = 2{added}")
    assert _ported(old, new, theirs).text == theirs.replace("limit=2", f"limit=2{written}")


def test_a_signature_with_hints_gets_parameters_with_them() -> None:
    old = f"class Store:\n    def __init__(self, key: str, limit: int = 2) -> None:{BODY}"
    new = old.replace("limit: int = 2", "limit: int = 2, hold: bool = False")
    assert _ported(old, new, old).text == new


def test_a_lambda_is_no_hint() -> None:
    mine = ["def", "f", "(", "a", ":", "int", ")", ":"]
    assert lacks_hints(mine, ["def", "f", "(", "a", "=", "lambda", "x", ":", "x", ")", ":"])
    assert not lacks_hints(mine, mine)
    assert not lacks_hints(mine, ["def", "f", "(", "self", ")", ":"])


IMPORTS = """
from ..wire import encode
from ..errors import Refused


def send(parcel):
    encode(parcel)
    raise Refused(parcel)
"""


@pytest.mark.parametrize(("here", "there"), [("..", "."), (".", "..")])
def test_a_module_beside_others_is_imported_from_where_they_are(here: str, there: str) -> None:
    old, theirs = (IMPORTS.replace("..", dots) for dots in (here, there))

    def edited(text: str, dots: str) -> str:
        text = text.replace("Refused\n\n", f"Refused\nfrom {dots}labels import Label\n\n")
        return text.replace("encode(parcel)", "encode(Label(parcel))")

    assert _ported(old, edited(old, here), theirs).text == edited(theirs, there)


CLIENT = """
class Client:
    timeout = 3

    async def get(self, key):
        return await self.wire.read(key)

    async def put(self, key, value):
        await self.wire.write(key, value)
        return await self.wire.read(key)
"""


@pytest.mark.parametrize("line", ["is_async = True", "is_async: bool = True", "use_async: Literal[True] = True"])
def test_which_of_the_sides_it_is_a_file_says_itself(line: str) -> None:
    theirs = CLIENT.replace("async ", "").replace("await ", "")
    new = CLIENT.replace("timeout = 3\n", f"timeout = 3\n    {line}\n")
    ported = _ported(CLIENT, new, theirs)
    assert ported.text == theirs
    assert [each.reason for each in ported.decisions] == ["it says which of the sides this is"]
    plain = CLIENT.replace("timeout = 3\n", "timeout = 3\n    is_open = True\n")
    assert "is_open = True" in _ported(CLIENT, plain, theirs).text
