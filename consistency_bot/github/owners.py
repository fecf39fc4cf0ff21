"""Who owns a file, by a repository's CODEOWNERS. Source of the form: GitHub's documentation of that file."""

import re
from collections.abc import Sequence

from consistency_bot.model import Files

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks; the first one counts."""

MOST_BYTES = 3_000_000
"""GitHub ignores a file above 3 MB."""


def read_owners(tree: Files) -> str:
    """The text of the file that counts; empty where there is none."""
    for place in PLACES:
        data = tree.read(place)
        if data is not None:
            return data.decode("utf-8", "replace") if len(data) <= MOST_BYTES else ""
    return ""


def owners_of(path: str, owners: str) -> Sequence[str]:
    """The owners that the last matching line names; empty where none matches, or that line names nobody."""
    found: Sequence[str] = ()
    for line in owners.splitlines():
        words = re.split(r"\s#", line.strip(), maxsplit=1)[0].split()
        if words and not words[0].startswith("#") and _matches(words[0], path):
            found = words[1:]
    return found


def _matches(pattern: str, path: str) -> bool:
    """As in .gitignore: a slash that is not at the end ties a pattern to the root, a folder means all that is in it."""
    is_tied = "/" in pattern.rstrip("/")
    pieces = re.split(r"(\*\*/|/\*\*|\*|\?)", pattern.lstrip("/").rstrip("/"))
    said = {"**/": "(?:[^/]+/)*", "/**": "/.*", "*": "[^/]*", "?": "[^/]"}
    body = "".join(said.get(piece, re.escape(piece)) for piece in pieces)
    # `docs/*` means the files right in that folder; everything else may be a folder.
    below = "" if pattern.endswith("/*") else "/.*" if pattern.endswith("/") else "(?:/.*)?"
    return re.fullmatch(f"{'' if is_tied else '(?:.*/)?'}{body}{below}", path) is not None
