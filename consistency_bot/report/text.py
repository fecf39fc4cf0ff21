"""The report for people in a terminal."""

from collections.abc import Iterator

from consistency_bot.model import DRIFT, Finding, Place, Report, Table, TwinsChecked, Verdict
from consistency_bot.report.excerpt import excerpt, is_gap
from consistency_bot.report.view import Style, View
from consistency_bot.report.wording import RULES_FROM, gap_note, next_step, short, subject, waiver_place, without_places
from consistency_bot.visible import visible

_STYLES: dict[Verdict, Style] = {"repaired": "good", "standing": "dim", "one_sided": "strong"}


def render_text(report: Report, view: View) -> str:
    """The findings one by one, those that block first, each with both places and what to do, then one line that sums up."""
    source = f"{visible(report.rules.path)} {RULES_FROM[report.rules.from_]}"
    blocks = [view.paint(f"{visible(short(report.base))}..{visible(short(report.head))}, {source}", "dim")]
    whys = {(each.id, each.twins): each.why for each in report.rules_checked}
    findings = sorted((each for each in report.findings if each.waived is None), key=lambda each: not each.blocks)
    blocks += ["\n".join(_finding(each, whys.get((each.rule, each.twins or ""), ""), view)) for each in findings]
    rest = (list(_waived(report, view)), list(_counts(report)), list(_smoke(report)))
    blocks += ["\n".join(lines) for lines in rest if lines]
    blocks.append(_summary(report, view))
    return "\n\n".join(blocks) + "\n"


def _finding(finding: Finding, why: str, view: View) -> Iterator[str]:
    style = _STYLES.get(finding.verdict, "bad" if finding.blocks else "warn")
    word = view.paint(finding.verdict, style)
    blocks = "blocks" if finding.blocks else "does not block"
    yield f"{word}: {_subject(finding)}, {blocks}"
    yield f"  {visible(without_places(finding))}"
    for place in finding.places:
        yield from _place(place, gap_note(finding, place), view)
    if isinstance(finding.table, Table):
        from consistency_bot.report.table import text_rows  # most findings have none

        yield from (f"    {row}" for row in text_rows(finding.table))
    if why.strip():
        yield f"  why: {visible(' '.join(why.split()))}"
    if finding.port is not None or isinstance(finding.port_declined, str):
        from consistency_bot.report.ports import port_text  # only who asks for ports pays for it

        yield from port_text(finding)
    elif finding.verdict == "missed" and finding.rule == "bodies":
        command = f"consistency-bot port {visible(finding.fingerprint[:8])}"
        yield f"  port: `{command}` writes the other side's change, if it can"
    yield f"  next: {next_step(finding)}"
    if finding.blocks or finding.verdict in DRIFT:
        yield f"  fingerprint: {visible(finding.fingerprint)}"  # what a waiver names


def _subject(finding: Finding) -> str:
    """What it is about: the concept, the function, and the twins or the rule."""
    of = finding.twins if finding.rule == "bodies" else f"rule {finding.rule}"
    return visible(f"{subject(finding)} ({of})")


def _waived(report: Report, view: View) -> Iterator[str]:
    """One line for each waived finding: what and where it is, who waived it, and why."""
    for finding in report.findings:
        waived = finding.waived
        if waived is not None:
            place = finding.changed or finding.counterpart
            at = f" at {visible(place.path)}:{max(place.line, 1)}" if place is not None else ""
            by = f"by {visible(waived.by)} in" if waived.by else "in"
            word = view.paint("waived", "dim")
            said = f"{word}: {finding.verdict} {_subject(finding)}{at}, {by} {visible(waiver_place(waived))}"
            yield f"{said}: {visible(waived.reason)}"


def _place(place: Place, gap: str, view: View) -> Iterator[str]:
    """Where it is, as an editor can open it, and the lines there. `gap` says what a place without lines means."""
    said = f" ({gap})" if is_gap(place) else ""
    yield f"  {visible(place.side)}: {view.paint(f'{visible(place.path)}:{max(place.line, 1)}', 'strong')}{said}"
    found = excerpt(place, view.lines(place.path))
    for row in found.rows:
        text = row.text if row.number is not None else view.paint(row.text, "dim")
        yield f"{_gutter(str(row.number or ''), view)} {text}".rstrip()
    if found.hidden:
        yield f"{_gutter('', view)} … and {found.hidden} more line{'s' * (found.hidden != 1)}"


def _gutter(number: str, view: View) -> str:
    return view.paint(f"{number:>8} |", "dim")


def _counts(report: Report) -> Iterator[str]:
    for twins in report.twins_checked:
        if twins.units is not None and twins.agreeing is not None:
            yield f"{visible(twins.id)}: {twins.agreeing} of {twins.units} units agree"


def _smoke(report: Report) -> Iterator[str]:
    for request in report.smoke:
        yield f"asks for smoke job {visible(request.job)}: {visible(request.reason)}"


def _summary(report: Report, view: View) -> str:
    """One line: the conclusion, how many findings block, and what was looked at."""
    patches = [f"patch {visible(each.id)}" for each in report.rules_checked if each.check == "patch"]
    if not report.twins_checked and not report.findings and not patches:
        return view.paint("in step", "good") + ": the change touches no twins"
    total = len(report.findings)
    blocking = sum(finding.blocks for finding in report.findings)
    looked = ", ".join([*map(_looked_at, report.twins_checked), *patches]) or "nothing"
    undecided = [verdict for verdict in ("unknown", "undecided") if any(f.verdict == verdict for f in report.findings)]
    waived = sum(finding.waived is not None for finding in report.findings)
    found = f"{total} finding{'s' * (total != 1)}" if total else "no findings"
    if total and (blocking or report.conclusion == "unknown"):
        found += f", {blocking or 'none'} of them blocking"
    found += f", {waived} waived" if waived else ""
    open_ = f", not all decided ({', '.join(undecided)})" if undecided else ""
    return f"{_conclusion(report, view)}: {found}{open_}; checked {looked}"


def _conclusion(report: Report, view: View) -> str:
    """The report's conclusion; where that is `in_step` because nothing blocks, what was found all the same."""
    if any(finding.blocks for finding in report.findings):
        return view.paint(report.conclusion.replace("_", " "), "bad")
    found = {finding.verdict for finding in report.findings if finding.waived is None}
    if found & DRIFT:
        return view.paint("drift", "warn") + ", but nothing blocks"
    if report.conclusion == "in_step" and found - {"repaired"}:
        return view.paint("nothing blocks", "good")
    return view.paint(report.conclusion.replace("_", " "), "good" if report.conclusion == "in_step" else "warn")


def _looked_at(twins: TwinsChecked) -> str:
    moved = " and ".join(visible(side) for side in twins.modified) or "nothing"
    return f"{visible(twins.id)} ({moved} changed)"
