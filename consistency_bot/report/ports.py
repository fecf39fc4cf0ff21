"""A finding's port in the formats for people: what it would change, whether somebody should look first, and why."""

from collections.abc import Iterator

from consistency_bot.model import Finding, Port
from consistency_bot.report.excerpt import shown
from consistency_bot.report.inert import code, fenced, sentence
from consistency_bot.visible import visible

MOST_LINES = 40
"""Lines of a diff that markdown shows."""

MOST_LINES_OF_TEXT = 12

_SHORT = 8
"""Digits of a fingerprint that the command `port` asks for at least."""


def port_text(finding: Finding) -> Iterator[str]:
    """The lines of a terminal's report: the hunks, as many as show at a glance, and the command that prints them all."""
    port = finding.port
    if port is None:
        yield f"  port: none, {visible(_declined(finding))}"
        return
    lines = _hunks(port)
    yield f"  port: {_state(port)}, {visible(port.path)}"
    # A workflow's log takes commands from lines that start with colons, whatever blanks are before them.
    yield from (f"    | {shown(line)}".rstrip() for line in lines[:MOST_LINES_OF_TEXT])
    if len(lines) > MOST_LINES_OF_TEXT:
        yield f"    | … and {len(lines) - MOST_LINES_OF_TEXT} more lines"
    if port.why:
        yield f"    look first: {visible(port.why)}"
    yield f"    to make it: consistency-bot port {visible(finding.fingerprint[:_SHORT])} --apply"


def port_folded(finding: Finding) -> str:
    """The port in markdown, folded away; one sentence where there is none."""
    port = finding.port
    if port is None:
        return f"**Port:** none; {sentence(_declined(finding))}."
    summary = f"Port ({_state(port)})"  # HTML, so it holds words of ours alone
    body = "\n\n".join(_markdown(port, finding.fingerprint))
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def _markdown(port: Port, fingerprint: str) -> Iterator[str]:
    lines = _hunks(port)
    cut = [shown(line) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        cut.append(f"… and {len(lines) - MOST_LINES} more lines")
    state = f"**{_state(port).capitalize()}**"
    if port.why or port.safety == "safe":
        state += f": {sentence(port.why or 'judged again with it, nothing is left to be said')}."
    yield f"{code(port.path)}, {state}"
    yield fenced(cut, "diff")
    yield f"To make it: {code(f'consistency-bot port {fingerprint} --apply')}"


def _state(port: Port) -> str:
    return port.safety.replace("_", " ")


def _declined(finding: Finding) -> str:
    why = finding.port_declined
    return why if isinstance(why, str) and why else "not looked for"


def _hunks(port: Port) -> list[str]:
    """The lines of the diff without its head, which says the path once more."""
    lines = port.diff.removesuffix("\n").split("\n")
    start = next((at for at, line in enumerate(lines) if line.startswith("@@")), 0)
    return lines[start:]
