"""How a formatter folds a statement over lines: on one if it fits, else what is in its last bracket on lines of its own.

Only as much of the formatters' rules as most statements need; for the rest there is no answer. Whether a file is laid
out so is told by its own statements.
"""

from collections.abc import Iterator, Sequence

from consistency_bot.syntax.source_rows import CLOSERS, OPENERS, Row

Word = tuple[str, str]
"""The blanks before a token if it stands on one line with the one before it, and the token."""

_WIDTHS = (79, 80, 88, 99, 100, 119, 120)
_LEAST_WITNESSES, _SHARE = 3, 0.8
_SPLITTING = frozenset("and or not in is if else lambda + - * / // % | & ^ << >> == != < > <= >= @ ** := for ,".split())
"""What stands between the parts of an expression; a formatter puts brackets around those first."""
_STEP = "    "
SHORT = 60
"""Nobody folds a line that is not longer, even if it stands a little deeper elsewhere."""


def width_of(rows: Sequence[Row]) -> int | None:
    """The longest line that a file allows itself; None where its statements are not laid out by these rules."""
    told_of = [(row, lines) for row in rows if _is_told(row) for lines in [_lines(row)]]
    long = [len(lines[0]) for _, lines in told_of if len(lines) == 1]
    spread = [(row, lines, words_of(row)) for row, lines in told_of if len(lines) > 1]
    told = [
        (max(map(len, lines)), len(row.indent) + len(_joined(words)) - 1)
        for row, lines, words in spread
        if not _has_magic(words)
    ]
    best = max(_WIDTHS, key=lambda width: (_votes(told, width) - sum(each > width for each in long), -width))
    if _votes(told, best) < _LEAST_WITNESSES:
        return None
    laid_out = [(folded(words, row.indent, best), row) for row, _, words in spread]
    known = sum(text is not None for text, _ in laid_out)
    right = sum(text == _text(row) for text, row in laid_out)
    return best if right >= _SHARE * known else None


def _votes(told: Sequence[tuple[int, int]], width: int) -> int:
    return sum(low <= width <= high for low, high in told)


def words_of(row: Row) -> list[Word]:
    """The tokens of a row as they would stand on one line."""
    return flat([(piece.gap, piece.text) for piece in row.pieces])


def flat(tokens: Sequence[Word]) -> list[Word]:
    """Tokens as they would stand on one line, which may have line ends between them."""
    out: list[Word] = []
    previous = ""
    for gap, text in tokens:
        is_close = previous in OPENERS or text in CLOSERS or text in (",", ".", ":")
        out.append((("" if is_close else " ") if "\n" in gap else gap, text))
        previous = text
    return [("", out[0][1]), *out[1:]] if out else out


def is_folded(row: Row, width: int | None) -> bool:
    """Whether a statement is laid out by these rules."""
    return width is not None and folded(words_of(row), row.indent, width) == _text(row)


def folded(words: Sequence[Word], indent: str, width: int) -> str | None:
    """The statement laid out, without its first indentation; None where these rules do not tell how."""
    if not words or any("\n" in text or text.startswith("#") for _, text in words):
        return None
    words = [*words]
    names = next((at + 1 for at, (_, text) in enumerate(words) if text == "import"), 0)
    if words[0][1] == "from" and words[names][1] not in ("(", "*") and len(indent) + len(_joined(words)) > width:
        words = [*words[:names], (" ", "("), ("", words[names][1]), *words[names + 1 :], ("", ")")]
    lines = _folded(words, indent, width, _is_definition(words))
    return "\n".join(lines)[len(indent) :] if lines is not None else None


def _folded(words: list[Word], indent: str, width: int, is_definition: bool) -> list[str] | None:
    line = indent + _joined(words)
    if len(line) <= width and not _has_magic(words):
        return [line]
    found = _bracket(words, is_definition)
    if found is None:
        return None
    start, end = found
    head, inside, tail = words[: start + 1], words[start + 1 : end], words[end:]
    first, last = indent + _joined(head), indent + _joined([("", tail[0][1]), *tail[1:]])
    if max(len(first), len(last)) > width or _has_magic([*head, ("", ")")]) or _has_magic(tail):
        return None
    body = _body(words, start, inside, indent + _STEP, width, is_definition)
    return [first, *body, last] if body is not None else None


