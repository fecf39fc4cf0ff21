"""One finding in markdown: what it says, both places with their lines side by side, and what to do."""

from itertools import chain

from consistency_bot.model import Finding, Place, Port
from consistency_bot.report.excerpt import excerpt, is_gap, shown
from consistency_bot.report.inert import code, fenced, prose, sentence
from consistency_bot.report.view import View
from consistency_bot.report.wording import gap_note, next_step, without_places

MOST_PORT_LINES = 40

COLUMN = 48
"""Characters of code that half the width of a comment on GitHub has room for."""


def finding_markdown(finding: Finding, why: str, view: View) -> str:
    """The finding as a block of its own, without blank lines at its ends. `why` is that of its twins, "" to leave it out."""
    of = finding.twins if finding.rule == "bodies" else finding.rule
    parts = [f"#### {_title(finding)} ({code(of or '')})", sentence(without_places(finding)), *_places(finding, view)]
    if finding.port is not None:
        parts.append(_port(finding.port))
    if finding.waived is not None:
        waived = finding.waived
        parts.append(f"**Acknowledged** by {code(waived.by)} ({waived.source}): {prose(waived.reason)}")
    if prose(why):
        parts.append(f"**Why they are twins:** {prose(why)}")
    parts.append(f"**Next:** {next_step(finding)} <sub>Finding {code(finding.fingerprint)}</sub>")
    return "\n\n".join(parts)


def _title(finding: Finding) -> str:
    place = finding.changed or finding.counterpart
    function = f" in {code(place.function)}" if place is not None and place.function else ""
    return f"{finding.verdict.replace('_', '-')}: {prose(finding.concept.replace('_', ' '))}{function}"


def _places(finding: Finding, view: View) -> list[str]:
    """Both places with their lines: side by side where two columns have room for them, else one below the other."""
    places = [place for place in (finding.changed, finding.counterpart) if place is not None]
    lines = [_lines(place, view) for place in places]
    is_narrow = all(len(line) <= COLUMN for line in chain.from_iterable(lines))
    names = [_name(place, view, is_short=is_narrow and len(places) == 2) for place in places]
    cells = [
        f"{code(place.side)} at {_linked(name, place, view)}{_note(finding, place)}{_block(place, source)}"
        for place, name, source in zip(places, names, lines, strict=True)
    ]
    if len(cells) == 2 and is_narrow and all(len(name) <= COLUMN for name in names):
        # The blank lines make GitHub read the cells as markdown again.
        cell = '<td valign="top">'
        return [f"<table><tr>{cell}\n\n{cells[0]}\n\n</td>{cell}\n\n{cells[1]}\n\n</td></tr></table>"]
    return cells


def _name(place: Place, view: View, *, is_short: bool) -> str:
    """The place as an editor can open it; where a link has the folders, a column has room for the file's name alone."""
    path = place.path.rpartition("/")[2] if is_short and view.links is not None else place.path
    return f"{path}:{max(place.line, 1)}"


def _linked(name: str, place: Place, view: View) -> str:
    return f"[{code(name)}]({view.links.to(place)})" if view.links is not None else code(name)


def _note(finding: Finding, place: Place) -> str:
    return f" ({gap_note(finding, place)})" if is_gap(place) else ""


def _block(place: Place, lines: list[str]) -> str:
    language = "python" if place.path.endswith((".py", ".pyi")) else "text"
    return f"\n\n{fenced(lines, language)}" if lines else ""


def _lines(place: Place, view: View) -> list[str]:
    """The lines of a place, moved to the left together. Empty where all are blank."""
    found = excerpt(place, view.lines(place.path))
    said = [row.text for row in found.rows if row.number is not None and row.text]
    if not said:
        return []
    margin = min(len(text) - len(text.lstrip(" ")) for text in said)
    lines = [row.text[margin:] if row.number is not None else row.text for row in found.rows]
    if found.hidden:
        lines.append(f"… and {found.hidden} more line{'s' * (found.hidden != 1)}")
    return lines


def _port(port: Port) -> str:
    lines = port.diff.splitlines()
    cut = [shown(line) for line in lines[:MOST_PORT_LINES]]
    if len(lines) > MOST_PORT_LINES:
        cut.append(f"… and {len(lines) - MOST_PORT_LINES} more")
    return f"Port ({port.safety.replace('_', ' ')}), {code(port.path)}:\n\n{fenced(cut, 'diff')}"
