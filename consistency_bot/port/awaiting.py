"""Where asynchronous code says `await` and `async`, and where the blocking half of it does not."""

from collections import Counter
from collections.abc import Sequence

from consistency_bot.port.half import Half
from consistency_bot.port.words import is_name
from consistency_bot.syntax.source_rows import CLOSERS, OPENERS

AWAITED_NAMES = {f"__{name}__": f"__a{name}__" for name in ("enter", "exit", "iter", "next")}
"""What the language calls without being told to, and its name where it is awaited."""
PLAIN_NAMES = {awaited: plain for plain, awaited in AWAITED_NAMES.items()}


_LEAST_CALLS = 3
"""So many methods of an object are called, all awaited or none, until another one is taken for the same."""


class Awaiting:
    """Which calls and which context managers and loops one file awaits."""

    def __init__(self, half: Half) -> None:
        self._awaited: Counter[str] = Counter()
        self._plain: Counter[str] = Counter()
        self._methods: dict[str, set[tuple[str, bool]]] = {}
        for row, owner in zip(half.rows, half.owners, strict=True):
            if row.kind == "code" and owner.is_async:
                self._watch(row.words)
        functions = [each for each in half.source.outline if each.kind == "function"]
        plain = {each.name for each in functions if not each.is_async}
        yielding = {half.owners[at] for at, row in enumerate(half.rows) if row.kind == "code" and "yield" in row.words}
        plain |= {each.name for each in functions if each in yielding}
        self._defined = {each.name for each in functions if each.is_async and each.name not in plain}

    def _watch(self, words: Sequence[str]) -> None:
        header = words[:2] if words[0] == "async" else words[:1]
        is_header = words[0] in ("with", "for") or header in (("async", "with"), ("async", "for"))
        for index in _calls(words):
            if index == 0 or words[index - 1] in ("def", "class"):
                continue
            start = start_of(words, index)
            is_awaited = start > 0 and words[start - 1] == "await" and not is_read_on(words, index)
            name = words[index]
            (self._awaited if is_awaited else self._plain)[name] += 1
            if receiver := _receiver(words, start, index):
                self._methods.setdefault(receiver, set()).add((name, is_awaited))
        if is_header and (subject := _subject(words)):
            (self._awaited if header[0] == "async" else self._plain)[f"{header[-1]} {subject}"] += 1

    def is_awaited(self, name: str) -> bool | None:
        """Whether a call of that name is awaited; None where nobody calls it or sometimes this and sometimes that."""
        yes, no = self._awaited[name], self._plain[name]
        if not yes and not no:
            return True if name in self._defined else None
        return True if yes >= 4 * no else False if no >= 4 * yes else None

    def is_waited_on(self, words: Sequence[str], index: int) -> bool | None:
        """Whether all methods of what a method is called on are awaited; None where some are, or too few are called."""
        seen = self._methods.get(_receiver(words, start_of(words, index), index), set())
        known = {is_awaited for _, is_awaited in seen}
        return known.pop() if len(seen) >= _LEAST_CALLS and len(known) == 1 else None

    def is_own(self, words: Sequence[str], index: int, name: str) -> bool:
        """Whether a call is of a function of this file that has to be awaited: `self.name(`, whatever else is called so."""
        return tuple(words[max(0, index - 2) : index]) == ("self", ".") and name in self._defined

    def is_asynchronous(self, words: Sequence[str]) -> bool | None:
        """Whether a `with` or `for` row has `async` in front of it; None where that has not been seen."""
        subject = _subject(words)
        return self.is_awaited(f"{words[0]} {subject}") if subject else None


def _calls(words: Sequence[str]) -> list[int]:
    return [index for index in range(len(words) - 1) if words[index + 1] == "(" and words[index].isidentifier()]


def calls_in(words: Sequence[str]) -> list[int]:
    """The indices of the names that are called; keywords before a bracket are no calls."""
    import keyword

    return [
        index
        for index in _calls(words)
        if not keyword.iskeyword(words[index]) and (index == 0 or words[index - 1] not in ("def", "class"))
    ]


def start_of(words: Sequence[str], index: int) -> int:
    """Where the expression starts of which the name at `index` is the last: `a` in `a.b(c).d`."""
    while index >= 2 and words[index - 1] == ".":
        index -= 2
        while index >= 0 and words[index] in CLOSERS:
            index = _opening(words, index)
            if index > 0 and (words[index - 1].isidentifier() or words[index - 1] in CLOSERS):
                index -= 1
            else:
                break
    return max(index, 0)


def _receiver(words: Sequence[str], start: int, index: int) -> str:
    """What a method is called on: names, or `super()`; empty for a function and for the object's own methods."""
    dotted = words[start : max(start, index - 1)]
    is_plain = all(word.isidentifier() or word == "." for word in dotted) or tuple(dotted) == _PARENT
    return "".join(dotted) if is_plain and dotted and tuple(dotted) not in _ITSELF else ""


_ITSELF, _PARENT = (("self",), ("cls",)), ("super", "(", ")")


def closing(words: Sequence[str], index: int) -> int:
    """The bracket that closes the one at `index`; the last token where none does."""
    depth = 0
    for at in range(index, len(words)):
        depth += (words[at] in OPENERS) - (words[at] in CLOSERS)
        if depth == 0:
            return at
    return len(words) - 1


def is_read_on(words: Sequence[str], index: int) -> bool:
    """Whether something of what the call of the name at `index` gives is taken at once: `name().rows`."""
    end = closing(words, index + 1) + 1
    return end < len(words) and words[end] in _READERS


def needless(words: Sequence[str]) -> set[int]:
    """The brackets that only hold an `await` together of which something is taken: `(await name()).rows`."""
    out: set[int] = set()
    for at in range(len(words) - 1):
        is_call = at > 0 and (words[at - 1] in CLOSERS or is_name(words[at - 1]))
        if words[at] != "(" or words[at + 1] != "await" or is_call:
            continue
        end = closing(words, at)
        inside = words[at + 2 : end]
        is_read = end + 1 < len(words) and words[end + 1] in _READERS
        if (
            is_read
            and inside
            and inside[-1] in CLOSERS
            and start_of(inside, _opening(inside, len(inside) - 1) - 1) == 0
        ):
            out |= {at, end}
    return out


_READERS = (".", "[")


def _opening(words: Sequence[str], index: int) -> int:
    depth = 0
    while index >= 0:
        depth += (words[index] in CLOSERS) - (words[index] in OPENERS)
        if depth == 0:
            return index
        index -= 1
    return 0


def _subject(words: Sequence[str]) -> str:
    """The last name of what a `with` enters or a `for` runs over."""
    rest = list(words[words.index("in") + 1 :] if "for" in words[:2] and "in" in words else words)
    for index, token in enumerate(rest):
        if token in ("(", ":", "as") and index and rest[index - 1].isidentifier() and rest[index - 1] != "with":
            return rest[index - 1]
    return ""
