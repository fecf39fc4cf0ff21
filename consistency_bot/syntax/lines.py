"""Files that are not Python, read line by line: one unit for each line, white space aside.

The same `Source` and `Definition` as the other files', so that everything that compares them holds here too. A file is
one definition, a line that is indented belongs to the nearest line above it that is less so, and lines that say nothing
but how a block ends are silent. Grammars may follow; until then nothing here knows what a line means.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from consistency_bot.model import Comments
from consistency_bot.syntax.definitions import Definition
from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.remarks import WORD, is_remark
from consistency_bot.syntax.terms import Terms
from consistency_bot.syntax.text import Undecodable, refuse_huge
from consistency_bot.syntax.units import Statement, Unit

_ONLY_CLOSES = re.compile(r"[\s\[\](){};,]*")
_LONGEST = 5_000
"""Characters of a line that are looked at word by word; longer ones are data, and one word."""

_SIGNS = {
    "#": ".yaml .yml .toml .sh .bash .zsh .ksh .fish .cfg .conf .env .properties .cmake .mk .make .tf .tfvars .hcl .nix"
    " .rb .pl .pm .r .jl .tcl .graphql .gql .bzl .bazel .star .gitignore .dockerignore .dockerfile .editorconfig",
    "//": ".c .h .cc .cpp .cxx .hpp .hxx .hh .inl .cu .cuh .m .mm .js .jsx .ts .tsx .mjs .cjs .java .kt .kts .go .rs"
    " .swift .scala .cs .php .proto .thrift .dart .zig .groovy .gradle .jsonc .scss .less .metal .cl .glsl",
    "--": ".sql .lua .hs .elm .ads .adb .vhd",
    ";": ".ini .asm .s .el .lisp .clj .scm .rkt",
    "%": ".tex .erl .hrl",
    "!": ".f90 .f95 .f03",
}
_BY_ENDING = {ending: sign for sign, endings in _SIGNS.items() for ending in endings.split()}
_BY_NAME = {"dockerfile": "#", "makefile": "#", "gnumakefile": "#", "cmakelists.txt": "#", "justfile": "#"}
_REQUIREMENTS = re.compile(r"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)")


def comment_sign(path: str) -> str:
    """What begins a comment in a file of this name; empty where that is not known, and then nothing is a comment."""
    name = path.rpartition("/")[2].lower()
    known = _BY_NAME.get(name) or _BY_NAME.get(name.partition(".")[0])
    return known or ("#" if _REQUIREMENTS.fullmatch(name) else _BY_ENDING.get("." + name.rpartition(".")[2], ""))


class Lines(Source):
    """One file at one revision, read line by line.

    Raises `Undecodable` where its bytes are not UTF-8 text.
    """

    def __init__(self, path: str, raw: bytes, is_main: bool = True, comments: Comments = "ignore") -> None:
        self.path = path
        self.is_main = is_main
        self.symbols = ()
        self.comments = comments
        self.data = _text(raw)

    @property
    def is_broken(self) -> bool:
        """Never: nothing here knows what would be an error."""
        return False

    @property
    def first_error_line(self) -> int:
        """1, as there is none."""
        return 1

    @cached_property
    def outline(self) -> list[Definition]:
        """The file as its only definition."""
        return [LinesDefinition(self)]

    @cached_property
    def imports(self) -> tuple[dict[str, str], frozenset[str]]:
        """None: names say what they say."""
        return {}, frozenset()

    @cached_property
    def origins(self) -> dict[str, tuple[str, int]]:
        """None."""
        return {}

    def statements(self) -> Iterator[Statement]:
        """One for each line that says something."""
        above: list[tuple[int, int]] = []  # (indentation, index) of the lines that this one may belong to
        for index, (number, concept, text) in enumerate(self._spoken()):
            said = text.lstrip()
            indent = len(text.expandtabs(8)) - len(said.expandtabs(8))
            while above and above[-1][0] >= indent:
                above.pop()
            parent = above[-1][1] if above else -1
            above.append((indent, index))
            unit = Unit(concept, _terms(said), number, number, index)
            yield Statement(number, number, parent, "".join(said.split()).encode(), [unit])

    def _spoken(self) -> Iterator[tuple[int, str, str]]:
        """(number, concept, text) of the lines and, where they count, of the comments."""
        sign = comment_sign(self.path)
        is_inside = False
        for number, line in enumerate(self.lines, 1):
            text, comment, is_inside = _split(line, sign, is_inside)
            if not _ONLY_CLOSES.fullmatch(text):
                yield number, "line", text.rstrip()
            if self.comments == "compare" and is_remark(comment):
                yield number, "comment", comment if not text.strip() else comment.lstrip()


class LinesDefinition(Definition):
    """A whole file that is read line by line."""

    __slots__ = ("_lines",)

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._source = lines
        self._statements = None
        self._units = None
        self._flow = None
        self.failure = None
        self.kind = "module"
        self.qualname = self.owner = self.name = ""
        self.line = 1
        self.end_line = len(lines.lines)

    @property
    def whole(self) -> bytes:
        """The text."""
        return self._lines.data

    @property
    def role(self) -> str:
        """None."""
        return ""

    @property
    def header_line(self) -> int:
        """The first line."""
        return 1

    @property
    def is_async(self) -> bool:
        """Never."""
        return False

    @property
    def is_broken(self) -> bool:
        """Never."""
        return False

    def _read(self) -> list[Statement]:
        return list(self._lines.statements())


def _text(raw: bytes) -> bytes:
    refuse_huge(raw)
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if b"\0" in raw:
        raise Undecodable("holds a NUL byte: not a text file")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Undecodable(f"not text in utf-8: {error}") from error
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw


def _terms(text: str) -> Terms:
    return tuple(WORD.findall(text)) if len(text) <= _LONGEST else ("".join(text.split()),)


def _split(line: str, sign: str, is_inside: bool) -> tuple[str, str, bool]:
    """(what a line says, its comment, whether a `/* */` comment goes on after it)."""
    if sign == "//":
        return _split_block(line, is_inside)
    start = _start_of_comment(line, sign) if sign else -1
    return (line, "", False) if start < 0 else (line[:start], line[start:], False)


def _split_block(line: str, is_inside: bool) -> tuple[str, str, bool]:
    """The same for the languages that have `/* */` too; such a comment counts where it begins or ends the line."""
    if is_inside:
        before, closing, after = line.partition("*/")
        return (after, before + closing, False) if closing else ("", line, True)
    if line.lstrip().startswith("/*"):
        before, closing, after = line.partition("*/")
        return (after, before + closing, False) if closing else ("", line, True)
    start = min((found for sign in ("//", "/*") if (found := _start_of_comment(line, sign)) >= 0), default=-1)
    if start < 0:
        return line, "", False
    comment = line[start:]
    if comment.startswith("/*"):
        end = comment.find("*/", 2)
        if end >= 0 and comment[end + 2 :].strip():
            return line, "", False  # in the midst of the line
        return line[:start], comment, end < 0
    return line[:start], comment, False


def _start_of_comment(line: str, sign: str) -> int:
    """Where a comment begins: at the first sign at the start or after white space, and outside quotes; -1 for none."""
    at = line.find(sign) if len(line) <= _LONGEST else -1
    while at >= 0:
        before = line[:at]
        is_apart = not before or before[-1].isspace()
        if is_apart and before.count('"') % 2 == 0 and before.count("'") % 2 == 0 and before.count("`") % 2 == 0:
            return at
        at = line.find(sign, at + 1)
    return -1
