"""The report for people in a terminal."""

from collections.abc import Iterator

from consistency_bot.model import Finding, Place, Report, TwinsChecked, Verdict
from consistency_bot.report.view import Style, View
from consistency_bot.visible import visible

MOST_LINES = 8
"""Source lines shown of one place; a finding points, it does not quote whole functions."""

WIDEST = 140
"""Characters shown of one source line."""

NEXT: dict[Verdict, str] = {
    "missed": "make the same change on the other side, or take it back here; which side is right is yours to say.",
    "diverged": "both sides moved, and not alike: compare the two and make them say the same.",
    "one_sided": "nothing on the other side plays this part, so nothing to compare; does the other side need it too?",
    "repaired": "nothing; the sides say the same again.",
    "standing": "nothing for this change; the sides differed before it.",
    "broken": "make the rule hold here again, or change the rule where it no longer says what is meant.",
    "unknown": "cure the reason above and run again: this could not be judged, which is not the same as in step.",
    "undecided": "look at both places: that they agree could not be shown, nor that they differ. It does not block.",
}
"""What a person can do about each verdict, without taking sides."""

NEXT_OF_WAIVERS: dict[Verdict, str] = {
    "broken": "take the waiver out, or give it a later day if its reason still holds.",
    "undecided": "correct the waiver, or take it out; until then it waives nothing.",
    "standing": "take the waiver out, if what it was for is gone.",
}
"""The same for findings about waivers."""

_STYLES: dict[Verdict, Style] = {"repaired": "good", "standing": "dim", "one_sided": "strong"}
_FROM = {"base": "of the base commit", "head": "of the head commit", "worktree": "as it is here", "file": "as given"}


def render_text(report: Report, view: View) -> str:
    """The findings one by one, each with both places and what to do, then one line that sums up."""
    source = f"{visible(report.rules.path)} {_FROM[report.rules.from_]}"
    blocks = [view.paint(f"{_short(report.base)}..{_short(report.head)}, {source}", "dim")]
    blocks += ["\n".join(_finding(finding, view)) for finding in report.findings if finding.waived is None]
    rest = (list(_waived(report, view)), list(_counts(report)), list(_smoke(report)))
    blocks += ["\n".join(lines) for lines in rest if lines]
    blocks.append(_summary(report, view))
    return "\n\n".join(blocks) + "\n"


def _short(name: str) -> str:
    return name[:12] if len(name) >= 40 else visible(name)


def _finding(finding: Finding, view: View) -> Iterator[str]:
    style = _STYLES.get(finding.verdict, "bad" if finding.blocks else "warn")
    word = view.paint(finding.verdict, style)
    yield f"{word}: {_subject(finding)}, {'blocks' if finding.blocks else 'does not block'}"
    yield f"  {visible(finding.message)}"
    if finding.changed is not None:
        yield from _place(finding.changed, "no longer here", view)
    if finding.counterpart is not None:
        yield from _place(
            finding.counterpart, "it would go here" if finding.verdict == "missed" else "nothing here", view
        )
    if finding.port is not None:
        yield f"  port ({finding.port.safety.replace('_', ' ')}), {visible(finding.port.path)}:"
        yield from (f"    {_code(line)}" for line in finding.port.diff.splitlines())
    yield f"  next: {what_next(finding)}"
    if finding.blocks:
        yield f"  fingerprint: {finding.fingerprint}"  # what a waiver names


def _subject(finding: Finding) -> str:
    """What it is about: the concept, the function, and the twins or the rule."""
    place = finding.changed or finding.counterpart
    function = f" in {place.function}" if place is not None and place.function else ""
    of = finding.twins if finding.rule == "bodies" else f"rule {finding.rule}"
    return visible(f"{finding.concept.replace('_', ' ')}{function} ({of})")


def what_next(finding: Finding) -> str:
    """What a person can do about a finding."""
    of_waivers = NEXT_OF_WAIVERS.get(finding.verdict) if finding.rule == "waivers" else None
    return of_waivers or NEXT[finding.verdict]


