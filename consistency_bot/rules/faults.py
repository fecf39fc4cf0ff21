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


def fault_of_job_name(text: str) -> str | None:
    """Names of smoke jobs, which become names of files."""
    import re  # only files with smoke jobs pay for it

    return fault_of_word(text) or (
        None if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}", text) else "cannot be a file's name everywhere"
    )


def fault_of_variable(text: str) -> str | None:
    """Names of environment variables, or the end of one."""
    return fault_of_word(text) or (
        None if text.isascii() and text.isidentifier() else "cannot be the name of an environment variable"
    )


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


_RELEASE = r"v?(?:\d+!)?\d+(?:\.\d+)*"
_PRE = r"(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?"
_POST = r"(?:-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?"
_DEV = r"(?:[-_.]?dev[-_.]?\d*)?"
_LOCAL = r"(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?"
_VERSION = _RELEASE + _PRE + _POST + _DEV


def fault_of_requirement(text: str) -> str | None:
    """A package and PEP 440 specifiers. Said here and not by `packaging`, which every run would have to load."""
    import re

    clause = rf"(?:==|!=)\s*(?:{_RELEASE}\.\*|{_VERSION}{_LOCAL})|(?:<=|>=|<|>)\s*{_VERSION}|~=\s*{_RELEASE}\.\d+{_PRE}{_POST}{_DEV}"
    if ";" in text or "@" in text:
        return "has more than a package and its versions"
    found = re.fullmatch(r"\s*[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?\s*(?:\[[\w\s,.-]*\])?\s*(.*)", text, re.ASCII)
    if found is None:
        return "names no package"
    clauses = [each.strip() for each in found[1].split(",")] if found[1].strip() else []
    if not clauses:
        return "names no versions"
    if not all(re.fullmatch(clause, each, re.ASCII | re.IGNORECASE) for each in clauses):
        return "has versions that are none by PEP 440"
    return None


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


def fault_of_condition(text: str) -> str | None:
    """A condition over names of `atoms` and what code reads by name."""
    from consistency_bot.facts.conditions import written  # only files with conditions pay for it

    return fault_of_text(text) or written.fault_of_condition(text)


def fault_of_spelling(text: str) -> str | None:
    """One condition as code spells it."""
    from consistency_bot.facts.conditions import written

    return fault_of_text(text) or written.fault_of_atom(text)


def fault_of_backend(text: str) -> str | None:
    """A backend of PyTorch's attention, or an attention implementation of transformers."""
    from consistency_bot.facts.sdpa.backends import CHOICES

    return None if text in CHOICES else "is none of these"


def fault_of_regex(text: str) -> str | None:
    """A regular expression in the words of Python's `re`."""
    import re

    try:
        re.compile(text.encode())
    except re.error as error:
        return f"is no regular expression ({error})"
    return fault_of_text(text)


def fault_of_code(text: str) -> str | None:
    """A structural pattern: one expression or statement of Python, `$NAME` and `$$$` in it."""
    from consistency_bot.syntax.patterns import Pattern  # only files with patterns pay for it

    try:
        Pattern(text)
    except ValueError as error:
        return fault_of_text(text) or f"is no pattern: {error}"
    return None
