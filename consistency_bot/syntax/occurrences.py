"""Where words occur in source, and whether a name may be given a value there: told by the text alone."""

import re
from collections.abc import Iterator

_OPERATOR = rb"(?:=(?!=)|(?:[-+%&|^@]|\*\*?|//?|<<|>>)=)"
_GIVEN = re.compile(
    rb"\s*(?:%s|[:,);]|\]\s*%s|in\b|(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]\s*)+%s|\n|\Z"
    rb"|\.(?:append|add|extend|update|remove|discard|insert|pop|clear|sort|reverse|setdefault|popitem)\()"
    % (_OPERATOR, _OPERATOR, _OPERATOR)
)
"""What may stand behind a name that is given a value, an item or a member; a name at the end of a line may be imported."""
_GIVING = (b"def ", b"class ", b"import ", b"del ", b"as ")

_LETTER = re.compile(rb"[\w\x80-\xff]")


def is_word(text: bytes, start: int, end: int) -> bool:
    """Whether a stretch of a text is a word of its own, and no part of a longer one."""
    return not _LETTER.match(text, start - 1, start) and not _LETTER.match(text, end)


class Occurrences:
    """The words of a text that begins at `start` in its file; each is looked for once."""

    __slots__ = ("_given", "_places", "_start", "_text")

    def __init__(self, text: bytes, start: int) -> None:
        self._text = text
        self._start = start
        self._places: dict[str, list[int]] = {}
        self._given: dict[str, bool] = {}

    def of(self, word: str) -> list[int]:
        """Where a word occurs, as bytes of the file, also in the midst of others."""
        found = self._places.get(word)
        if found is None:
            found = self._places[word] = list(self._find(word.encode()))
        return found

    def may_give(self, name: str) -> bool:
        """Whether a name, or a dotted one, may get a value, an item or, by a method, a member: false is sure, true is not."""
        known = self._given.get(name)
        if known is None:
            known = self._given[name] = self._mentions_as_given(name.encode())
        return known

    def _find(self, word: bytes) -> Iterator[int]:
        at = self._text.find(word)
        while at >= 0:
            yield self._start + at
            at = self._text.find(word, at + len(word))

    def _mentions_as_given(self, name: bytes) -> bool:
        text = self._text
        last = name.rpartition(b".")[2]
        ahead = len(name) - len(last)
        for place in self.of(last.decode()):
            at, end = place - self._start - ahead, place - self._start + len(last)
            is_name = at >= 0 and (not ahead or text.startswith(name, at))
            if is_name and (_GIVEN.match(text, end) or text.endswith(_GIVING, max(0, at - 7), at)):
                return True
        return False
