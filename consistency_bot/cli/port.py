"""The command `port`: one file's change written into its twin."""

import argparse
import difflib

from consistency_bot.cli.streams import print_report, say
from consistency_bot.errors import UsageError
from consistency_bot.port import Half, Ported, port
from consistency_bot.port.decisions import is_likely
from consistency_bot.syntax import Undecodable

EXIT_DECLINED = 1


def run_port(options: argparse.Namespace) -> int:
    """Print the other file as it would be, or the difference: 0 where that could be told, 1 (declined) where not."""
    paths = (*options.from_, options.onto)
    raws = [_read(path) for path in paths]
    line_end = _line_end(raws[2])
    if line_end is None:
        say(f"declined: {options.onto} has line ends of several kinds")
        return EXIT_DECLINED
    try:
        halves = [Half(path, raw) for path, raw in zip(paths, raws, strict=True)]
    except Undecodable as error:
        say(f"declined: {error}")
        return EXIT_DECLINED
    ported = _ported(options.safe, *halves)
    if options.explain:
        _explain(ported)
    if _is_declined(ported, halves[2].text):
        say("declined: nothing of the change can be written with confidence")
        return EXIT_DECLINED
    text = _difference(options.onto, halves[2].text, ported.text) if options.diff else ported.text
    bom = "\ufeff" if raws[2].startswith(b"\xef\xbb\xbf") and not options.diff else ""
    print_report(bom + text.replace("\n", line_end), "utf-8")
    return 0


def _ported(is_safe: bool, mine: Half, mine_new: Half, theirs: Half) -> Ported:
    if is_safe:
        from consistency_bot.rejudging import port_safely

        return port_safely(mine, mine_new, theirs)
    return port(mine, mine_new, theirs, is_likely)


def _is_declined(ported: Ported, old: str) -> bool:
    """Whether there was something to write and nothing of it was written."""
    return ported.text == old and any(each.state in ("none", "unsure") for each in ported.decisions)


def _explain(ported: Ported) -> None:
    for each in ported.decisions:
        first, last = each.lines
        where = f"line {first}" if last <= first else f"lines {first}-{last}"
        say(f"{where}: {each.state}" + (f" ({each.reason})" if each.reason else ""))


def _difference(path: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _line_end(raw: bytes) -> str | None:
    """The file's line end; None where it has several kinds."""
    windows, lines = raw.count(b"\r\n"), raw.count(b"\n")
    if raw.count(b"\r") != windows:
        return None
    return "\n" if not windows else "\r\n" if windows == lines else None


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"{path}: expected a file that can be read, found: {error.strerror}") from None
