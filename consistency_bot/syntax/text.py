"""The text of a file, and the words in it."""

import re

from consistency_bot.attempts import GivenUp

LARGEST = 10_000_000
"""Bytes of a file that is read."""

HASH, BACKSLASH = b"#\\"
"""Bytes as numbers: `in` finds these at once, and takes `b"#"` for a number first, which fails and costs more than the rest."""

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_DIGITS = b"0123456789"
_SPACED = bytes(each if each == ord("_") or (chr(each).isalnum() and each < 128) else ord(" ") for each in range(256))
"""Every byte that no word of ASCII has, as a space."""


class Undecodable(ValueError):
    """The bytes are not text in the encoding that the file declares (UTF-8 where it declares none)."""


def encoding_of(raw: bytes) -> str:
    """The name of the encoding that the source declares in its first two lines; `utf-8` where it declares none."""
    return next((found[1].decode() for line in raw.split(b"\n", 2)[:2] if (found := _COOKIE.match(line))), "utf-8")


def utf8(raw: bytes) -> bytes:
    """The source as UTF-8 with `\\n` line ends and no byte order mark.

    Raises Undecodable where it is no text, GivenUp where it is larger than anything that somebody wrote.
    """
    refuse_huge(raw)
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    name = encoding_of(raw)
    try:
        if name.lower().replace("_", "-") in ("utf-8", "utf8"):
            raw.decode("utf-8")
        else:
            raw = raw.decode(name).encode("utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise Undecodable(f"not text in {name}: {error}") from error
    if b"\0" in raw:
        raise Undecodable("holds a NUL byte: not a text file")
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw


def refuse_huge(raw: bytes) -> None:
    """Raises GivenUp for what would take minutes and gigabytes to compare."""
    if len(raw) > LARGEST:
        raise GivenUp(f"{len(raw) // 1_000_000} MB, and files of more than {LARGEST // 1_000_000} MB are not read")


def words_of(text: bytes) -> frozenset[bytes]:
    """What `[^\\W\\d]\\w*` finds in a text, in a fifth of the time. No word begins with a digit: `0xFF` has `xFF`."""
    words = set(text.translate(_SPACED).split())
    odd = [word for word in words if word[0] in _DIGITS]
    words.difference_update(odd)
    words.update(filter(None, (word.lstrip(_DIGITS) for word in odd)))
    return frozenset(words)
