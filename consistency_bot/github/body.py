"""What the one comment says below its marker: the report, and what only a pull request has."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from consistency_bot.acknowledgements import valid_fingerprints
from consistency_bot.github.consent import COMMAND
from consistency_bot.github.marker import Seen
from consistency_bot.github.owners import owners_of
from consistency_bot.github.smoke import Known, told
from consistency_bot.model import Finding, NotTaken, Report
from consistency_bot.report.inert import code, fenced, prose
from consistency_bot.report.markdown import BUDGET, markdown_within
from consistency_bot.report.results import headline, pressing
from consistency_bot.report.view import View
from consistency_bot.visible import visible

ROOM_FOR_ENDS = 14_000
"""Characters for everything that stands around the report; each list in it is cut to fit."""

ROOM_FOR_LIST = 4_000
LONGEST_REASON = 200
MOST_LISTED = 5
MOST_TO_COPY = 5


class Around(msgspec.Struct, frozen=True):
    """What stands around a report in the comment.

    `edited` is what the pull request's own rules would say: a report, the sentence why they say nothing, or None where
    it does not edit them. `owners` is the text of CODEOWNERS. `proposed` is what the pull request itself acknowledges and
    its author may not; `untaken` is all else that does not count. `smoke` are the jobs
    that the change asks for.
    """

    seen: tuple[Seen, ...] = ()
    proposed: tuple[NotTaken, ...] = ()
    untaken: tuple[NotTaken, ...] = ()
    edited: Report | str | None = None
    owners: str = ""
    smoke: tuple[Known, ...] = ()


def comment_text(report: Report, view: View, around: Around) -> str:
    """The text, at most 60,000 characters, with a line end at its end."""
    above = "\n".join(_edited(around.edited))
    if around.edited is not None:  # which is told above, with what it would do
        report = replace(report, rules=replace(report.rules, changed_by_head=False))
    below = [*_to_copy(report), *_other_owners(report, around.owners), *_proposed(around), *_untaken(around.untaken)]
    below += [*told(around.smoke, report.head), *_history(around.seen)]
    report = replace(report, smoke=())  # told with what is known of them
    budget = BUDGET - len(above) - sum(len(part) + 2 for part in below)
    assert budget >= BUDGET - ROOM_FOR_ENDS
    body = markdown_within(report, view, budget).rstrip("\n")
    return "\n\n".join([*([above] if above else []), body, *below]) + "\n"


def _edited(edited: Report | str | None) -> Iterator[str]:
    if edited is None:
        return
    yield "> [!IMPORTANT]\n> **This pull request edits the rules.** It is judged by the rules of the base commit."
    if isinstance(edited, str):
        yield f"> The edited rules cannot be used: {code(edited)}"
    else:
        yield f"> By the edited rules it would be: **{headline(edited)}**."


def _to_copy(report: Report) -> Iterator[str]:
    asked = {each.fingerprint for each in pressing(report)}
    names = [each for each in valid_fingerprints(report) if each in asked][:MOST_TO_COPY]
    if not names:
        return
    lines = [visible(f"{COMMAND} ack {each} because …") for each in names]
    which = "this line" if len(names) == 1 else "one of these lines"
    yield f"**If it differs on purpose**, begin a comment with {which} and your reason; it takes write access:"
    yield fenced(lines, "text")


def _other_owners(report: Report, owners: str) -> Iterator[str]:
    """Who to ask about the other side, in code, which notifies nobody."""
    others = (each.counterpart for each in pressing(report) if _has_another_side(each))
    paths = dict.fromkeys(place.path for place in others if place is not None)
    told: dict[str, list[str]] = {}
    for path in list(paths)[:MOST_LISTED]:
        names = ", ".join(code(name) for name in owners_of(path, owners)[:4])
        if names:
            told.setdefault(names, []).append(code(path))
    said = "; ".join(f"{', '.join(those)} ({names})" for names, those in told.items())
    if said and len(said) <= ROOM_FOR_LIST:
        yield f"Owners of the other side: {said}"


def _has_another_side(finding: Finding) -> bool:
    """Whether its two places are on two sides; a rule may point to two lines of one."""
    changed, other = finding.changed, finding.counterpart
    return other is not None and (changed is None or changed.side != other.side)


def _proposed(around: Around) -> Iterator[str]:
    said = [f"- {_said(each)}" for each in around.proposed]
    if said:
        yield (
            "**Proposed, not accepted**: acknowledgements that this pull request brings itself. Its author may not write"
            " here; somebody who may can give them in a comment:"
        )
        yield _cut(said)


def _untaken(untaken: Sequence[NotTaken]) -> Iterator[str]:
    said = [f"- {_said(each)}, because {each.why}" for each in untaken]
    if said:
        yield "**Acknowledgements that do not count**:"
        yield _cut(said)


def _said(each: NotTaken) -> str:
    by = f" by {code(each.by)}" if each.by else ""
    at = f" at {code(f'{each.path}:{each.line}')}" if each.path is not None else ""
    reason = f": {_reason(each.reason)}" if each.reason else ""
    return f"{code(each.finding)} ({each.source}{by}{at}{reason})"


def _history(seen: Sequence[Seen]) -> Iterator[str]:
    if len(seen) > 1:
        told = ", ".join(f"{code(commit)} {conclusion.replace('_', ' ')}" for commit, conclusion in seen)
        yield f"<sub>Checked so far: {told}</sub>"


def _cut(lines: Sequence[str]) -> str:
    """As many lines as there is room for: a hostile one may be long once it is inert."""
    shown: list[str] = []
    for line in lines:
        if sum(map(len, shown)) + len(line) > ROOM_FOR_LIST:
            shown.append(f"- and {len(lines) - len(shown)} more")
            break
        shown.append(line)
    return "\n".join(shown)


def _reason(text: str) -> str:
    return prose(text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…")
