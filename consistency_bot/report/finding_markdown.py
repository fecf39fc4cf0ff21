"""One finding in markdown: what it says, both places with their lines side by side, and what to do."""

from collections.abc import Iterator, Mapping

import msgspec

from consistency_bot.model import DRIFT, Finding, Place, Table, Touch
from consistency_bot.report.excerpt import excerpt, is_gap
from consistency_bot.report.inert import code, fenced, prose, sentence
from consistency_bot.report.ports import port_folded
from consistency_bot.report.table import table_markdown, table_of
from consistency_bot.report.view import View
from consistency_bot.report.wording import gap_note, next_step, waiver_place, without_places

COLUMN = 48
"""Characters of code that half the width of a comment on GitHub has room for."""


class _Shown(msgspec.Struct, frozen=True):
    """A place as the comment shows it: the address of its lines, "" where there is none, and the lines."""

    place: Place
    address: str
    lines: tuple[str, ...]


def finding_markdown(finding: Finding, whys: Mapping[str, str], view: View) -> str:
    """The finding as a block of its own, without blank lines at its ends. `whys` are reasons by title: the rule's, the twins'."""
    of = finding.twins if finding.rule == "bodies" else finding.rule
    parts = [f"#### {_title(finding)} ({code(of or '')})", sentence(without_places(finding)), *_places(finding, view)]
    parts += _history(finding, view)
    table = table_of(finding)
    if table is not None:
        parts += [table_markdown(table), _legend(finding, table)]
    if finding.port is not None or isinstance(finding.port_declined, str):
        parts.append(port_folded(finding))
    if finding.waived is not None:
        waived = finding.waived
        by = f" by {code(waived.by)}" if waived.by else ""
        at = code(waiver_place(waived)) if waived.path is not None else waiver_place(waived)
        parts.append(f"**Acknowledged**{by} in {at}: {prose(waived.reason)}")
    parts += [f"**{title}:** {prose(why)}" for title, why in whys.items() if prose(why)]
    parts.append(f"**Next:** {next_step(finding)} <sub>Finding {code(finding.fingerprint)}</sub>")
    return "\n\n".join(parts)


def _title(finding: Finding) -> str:
    place = finding.changed or finding.counterpart
    function = f" in {code(place.function)}" if place is not None and place.function else ""
    return f"{finding.verdict.replace('_', '-')}: {prose(finding.concept.replace('_', ' '))}{function}"


def _history(finding: Finding, view: View) -> Iterator[str]:
    """Who changed these lines last, before this change: a pair of places that was parted before may part again.

    A number is in code, and no address of a pull request stands here: GitHub would tell each of them of this comment.
    """
    is_drift = finding.blocks or (finding.verdict in DRIFT and finding.waived is None)
    told: dict[str, list[str]] = {}
    for place in finding.places if is_drift else ():
        changes = ", ".join(_change(each, view) for each in view.touched(place))
        if changes:
            told.setdefault(changes, []).append(code(place.side))
    if told:
        said = (f"{' and '.join(dict.fromkeys(sides))} in {changes}" for changes, sides in told.items())
        yield f"<sub>Last changed before: {'; '.join(said)}</sub>"


def _change(touch: Touch, view: View) -> str:
    shown = code(touch.commit[:9])
    linked = f"[{shown}]({view.links.to_commit(touch.commit)})" if view.links is not None else shown
    return f"{linked} {touch.day}" + (f" ({code(f'#{touch.pull}')})" if touch.pull is not None else "")


def _legend(finding: Finding, table: Table) -> str:
    marked = "←: what this finding is about. " if table.marked else ""
    return f"<sub>{marked}How to read the table: {code(f'consistency-bot explain {finding.concept}')}</sub>"


def _places(finding: Finding, view: View) -> list[str]:
    """Both places with their lines: side by side where two columns have room for them, else one below the other."""
    places_shown = [_shown(place, view) for place in finding.places]
    is_narrow = len(places_shown) == 2 and all(len(line) <= COLUMN for each in places_shown for line in each.lines)
    # Where a link has the folders, a column has room for the file's name alone.
    names = [_name(each.place, is_short=is_narrow and bool(each.address)) for each in places_shown]
    cells = [_cell(finding, each, name) for each, name in zip(places_shown, names, strict=True)]
    if is_narrow and all(len(name) <= COLUMN for name in names):
        # The blank lines make GitHub read the cells as markdown again.
        cell = '<td valign="top">'
        return [f"<table><tr>{cell}\n\n{cells[0]}\n\n</td>{cell}\n\n{cells[1]}\n\n</td></tr></table>"]
    return cells


def _shown(place: Place, view: View) -> _Shown:
    file = view.lines(place.path)
    address = view.links.to(place) if view.links is not None and file else ""
    return _Shown(place, address, tuple(_lines(place, file)))


def _cell(finding: Finding, each: _Shown, name: str) -> str:
    linked = f"[{code(name)}]({each.address})" if each.address else code(name)
    language = "python" if each.place.path.endswith((".py", ".pyi")) else "text"
    block = f"\n\n{fenced(each.lines, language)}" if each.lines else ""
    return f"{code(each.place.side)} at {linked}{_note(finding, each.place)}{block}"


def _name(place: Place, *, is_short: bool) -> str:
    """The place as an editor can open it."""
    return f"{place.path.rpartition('/')[2] if is_short else place.path}:{max(place.line, 1)}"


def _note(finding: Finding, place: Place) -> str:
    return f" ({gap_note(finding, place)})" if is_gap(place) else ""


def _lines(place: Place, file: tuple[str, ...]) -> list[str]:
    """The lines of a place, moved to the left together. Empty where all are blank, or the file has none."""
    found = excerpt(place, file)
    said = [row.text for row in found.rows if row.number is not None and row.text]
    if not said:
        return []
    margin = min(len(text) - len(text.lstrip(" ")) for text in said)
    lines = [row.text[margin:] if row.number is not None else row.text for row in found.rows]
    if found.hidden:
        lines.append(f"… and {found.hidden} more line{'s' * (found.hidden != 1)}")
    return lines