def _waived(report: Report, view: View) -> Iterator[str]:
    """One line for each waived finding: what and where it is, who waived it, and why."""
    for finding in report.findings:
        waived = finding.waived
        if waived is not None:
            place = finding.changed or finding.counterpart
            at = f" at {visible(place.path)}:{max(place.line, 1)}" if place is not None else ""
            source = f"{visible(waived.path)}:{waived.line}" if waived.path is not None else f"a {waived.source}"
            by = f"by {visible(waived.by)} in {source}" if waived.by else f"in {source}"
            word = view.paint("waived", "dim")
            yield f"{word}: {finding.verdict} {_subject(finding)}{at}, {by}: {visible(waived.reason)}"


def _place(place: Place, gap: str, view: View) -> Iterator[str]:
    """Where it is, as an editor can open it, and the lines there. `gap` says what a place without lines means."""
    is_gap = place.end_line < place.line
    said = f" ({gap})" if is_gap else ""
    yield f"  {visible(place.side)}: {view.paint(f'{visible(place.path)}:{max(place.line, 1)}', 'strong')}{said}"
    lines = view.lines(place.path)
    if is_gap:
        yield from _numbered(lines, range(place.line - 1, place.line), view)
        yield f"{_gutter('', view)} {view.paint('…', 'dim')}"
        yield from _numbered(lines, range(place.line, place.line + 1), view)
        return
    last = min(place.end_line, len(lines))
    yield from _numbered(lines, range(place.line, min(last, place.line + MOST_LINES - 1) + 1), view)
    hidden = last - place.line + 1 - MOST_LINES
    if hidden > 0:
        yield f"{_gutter('', view)} … and {hidden} more line{'s' * (hidden != 1)}"


def _numbered(lines: tuple[str, ...], numbers: range, view: View) -> Iterator[str]:
    """The lines of these numbers, as far as the file has them."""
    for number in numbers:
        if 1 <= number <= len(lines):
            yield f"{_gutter(str(number), view)} {_code(lines[number - 1])}".rstrip()


def _gutter(number: str, view: View) -> str:
    return view.paint(f"{number:>8} |", "dim")


def _code(line: str) -> str:
    text = visible(line.rstrip().expandtabs(4))
    return text if len(text) <= WIDEST else text[:WIDEST] + "…"


def _counts(report: Report) -> Iterator[str]:
    for twins in report.twins_checked:
        if twins.units is not None and twins.agreeing is not None:
            yield f"{visible(twins.id)}: {twins.agreeing} of {twins.units} units agree"


def _smoke(report: Report) -> Iterator[str]:
    for request in report.smoke:
        yield f"asks for smoke job {visible(request.job)}: {visible(request.reason)}"


def _summary(report: Report, view: View) -> str:
    """One line: the conclusion, how many findings block, and what was looked at."""
    if not report.twins_checked and not report.findings:
        return view.paint("in step", "good") + ": the change touches no twins"
    total = len(report.findings)
    blocking = sum(finding.blocks for finding in report.findings)
    looked = ", ".join(_looked_at(twins) for twins in report.twins_checked) or "nothing"
    undecided = [verdict for verdict in ("unknown", "undecided") if any(f.verdict == verdict for f in report.findings)]
    style: Style = "bad" if blocking else "good"
    word = view.paint(report.conclusion.replace("_", " "), style)
    waived = sum(finding.waived is not None for finding in report.findings)
    found = f"{total} finding{'s' * (total != 1)}, {blocking or 'none'} of them blocking" if total else "no findings"
    found += f", {waived} waived" if waived else ""
    open_ = f", not all decided ({', '.join(undecided)})" if undecided else ""
    return f"{word}: {found}{open_}; checked {looked}"


def _looked_at(twins: TwinsChecked) -> str:
    moved = " and ".join(visible(side) for side in twins.modified) or "nothing"
    return f"{visible(twins.id)} ({moved} changed)"
