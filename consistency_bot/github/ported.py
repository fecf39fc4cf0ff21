"""The answer to `/consistency port`: the other side's edits as patches, whole, so that they can be made by hand or by git."""

from collections.abc import Iterator, Sequence

from consistency_bot.errors import UsageError
from consistency_bot.github.consent import COMMAND
from consistency_bot.model import Finding, Port, Report
from consistency_bot.report.inert import code, fenced, prose, sentence
from consistency_bot.report.wording import short
from consistency_bot.visible import visible

BUDGET = 60_000
"""Characters of an answer, in whole patches."""


def ported(report: Report, digits: str) -> str:
    """The ports of the finding with these first digits of its fingerprint, of those that have one where none are given.

    A sentence where there is none. The text is at most 60,000 characters, and a little for what it says of the rest.
    """
    from consistency_bot.porting import asked_for, is_portable

    able = [each for each in report.findings if _is_told(each)]
    others = [each.fingerprint for each in report.findings if is_portable(each) and not _is_told(each) and not digits]
    if digits:
        try:
            able = list(asked_for(report, [digits]))
        except UsageError as error:
            return f"{prose(' '.join(str(error).split()))}."
    if not able:
        return "There is nothing to port."
    more = f"{len(others)} more can be asked for, such as {code(f'{COMMAND} port {others[0]}')}." if others else ""
    return "\n\n".join([*_within([_told(each, report.head) for each in able]), *filter(None, [more])])


def _is_told(finding: Finding) -> bool:
    return finding.port is not None or isinstance(finding.port_declined, str)


def has_port(report: Report) -> bool:
    """Whether any finding has one."""
    return any(each.port is not None for each in report.findings)


def _told(finding: Finding, head: str) -> str:
    port = finding.port
    if port is None:
        why = finding.port_declined if isinstance(finding.port_declined, str) else "none was looked for"
        return f"No port of {code(finding.fingerprint)}: {sentence(why)}."
    return "\n\n".join(_patch(finding, port, head))


def _patch(finding: Finding, port: Port, head: str) -> Iterator[str]:
    look = f" Look first: {sentence(port.why)}." if port.why else ""
    yield f"Port of {code(finding.fingerprint)} to {code(port.path)}, for {code(short(head))}.{look}"
    lines = port.diff.removesuffix("\n").split("\n")
    shown = ["\t".join(map(visible, line.split("\t"))) for line in lines]
    yield fenced(shown, "diff")
    if shown != lines:
        command = code(f"consistency-bot port {finding.fingerprint}")
        yield f"Signs that do not show are spelt out here, so it is not to be applied as it stands: {command} prints it."


def _within(parts: Sequence[str]) -> Iterator[str]:
    room = BUDGET
    for number, part in enumerate(parts):
        room -= len(part) + 2
        if room < 0:
            yield f"{len(parts) - number} more did not fit here: `consistency-bot port --all` prints them."
            return
        yield part
