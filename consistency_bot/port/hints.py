"""Type hints of parameters: a signature that has none gets new parameters without them."""

from collections.abc import Iterator, Sequence

from consistency_bot.port.speech import Said
from consistency_bot.syntax.source_rows import CLOSERS, OPENERS

_BEFORE = frozenset({"(", ",", "*", "**"})
_OWNERS = frozenset({"self", "cls"})


def lacks_hints(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two statements begin functions, of which the second has parameters and no hint of any, unlike the first."""
    here, there = list(_hinted(mine)), list(_hinted(theirs))
    return any(here) and bool(there) and not any(there)


def _hinted(words: Sequence[str]) -> Iterator[bool]:
    """For each parameter of a function whether it has a hint; nothing for any other statement."""
    if "def" not in words[:2] or "(" not in words:
        return
    depth = 0
    for index in range(words.index("("), len(words)):
        word = words[index]
        depth += (word in OPENERS) - (word in CLOSERS)
        if depth == 0:
            return
        if depth == 1 and words[index - 1] in _BEFORE and word.isidentifier() and word not in _OWNERS:
            yield words[index + 1] == ":"


def without_hints(said: Sequence[Said]) -> list[Said]:
    """Tokens that are put into a signature without the hints of its parameters; `a: int = 1` becomes `a=1`."""
    out: list[Said] = []
    depth = 0
    is_hint = was_hint = is_value = False
    for index, each in enumerate(said):
        is_item = depth == 0 and (index < 2 or said[index - 2].text in _BEFORE)
        if each.text == ":" and is_item and index and said[index - 1].text.isidentifier():
            is_hint = was_hint = True
        depth += (each.text in OPENERS) - (each.text in CLOSERS)
        if is_hint and depth == 0 and each.text in ("=", ","):
            is_hint = False
            is_value = each.text == "="
            out.append(each.with_gap("") if is_value else each)
            continue
        if not is_hint:
            out.append(each.with_gap("") if is_value and was_hint else each)
            is_value = False
    return out
