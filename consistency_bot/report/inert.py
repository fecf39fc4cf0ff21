"""Text of unknown origin in GitHub Flavored Markdown, so that it shows and does nothing.

What comes out is safe inside a line of markdown. GitHub links mentions, issues and bare addresses after the markdown
was rendered, everywhere but in code: so everything exact (a path, a name, source) goes into code, and prose gets a
character of no width behind whatever would start a link.
"""

import re
from collections.abc import Sequence

from consistency_bot.visible import visible

LONGEST_NAME = 200
"""Characters of a path or a name; what is longer loses its middle, since paths differ at their ends."""

LONGEST_PROSE = 500
LONGEST_MESSAGE = 2000

_NO_WIDTH = "\u200b"
_STARTS_A_LINK = re.compile(r"@|#(?=\d)|:(?=//)|:(?=[\w+-]+:)|www(?=\.)|gh-(?=\d)", re.IGNORECASE)
_MARKUP = re.compile(r"[\\`*_\[\]|~#]|<(?=[A-Za-z/!?])|&(?=[#\w])")
_OPENS_A_BLOCK = re.compile(r"^(?:(\d{1,9})(?=[.)])|(?=[-+=>]))")


def code(text: str) -> str:
    """A code span that shows the text, on one line, whatever backticks it holds. Not for table cells: see `cell_code`."""
    shown = visible(text)
    if len(shown) > LONGEST_NAME:
        shown = f"{shown[: LONGEST_NAME // 2]}…{shown[-LONGEST_NAME // 2 :]}"
    if not shown.strip():
        return "(blank)" if shown else "(empty)"
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown[0] in " `" or shown[-1] in " `" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def cell_code(text: str) -> str:
    """The same in a table's cell, where a pipe is spelt out: it would end the cell, and renderers disagree on escapes."""
    return code(text.replace("|", "\\x7c"))


def prose(text: str) -> str:
    """The words of the text on one line, without any formatting. Empty for text of white space alone."""
    words = visible(" ".join(text.split()))
    if len(words) > LONGEST_PROSE:
        words = words[: LONGEST_PROSE - 1] + "…"
    # A mark first, which becomes the character of no width last: an escape must not part what the pattern looks for.
    words = _STARTS_A_LINK.sub(r"\g<0>" + "\0", words)
    words = _MARKUP.sub(r"\\\g<0>", words)
    words = _OPENS_A_BLOCK.sub(r"\1\\", words)
    # A backslash does not keep a dollar from opening a formula; GitHub's documentation gives this way.
    return words.replace("$", "<span>$</span>").replace("\0", _NO_WIDTH)


def sentence(message: str) -> str:
    """A message in which code stands between backticks, as the messages of findings have it.

    Where the code holds backticks itself the wrong stretches may come out as code; none comes out as anything else.
    """
    parts = message[:LONGEST_MESSAGE].split("`")
    if len(parts) % 2 == 0:  # a backtick too many: nobody can say where code begins
        return prose(message)
    return "".join(code(part) if number % 2 else _between(part) for number, part in enumerate(parts)).strip()


def fenced(lines: Sequence[str], language: str) -> str:
    """A block of code. `language` is a word of ours; whoever calls has made the lines visible."""
    fence = "`" * max(3, _longest_run("\n".join(lines)) + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])


def _between(text: str) -> str:
    """Prose between two code spans: it keeps them apart even where there is none."""
    before = " " if text[:1].isspace() or not text else ""
    after = " " if text.strip() and text[-1:].isspace() else ""
    return f"{before}{prose(text)}{after}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
