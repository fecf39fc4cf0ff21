"""Text of unknown origin, made safe to print on one line of a terminal."""


def visible(text: str) -> str:
    """`text` with everything that a terminal would act on, or hide, written as a Python escape.

    Control characters, newlines, bidirectional overrides, zero-width characters and the surrogate escapes of a path
    that is not UTF-8 come out as `\\n`, `\\x1b`, `\\u202e`, `\\udcff`. Printable text comes back unchanged.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
