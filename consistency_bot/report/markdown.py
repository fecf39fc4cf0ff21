"""The body of a pull-request comment: the verdict first, then the rules, then what blocks, then the rest."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from consistency_bot.model import Finding, Report, TwinsChecked
from consistency_bot.report.finding_markdown import finding_markdown
from consistency_bot.report.inert import cell_code, code, prose
from consistency_bot.report.links import is_commit
from consistency_bot.report.results import change_of, counted, headline, outcome_of, pressing, results_of
from consistency_bot.report.table import row_markdown
from consistency_bot.report.view import View
from consistency_bot.report.wording import RULES_FROM, short

BUDGET = 60_000
"""Characters of a comment. GitHub refuses more than 65,536; the rest is for who posts it."""

ROOM_FOR_TABLE = 10_000
ROOM_FOR_SMOKE = 3_000
ROOM_FOR_FOLDS = 1_000
"""Characters for the rows of one table, for smoke jobs, and for what stands around findings and says how many are cut."""

MOST_OPEN = 5
"""Findings that show without being asked for; a comment of many screens is not read."""

MOST_IN_ROW = 10
"""Rules that share a row of the table."""

MOST_NAMED = 4
"""Twins that one line names, and sides of each."""


def render_markdown(report: Report, view: View) -> str:
    """The comment, at most `BUDGET` characters."""
    return markdown_within(report, view, BUDGET)


def markdown_within(report: Report, view: View, budget: int) -> str:
    """The comment in at most `budget` characters, 30,000 or more.

    Where nothing needs a look it is one line, and what there is to tell is folded away. What blocks is open, and where
    nothing does the drift that only warns. What does not fit is left out by whole findings, those that do not block
    first, and a line says how many.
    """
    first = pressing(report)
    known = set(map(id, first))
    others = [each for each in report.findings if id(each) not in known]
    verdict, tables, smoke = _verdict(report, view), _tables(report), list(_smoke(report))
    blocks = _blocks([*first, *others], report, view)
    room = budget - sum(len(part) + 2 for part in (verdict, tables, *smoke)) - ROOM_FOR_FOLDS
    told = list(_fitting(islice(blocks, len(first)), room))
    room -= sum(len(block) + 2 for block in told)
    folded = list(_fitting(blocks, room)) if len(told) == len(first) else []
    is_quiet = outcome_of(report.findings) == "pass"
    parts = [verdict, *([] if is_quiet else [tables]), *told[:MOST_OPEN]]
    if told[MOST_OPEN:]:
        does = "block" if first[0].blocks else "differ"
        parts.append(_folded(f"{len(told) - MOST_OPEN} more that {does}", told[MOST_OPEN:]))
    if folded:
        parts.append(_folded(f"{counted(others)}: nothing here blocks", [tables, *folded] if is_quiet else folded))
    blocking = sum(each.blocks for each in first[len(told) :])
    parts += _hidden(blocking, len(report.findings) - len(told) - len(folded))
    return "\n\n".join([*parts, *smoke]) + "\n"


def _folded(summary: str, blocks: Sequence[str]) -> str:
    """Blocks that show when somebody opens them. `summary` is ours."""
    return "\n\n".join([f"<details><summary>{summary}</summary>", *blocks, "</details>"])


def _verdict(report: Report, view: View) -> str:
    """What came out, which commit was judged and by which rules; one line where nothing needs a look."""
    checked = f"Checked {_commit(report.head, view)} against {_commit(report.base, view)}"
    if outcome_of(report.findings) == "pass":
        return f"**{headline(report)}.** {checked}: {_looked_at(report.twins_checked)}.{_edited(report)}"
    rules = f"{code(report.rules.path)} {RULES_FROM[report.rules.from_]}"
    return f"### {headline(report)}\n\n{checked}, by {rules}.{_edited(report)}"


def _edited(report: Report) -> str:
    if not report.rules.changed_by_head:
        return ""
    return f" **This change edits the rules file**; the version {RULES_FROM[report.rules.from_]} was used."


def _commit(name: str, view: View) -> str:
    shown = code(short(name))
    return f"[{shown}]({view.links.to_commit(name)})" if view.links is not None and is_commit(name) else shown


def _looked_at(checked: Sequence[TwinsChecked]) -> str:
    if not checked:
        return "the change touches no twins"
    named = [f"{code(each.id)} ({_moved(each)})" for each in checked[:MOST_NAMED]]
    return ", ".join(named) + (f" and {len(checked) - MOST_NAMED} more twins" if len(checked) > MOST_NAMED else "")


def _moved(twins: TwinsChecked) -> str:
    moved = [code(side) for side in twins.modified[:MOST_NAMED]]
    if len(twins.modified) > MOST_NAMED:
        moved.append(f"{len(twins.modified) - MOST_NAMED} more sides")
    return f"{' and '.join(moved) or 'no side'} modified"


def _tables(report: Report) -> str:
    """The rules and what came out, then the sides; empty where there is no finding."""
    if not report.findings:
        return ""
    tables = [_table(["rule", "twins", "result", "reason"], list(_rules(report)))]
    sides = list(_sides(report))
    if sides:
        tables.append(_table(["twins", "side", "files", "this change, in units"], sides))
    return "\n\n".join(tables)


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are markdown already; a row says how many there was no room for."""
    lines = list(_fitting((row_markdown(row) for row in rows), ROOM_FOR_TABLE))
    if len(lines) < len(rows):
        lines.append(row_markdown([f"and {len(rows) - len(lines)} more", *[""] * (len(names) - 1)]))
    return "\n".join([row_markdown(names), "|---" * len(names) + "|", *lines])


