"""Addresses of lines and commits in a web view, in the form that GitHub gives them."""

import msgspec

from consistency_bot.model import Place

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:%")


def is_address(text: str) -> bool:
    """Whether a text can stand in a link as it is: http or https, no spaces, quotes, brackets or credentials."""
    scheme, separator, rest = text.partition("://")
    return bool(scheme in ("https", "http") and separator and rest.strip("/:")) and _SAFE.issuperset(text)


def quoted(path: str) -> str:
    """A path as part of an address, by its bytes: everything but letters, digits, `-._~` and `/` as `%xx`."""
    from urllib.parse import quote

    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character that git cannot have given
        raw = path.encode("utf-8", "surrogatepass")
    return quote(raw, safe="/")


def is_commit(name: str) -> bool:
    """Whether a revision's name is a full commit id; `WORKTREE` and `INDEX` are none."""
    return len(name) in (40, 64) and set(name) <= set("0123456789abcdef")


class Links(msgspec.Struct, frozen=True):
    """Where anybody can read one commit: the repository's address (see `is_address`), and the full commit id."""

    repository: str
    commit: str

    def to(self, place: Place) -> str:
        """The permanent address of a place's lines. A path that is not UTF-8 is addressed by its bytes."""
        first = max(place.line, 1)
        last = f"-L{place.end_line}" if place.end_line > first else ""
        return f"{self.repository.rstrip('/')}/blob/{self.commit}/{quoted(place.path)}#L{first}{last}"

    def to_commit(self, commit: str) -> str:
        """The address of any commit of the repository."""
        return f"{self.repository.rstrip('/')}/commit/{commit}"
