"""Lines inside brackets that are aligned with what follows the bracket stay so, however far that moves."""

from collections.abc import Iterable, Sequence

from consistency_bot.syntax.source_rows import CLOSERS, OPENERS, Piece

Token = tuple[str, str, bool]
"""What stands before a token, the token, and whether a line that it starts is aligned with the bracket around it."""


class _Columns:
    """Where tokens stand that follow one another, and where what is in the brackets that are open starts."""

    def __init__(self) -> None:
        self.column = 0
        self._starts: list[int | None] = []
        self._is_behind_an_opener = False

    @property
    def start(self) -> int | None:
        """Where the first token behind the innermost open bracket stands; None where it has a line of its own."""
        return self._starts[-1] if self._starts else None

    def add(self, gap: str, text: str) -> None:
        """One more token."""
        line = gap.rpartition("\n")[2]
        self.column = len(line) if "\n" in gap else self.column + len(gap)
        if self._is_behind_an_opener:
            self._starts[-1] = None if "\n" in gap else self.column
        self._is_behind_an_opener = text in OPENERS
        if text in OPENERS:
            self._starts.append(None)
        elif text in CLOSERS and self._starts:
            self._starts.pop()
        _, end, last = text.rpartition("\n")
        self.column = len(last) if end else self.column + len(text)


def aligned(pieces: Sequence[Piece]) -> list[bool]:
    """For each token of a row whether it starts a line that is aligned with the bracket around it."""
    columns = _Columns()
    out: list[bool] = []
    for piece in pieces:
        line = piece.gap.rpartition("\n")[2]
        out.append("\n" in piece.gap and columns.start is not None and len(line) == columns.start)
        columns.add(piece.gap, piece.text)
    return out


def reindented(gap: str, old: str, new: str) -> str:
    """A gap with line ends in it, for a statement that is indented otherwise."""
    if "\n" not in gap or old == new:
        return gap
    lines = gap.split("\n")
    return "\n".join([lines[0], *(new + line[len(old) :] if line.startswith(old) else line for line in lines[1:])])


def laid_out(tokens: Iterable[Token], old: str, indent: str) -> str:
    """The statement for another indentation than its `old` one, without it, its aligned lines where they belong."""
    columns = _Columns()
    out: list[str] = []
    for number, (gap, text, is_aligned) in enumerate(tokens):
        lead = reindented(gap, old, indent) if number else ""
        if is_aligned and "\n" in gap and columns.start is not None:
            lead = lead.rpartition("\n")[0] + "\n" + " " * columns.start
        columns.add(lead if number else indent, text)
        out.append(lead + text)
    return "".join(out)


def is_cut(tokens: Sequence[Token]) -> bool:
    """Whether a line ends outside of all brackets, where those around it went."""
    depth = 0
    for gap, text, _ in tokens:
        if "\n" in gap.replace("\\\n", "") and depth == 0:
            return True
        depth += (text in OPENERS) - (text in CLOSERS)
    return False
