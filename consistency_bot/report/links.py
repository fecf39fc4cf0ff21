"""Addresses of lines and commits in a web view, in the form that GitHub gives them."""

import msgspec

from consistency_bot.model import Place

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:%")


def is_address(text: str) -> bool:
    """Whether a text can stand in a link as it is: http or https, no spaces, quotes, brackets or credentials."""
    scheme, separator, rest = text.partition("://")
    return bool(scheme in ("https", "http") and separator and rest.strip("/:")) and _SAFE.issuperset(text)


class Links(msgspec.Struct, frozen=True):
    """Where anybody can read one commit: the repository's address (see `is_address`), and the full commit id."""

    repository: str
    commit: str

    def to(self, place: Place) -> str:
        """The permanent address of a place's lines. A path that is not UTF-8 is addressed by its bytes."""
        from urllib.parse import quote

        path = quote(place.path.encode("utf-8", "surrogateescape"), safe="/")
        first = max(place.line, 1)
        last = f"-L{place.end_line}" if place.end_line > first else ""
        return f"{self.repository.rstrip('/')}/blob/{self.commit}/{path}#L{first}{last}"

    def to_commit(self, commit: str) -> str:
        """The address of any commit of the repository."""
        return f"{self.repository.rstrip('/')}/commit/{commit}"
