"""What a piece of text in a rules file may not be: one small question per kind of text.

Each returns None for good text, else the end of a sentence that begins with the text itself ("is absolute", …).
"""

from consistency_bot.paths import is_python


def fault_of_word(text: str) -> str | None:
    """Ids, names of sides and jobs: something to say aloud and to type, so no spaces and nothing invisible."""
    if not text:
        return "is empty"
    if not text.isprintable() or any(char.isspace() for char in text):
        return "has spaces or invisible characters in it"
    return None


def fault_of_text(text: str) -> str | None:
    """Free text that has to say something: a reason, a name, a condition."""
    return None if text.strip() else "is empty"


def fault_of_pattern(text: str) -> str | None:
    """Repository-relative paths with `*` and `**`, `/` between the parts, perhaps `::Symbol` at the end."""
    path, mark, symbol = text.partition("::")
    if mark and not all(part.isidentifier() for part in symbol.split(".")):
        return "names no symbol after `::`"
    if mark and not is_python(path):
        return "names a symbol of a file that is not Python"
    if not path.strip():
        return "is empty"
    if "\0" in path:
        return "has a NUL character in it"
    if "\\" in path:
        return "has a backslash in it"
    if path.startswith("/") or path[1:3] == ":/":
        return "is absolute"
    return _fault_of_parts(path.split("/"))


def _fault_of_parts(parts: list[str]) -> str | None:
    if ".." in parts:
        return "leads out of the repository with `..`"
    if "." in parts:
        return "has a `.` between slashes that says nothing"
    if parts[-1] == "":
        return "is a folder; add `*` for the files in it or `**` for all below"
    if "" in parts:
        return "has two slashes in a row"
    if any(part.rpartition("[")[1] and "]" not in part.rpartition("[")[2] for part in parts):
        return "has a `[` that nothing closes"
    return _fault_of_braces("/".join(parts))


def _fault_of_braces(path: str) -> str | None:
    rest = path
    while "{" in rest or "}" in rest:
        before, _, rest = rest.partition("{")
        name, closing, rest = rest.partition("}")
        if "}" in before or not closing or not name.isidentifier():
            return "has braces that are not a capture such as `{name}`"
    return None


def fault_of_date(text: str) -> str | None:
    """Days written as 2026-12-31."""
    from datetime import date  # only files that hold a date pay for it

    if len(text) != 10:
        return "is not a date"
    try:
        date.fromisoformat(text)
    except ValueError:
        return "is not a day of the calendar" if text.replace("-", "").isdigit() else "is not a date"
    return None


def fault_of_symbol(text: str) -> str | None:
    """`path.py::function`, the place of one function or class."""
    return fault_of_pattern(text) or (None if "::" in text else "names no symbol after `::`")


def fault_of_link(text: str) -> str | None:
    """Web addresses, as they are shown to people to follow."""
    good = text.startswith(("https://", "http://")) and text.isprintable() and " " not in text
    return None if good else "is not a web address"


def fault_of_where(text: str) -> str | None:
    """Where a waiver counts: a path, which may have wildcards, perhaps with `::` and a qualified name behind it."""
    fault = fault_of_pattern(text)
    if fault is None and "{" in text:
        return "has a capture, which only sides have; write `*`"
    return fault


def fault_of_fingerprint(text: str) -> str | None:
    """The first digits of a fingerprint, or all sixteen."""
    if not text:
        return "is empty"
    if not set(text.lower()) <= set("0123456789abcdef"):
        return "is not made of hex digits"
    return None if 8 <= len(text) <= 16 else f"has {len(text)} digits"
