"""Where words occur in source, and whether a name may be given a value there: told by the text alone."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from sys import maxsize

_OPERATOR = rb"(?:=(?!=)|(?:[-+%&|^@]|\*\*?|//?|<<|>>)=)"
_GIVEN = re.compile(
    rb"\s*(?:%s|[:,);]|\]\s*%s|in\b|(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]\s*)+%s|\n|\Z"
    rb"|\.(?:append|add|extend|update|remove|discard|insert|pop|clear|sort|reverse|setdefault|popitem)\()"
    % (_OPERATOR, _OPERATOR, _OPERATOR)
)
"""What may stand behind a name that is given a value, an item or a member; a name at the end of a line may be imported."""
_GIVING = (b"def ", b"class ", b"import ", b"del ", b"as ")

_IN_WORDS = tuple(byte >= 0x80 or chr(byte).isalnum() or byte == ord("_") for byte in range(256))
"""Whether a byte is part of a word."""


def is_word(text: bytes, start: int, end: int) -> bool:
    """Whether a stretch of a text is a word of its own, and no part of a longer one."""
    return not (start and _IN_WORDS[text[start - 1]]) and not (end < len(text) and _IN_WORDS[text[end]])


def places_of(text: bytes, word: bytes, start: int = 0, stop: int = maxsize) -> Iterator[int]:
    """Where a word begins in a text, or between two places of it.

    Literal search: a pattern that begins with `\\b` takes ten times as long.
    """
    size, length = len(word), len(text)
    at = text.find(word, start, stop)
    while at >= 0:
        end = at + size
        # As `is_word` asks, which is not called here: words occur thousands of times.
        if not (at and _IN_WORDS[text[at - 1]]) and not (end < length and _IN_WORDS[text[end]]):
            yield at
        at = text.find(word, end, stop)


class Occurrences:
    """The words of stretches of a file, each with where it begins there; a word is looked for once.

    A stretch ends where no word goes on.
    """

    __slots__ = ("_ahead", "_given", "_places", "_starts", "_text")

    def __init__(self, stretches: Sequence[tuple[int, bytes]]) -> None:
        self._text = b"".join(text for _, text in stretches)
        self._starts: list[int] = []
        self._ahead: list[int] = []
        at = 0
        for start, text in stretches:
            self._starts.append(at)
            self._ahead.append(start - at)
            at += len(text)
        self._places: dict[str, list[int]] = {}
        self._given: dict[str, list[int]] = {}

    def of(self, word: str) -> list[int]:
        """Where a word occurs, as bytes of the file."""
        return [self._in_file(at) for at in self._in_text(word)]

    def given(self, name: str) -> list[int]:
        """Where a name, or a dotted one, may get a value, an item or, by a method, a member; no other place gives it any."""
        known = self._given.get(name)
        if known is None:
            known = self._given[name] = list(self._find_given(name.encode()))
        return known

    def _in_file(self, at: int) -> int:
        return at + self._ahead[bisect_right(self._starts, at) - 1]

    def _in_text(self, word: str) -> list[int]:
        found = self._places.get(word)
        if found is None:
            found = self._places[word] = list(places_of(self._text, word.encode()))
        return found

    def _find_given(self, name: bytes) -> Iterator[int]:
        text = self._text
        last = name.rpartition(b".")[2]
        size, ahead = len(last), len(name) - len(last)
        for place in self._in_text(last.decode()):
            at = place - ahead
            is_name = not ahead or (at >= 0 and text.startswith(name, at))
            if is_name and (_GIVEN.match(text, place + size) or text.endswith(_GIVING, max(0, at - 7), at)):
                yield self._in_file(place)