def _rules(report: Report) -> Iterator[Sequence[str]]:
    """A row for each rule; those of which there is nothing new share one where they say the same of the same twins."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for number, each in enumerate(results_of(report)):
        outcome = f"**{each.outcome}**" if each.outcome != "pass" and each.is_news else each.outcome
        twins = cell_code(each.twins) if each.twins is not None else ""
        alone = str(number) if each.is_news else ""
        rows.setdefault((twins, outcome, each.reason, alone), []).append(cell_code(each.rule))
    for (twins, outcome, reason, _), rules in rows.items():
        for start in range(0, len(rules), MOST_IN_ROW):
            yield ", ".join(rules[start : start + MOST_IN_ROW]), twins, outcome, reason


def _sides(report: Report) -> Iterator[Sequence[str]]:
    """What the change did to each side of the twins about which there is something to say."""
    found = {each.twins for each in report.findings}
    for twins in report.twins_checked:
        for number, (side, paths) in enumerate(twins.sides.items() if twins.id in found else ()):
            name = cell_code(twins.id) if number == 0 else ""
            yield name, cell_code(side), _files(paths), change_of(twins, side)


def _blocks(findings: Iterable[Finding], report: Report, view: View) -> Iterator[str]:
    """The findings; the first of each twins says why they are twins, the first of each rule why it is one."""
    of_twins = {each.id: ("Why they are twins", each.why) for each in report.twins_checked}
    of_rules = {(each.id, each.twins): ("Why this rule", each.why) for each in report.rules_checked}
    for finding in findings:
        whys = [of_rules.pop((finding.rule, finding.twins or ""), ("", ""))]
        whys.append(of_twins.pop(finding.twins or "", ("", "")))
        yield finding_markdown(finding, {title: why for title, why in whys if why}, view)


def _files(paths: Sequence[str]) -> str:
    if not paths:
        return "none"
    return cell_code(paths[0]) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")


def _fitting(blocks: Iterable[str], room: int) -> Iterator[str]:
    """The first blocks, as many as there is room for."""
    for block in blocks:
        room -= len(block) + 2
        if room < 0:
            return
        yield block


def _hidden(blocking: int, all_in_all: int) -> Iterator[str]:
    if all_in_all:
        some = f", {blocking} of them blocking" if blocking else ""
        yield f"**{all_in_all} more finding{'s' * (all_in_all != 1)} did not fit here{some}**; the JSON report has them all."


def _smoke(report: Report) -> Iterator[str]:
    asked = (f"Asks for smoke job {code(each.job)}: {prose(each.reason)}" for each in report.smoke)
    yield from _fitting(asked, ROOM_FOR_SMOKE)