def _body(
    words: Sequence[Word], start: int, inside: list[Word], indent: str, width: int, is_definition: bool
) -> list[str] | None:
    inside = [("", inside[0][1]), *inside[1:]]
    is_magic = inside[-1][1] == ","
    items = list(_items(inside[:-1] if is_magic else inside))
    line = indent + _joined(inside)
    is_call = _is_called(words, start)
    has_to_open = is_magic or (len(items) > 1 and not is_call) or words[0][1] == "from"
    if len(line) <= width and not has_to_open and not _has_magic(inside):
        return [line + "," if is_definition and len(items) == 1 else line]
    if (len(items) == 1 and not (is_magic or is_call)) or _has_own_commas(inside):
        return None
    out: list[str] = []
    for item in items:
        if not item:
            return None
        lines = _folded([("", item[0][1]), *item[1:]], indent, width - 1, False)
        if lines is None or (len(items) == 1 and not is_magic and len(lines) > 1):
            return None
        out += [*lines[:-1], lines[-1] + ","]
    return out


def _has_own_commas(words: Sequence[Word]) -> bool:
    """Whether commas outside of its brackets may be those of a loop or a `lambda`."""
    depth = 0
    for _, text in words:
        depth += (text in OPENERS) - (text in CLOSERS)
        if depth == 0 and text in ("for", "lambda"):
            return True
    return False


def _items(words: Sequence[Word]) -> Iterator[list[Word]]:
    depth, item = 0, list[Word]()
    for word in words:
        depth += (word[1] in OPENERS) - (word[1] in CLOSERS)
        if depth == 0 and word[1] == ",":
            yield item
            item = []
        else:
            item.append(word)
    yield item


def _bracket(words: Sequence[Word], is_definition: bool) -> tuple[int, int] | None:
    """The bracket whose contents get lines of their own: that of the parameters, or the last one."""
    if is_definition:
        start = next((at for at, (_, text) in enumerate(words) if text == "("), None)
        return (start, _closing(words, start)) if start is not None and _closing(words, start) > start + 1 else None
    end = next((at for at in range(len(words) - 1, -1, -1) if words[at][1] in CLOSERS), None)
    if end is None:
        return None
    start = _opening(words, end)
    is_subscript = words[end][1] == "]" and start > 0 and not words[start][0]
    if start == end - 1 or is_subscript or _is_parted(words[:start]) or _is_parted(words[end + 1 :]):
        return None
    return start, end


def _is_parted(words: Sequence[Word]) -> bool:
    """Whether an operator stands outside of all brackets, behind the last `=`; of a header's own words none is one."""
    texts = [text for _, text in words]
    depth, last = 0, 0
    for at, text in enumerate(texts):
        depth += (text in OPENERS) - (text in CLOSERS)
        if depth == 0 and text in ("=", "+=", "-=", "*=", "/=", "|="):
            last = at + 1
    depth = 0
    is_header = bool(texts) and texts[0] in ("if", "elif", "for", "while", "async")
    for text in texts[max(last, 1 if is_header else 0) :]:
        depth += (text in OPENERS) - (text in CLOSERS)
        if depth == 0 and text in _SPLITTING and not (text in ("in", ",") and texts[0] in ("for", "async")):
            return True
    return False


def _has_magic(words: Sequence[Word]) -> bool:
    """Whether a comma before a closing bracket holds its items on lines of their own."""
    for at in range(1, len(words)):
        if words[at][1] in CLOSERS and words[at - 1][1] == ",":
            items = list(_items(words[_opening(words, at) + 1 : at - 1]))
            if len(items) > 1 or words[at][1] != ")" or _is_called(words, _opening(words, at)) or words[0][1] == "from":
                return True
    return False


def _is_called(words: Sequence[Word], start: int) -> bool:
    return start > 0 and not words[start][0] and (words[start - 1][1].isidentifier() or words[start - 1][1] in CLOSERS)


def _is_definition(words: Sequence[Word]) -> bool:
    return "def" in [text for _, text in words[:2]]


def _opening(words: Sequence[Word], end: int) -> int:
    depth = 0
    for at in range(end, -1, -1):
        depth += (words[at][1] in CLOSERS) - (words[at][1] in OPENERS)
        if depth == 0:
            return at
    return 0


def _closing(words: Sequence[Word], start: int) -> int:
    depth = 0
    for at in range(start, len(words)):
        depth += (words[at][1] in OPENERS) - (words[at][1] in CLOSERS)
        if depth == 0:
            return at
    return len(words) - 1


def _joined(words: Sequence[Word]) -> str:
    return "".join(gap + text for gap, text in words)


def _is_told(row: Row) -> bool:
    return row.kind == "code" and not any(piece.is_comment or "\n" in piece.text for piece in row.pieces)


def _text(row: Row) -> str:
    return "".join((piece.gap if number else "") + piece.text for number, piece in enumerate(row.pieces))


def _lines(row: Row) -> list[str]:
    return (row.indent + _text(row)).split("\n")
