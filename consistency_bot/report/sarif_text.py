"""Text of unknown origin in SARIF's plain text."""

import re

from consistency_bot.visible import visible

_NO_WIDTH = "\u200b"


def plain_text(text: str) -> str:
    """The text where the standard's plain text would read a link or a placeholder out of it, and viewers a mention.

    `f[x](y)` would be a link, `{0}` the first of no arguments.
    """
    text = visible(text).replace("](", "] (")
    text = re.sub(r"\{(\d+)\}", r"{{\1}}", text)
    return re.sub(r"@(?=\w)", "@" + _NO_WIDTH, text) or "(empty)"
