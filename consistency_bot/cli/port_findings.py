"""`port [FINGERPRINT…]`: the other side's change of findings in a repository, printed or made in the working tree."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence

from consistency_bot.cli.check import judged
from consistency_bot.cli.given import read_given_rules, rules_of
from consistency_bot.cli.option_parts import EXIT_DECLINED
from consistency_bot.cli.streams import print_bytes, put_out, say, write_file
from consistency_bot.errors import UsageError
from consistency_bot.git import read_change
from consistency_bot.model import Finding
from consistency_bot.porting import Made, Ports, Written, asked_for, is_portable, patch_of
from consistency_bot.report.wording import subject
from consistency_bot.visible import visible


def port_findings(options: argparse.Namespace) -> int:
    """Print the ports as a patch, or make them: 0 where all that was asked for came, 1 where something is declined.

    With `--all` one that came is enough. Without it and without fingerprints the ports are listed. Raises BotError.
    """
    _refuse_contradictions(options)
    given = read_given_rules(options.rules)
    with read_change(options.repo, options.base, options.head) as change:
        rules = rules_of(change, given)
        report = judged(rules, change, options.repo)
        ports = Ports(report, rules, change)
        able = tuple(filter(is_portable, report.findings))
        made = ports.of(asked_for(report, options.fingerprints) or able)
        wanted = [each for each in made if _is_wanted(each, options)]
        files = ports.written(wanted)
    if not (options.fingerprints or options.all):
        told = _explained if options.explain else _listed
        put_out("".join(f"{line}\n" for each in made for line in told(each)) or f"{_NOTHING}\n", "text", None)
        return 0
    if options.explain and made:
        say("\n".join(line for each in made for line in _explained(each)))
    if not made:
        say(_NOTHING)
    for each in made:
        if each not in wanted:
            say(f"{_named(each.finding)}: not ported: {visible(_reason(each))}")
    if options.apply:
        _apply(files, options)
    elif options.patch:
        write_file("--patch", options.patch, patch_of(files).encode("utf-8", "surrogateescape"))
    else:
        _print(patch_of(files))
    if options.all:
        return EXIT_DECLINED if made and not wanted else 0
    return 0 if len(wanted) == len(made) else EXIT_DECLINED


_NOTHING = "nothing to port: no side missed a change"


def _refuse_contradictions(options: argparse.Namespace) -> None:
    """Raises UsageError for options that do not go together."""
    is_asked = bool(options.fingerprints or options.all)
    if options.fingerprints and options.all:
        raise UsageError("--all takes every finding: leave out the fingerprints, or --all")
    for name in ("apply", "patch", "safe"):
        if getattr(options, name) and not is_asked:
            raise UsageError(f"--{name}: which findings? name fingerprints, or say --all")
    if options.apply and options.patch:
        raise UsageError("--apply changes files and --patch writes a patch: use one")
    if options.apply and options.head:
        raise UsageError("--apply changes the working tree, not the commit --head: print the port and `git apply` it")
    if options.allow_dirty and not options.apply:
        raise UsageError("--allow-dirty is for --apply")


def _is_wanted(made: Made, options: argparse.Namespace) -> bool:
    return made.port is not None and (made.port.safety == "safe" or not options.safe)


def _reason(made: Made) -> str:
    return made.declined if made.port is None else f"it needs review: {made.port.why}"


def _named(finding: Finding) -> str:
    return f"{finding.fingerprint} ({visible(subject(finding))})"


def _listed(made: Made) -> Iterator[str]:
    """The finding with its port in a line, and why it needs a look, or why there is none, in another."""
    state = made.port.safety.replace("_", " ") if made.port is not None else "declined"
    onto = f" -> {visible(made.draft.path)}" if made.port is not None else ""
    yield f"{made.finding.fingerprint}  {state:<12}  {visible(subject(made.finding))}{onto}"
    if made.port is None or made.port.why:
        yield f"    {visible(made.declined if made.port is None else made.port.why)}"


def _explained(made: Made) -> Iterator[str]:
    yield from _listed(made)
    for each in made.draft.decisions:
        first, last = each.lines
        lines = f"{first}" if last <= first else f"{first}-{last}"
        yield visible(f"    {made.draft.source}:{lines}: {each.state}" + (f" ({each.reason})" if each.reason else ""))


def _apply(files: Sequence[Written], options: argparse.Namespace) -> None:
    from consistency_bot.cli.applying import apply, refuse_uncommitted

    if not options.allow_dirty:
        refuse_uncommitted(files, options.repo)
    apply(files, options.repo)
    for each in files:
        say(f"ported into {visible(each.path)}")


def _print(patch: str) -> None:
    """The patch as `git apply` takes it; for a person who watches, with everything that acts or hides made visible."""
    if sys.stdout.isatty():
        patch = "".join(f"{line}\n" for line in _visible_lines(patch))
    print_bytes(patch.encode("utf-8", "surrogateescape"))


def _visible_lines(patch: str) -> Iterable[str]:
    return (visible(line.expandtabs(4)) for line in patch.removesuffix("\n").split("\n") if patch)
