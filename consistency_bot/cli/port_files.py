"""`port --from OLD NEW --onto FILE`: one file's change written into its twin."""

import argparse

from consistency_bot.attempts import GivenUp
from consistency_bot.cli.option_parts import EXIT_DECLINED
from consistency_bot.cli.streams import print_bytes, say
from consistency_bot.errors import UsageError
from consistency_bot.port import Half, Ported, port
from consistency_bot.port.decisions import is_likely
from consistency_bot.porting.diffs import unified_diff
from consistency_bot.porting.rewriting import Unwritable, rewritten
from consistency_bot.syntax import Undecodable


def port_files(options: argparse.Namespace) -> int:
    """Print the other file as it would be, or the difference: 0 where that could be told, 1 (declined) where not."""
    paths = (*options.from_, options.onto)
    raws = [_read(path) for path in paths]
    try:
        halves = [Half(path, raw) for path, raw in zip(paths, raws, strict=True)]
        ported = _ported(options.safe, *halves)
        new = rewritten(raws[2], ported.text)
    except (Undecodable, GivenUp, Unwritable) as error:
        say(f"declined: {error}")
        return EXIT_DECLINED
    if options.explain:
        _explain(ported)
    if _is_declined(ported, halves[2].text):
        say("declined: nothing of the change can be written with confidence")
        return EXIT_DECLINED
    if options.diff:
        new = unified_diff(options.onto.lstrip("/"), raws[2], new).encode("utf-8", "surrogateescape")
    print_bytes(new)
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


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"{path}: expected a file that can be read, found: {error.strerror}") from None
