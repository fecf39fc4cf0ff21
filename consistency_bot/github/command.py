"""The command `github command`: what people ask for in a comment, or by a button.

`/consistency ack | recheck | port | smoke | help`.
"""

import re
from collections.abc import Sequence

from consistency_bot.acknowledgements import read_acknowledgement, valid_fingerprints
from consistency_bot.github.answers import Comment, PullRequest, User
from consistency_bot.github.check_run import BUTTONS, NAME, PORT, RECHECK
from consistency_bot.github.consent import COMMAND, first_line
from consistency_bot.github.event import CheckRun
from consistency_bot.github.judging import jobs_of
from consistency_bot.github.ported import ported
from consistency_bot.github.smoke import start
from consistency_bot.github.sticky import is_ours
from consistency_bot.github.subject import Subject, subjects_of
from consistency_bot.github.tasks import Given, Hub, Outcome, identity_of, judged_as_said, report, report_on
from consistency_bot.model import Report
from consistency_bot.report.inert import code

_ASKED = re.compile(rf"{COMMAND}(?:[ \t]+(\S+))?(.*)")
MOST_NAMED = 20
NOT_ALLOWED = Outcome((), ("refused: it takes write access",), blocks=False)

HELP = (
    f"`{COMMAND} ack FINGERPRINT reason` says that a difference is meant (eight digits are enough; takes write access);"
    f" `{COMMAND} recheck` judges anew; `{COMMAND} port` answers with the other side's edits, or with that of one"
    f" FINGERPRINT; `{COMMAND} smoke JOB SHA` runs a smoke job (takes write access); a deleted acknowledgement is withdrawn."
)


def command(given: Given) -> Outcome:
    """Do what the comment asks, and answer by a reaction or by one line; `blocks` is never set.

    Nothing happens for an edited comment, a bot's, one under an issue, or one that asks for nothing. A button on a
    check run of ours is a command too.
    """
    event, hub = given.event, given.hub
    if hub is not None and event.check_run is not None:
        return _pressed(given, hub, event.check_run)
    comment, issue = event.comment, event.issue
    if hub is None or comment is None or issue is None or issue.pull_request is None or event.action != "created":
        return Outcome((), ("nothing to do: no new comment on a pull request, or no token",), blocks=False)
    found = _ASKED.fullmatch(first_line(comment))
    if found is None or comment.user is None or comment.user.type == "Bot" or comment.is_edited:
        return Outcome((), ("nothing to do: the comment asks for nothing",), blocks=False)
    if found[1] == "ack":
        return _acknowledged(given, hub, issue.number, comment, found[2])
    if found[1] == "smoke":
        return _started(given, hub, issue.number, comment, found[2])
    if found[1] in (RECHECK, PORT):
        return _asked(given, hub, comment, found)
    return Outcome((), (_answer(given, hub, issue.number, str(comment.id), HELP),), blocks=False)


def _asked(given: Given, hub: Hub, comment: Comment, said: re.Match[str]) -> Outcome:
    """`recheck`, or `port`."""
    outcome = _judged_anew(given, hub, said[1], comment.user, str(comment.id), said[2].strip())
    hub.react(comment.id, "-1" if outcome is NOT_ALLOWED else "+1")
    return outcome


def _judged_anew(given: Given, hub: Hub, asked: str, by: User | None, to: str, digits: str = "") -> Outcome:
    """`recheck`, or `port`, for who may ask for it; NOT_ALLOWED for others. `to` says what a port is the answer to."""
    subjects = subjects_of(given.surroundings.event, given.event, hub)
    if not all(_may_recheck(hub, each.pull, by) for each in subjects if each.pull is not None):
        return NOT_ALLOWED
    outcome = _ported(given, hub, subjects, to, digits) if asked == PORT else report_on(given, subjects)
    return Outcome(outcome.judged, outcome.notes, blocks=False)


def _ported(given: Given, hub: Hub, subjects: Sequence[Subject], to: str, digits: str) -> Outcome:
    """An answer with ports; nothing else is written, since nothing else has changed."""
    judged, notes = [], []
    for subject in subjects:
        if subject.pull is not None:
            judged.append(judged_as_said(given, subject, digits))
            notes.append(_answer(given, hub, subject.pull.number, to, ported(judged[-1].report, digits)))
    return Outcome(tuple(judged), tuple(notes), blocks=False)


def _started(given: Given, hub: Hub, number: int, comment: Comment, said: str) -> Outcome:
    """A smoke job executes the pull request's code: it takes write access, whoever the author is."""
    if comment.user is None or not hub.may_write(comment.user.login):
        hub.react(comment.id, "-1")
        return NOT_ALLOWED
    subjects = subjects_of(given.surroundings.event, given.event, hub)
    jobs = [job for each in subjects for job in jobs_of(given.clone, each)]
    refusal = start(hub, hub.pull(number), jobs, said)
    if refusal:
        return Outcome((), (_answer(given, hub, number, str(comment.id), refusal),), blocks=False)
    hub.react(comment.id, "+1")
    return Outcome((), ("smoke job: started",), blocks=False)


def _may_recheck(hub: Hub, pull: PullRequest, user: User | None) -> bool:
    """Those who may write may, and the pull request's author: it costs time of the repository's runners."""
    if user is None:
        return False
    return hub.may_write(user.login) or (pull.user is not None and pull.user.login == user.login)


def _pressed(given: Given, hub: Hub, check: CheckRun) -> Outcome:
    """What a button asks for, and GitHub's own "Re-run"; a new check run is made, and the newest is the one that counts."""
    event = given.event
    is_ours = check.name == NAME and check.app is not None and check.app.slug == given.surroundings.app
    asked = event.requested_action.identifier if event.requested_action is not None else ""
    if event.action == "rerequested":
        asked = RECHECK
    if not is_ours or event.action not in ("requested_action", "rerequested") or asked not in BUTTONS:
        return Outcome((), ("nothing to do: no button of ours was pressed",), blocks=False)
    return _judged_anew(given, hub, asked, event.sender, f"check-{check.id}")


def _acknowledged(given: Given, hub: Hub, number: int, comment: Comment, said: str) -> Outcome:
    outcome = report(given)
    login = comment.user.login if comment.user is not None else ""
    read = read_acknowledgement(said, "comment", login)
    reports = [each.report for each in outcome.judged]
    if read is None:
        told = f"Not taken: it takes a fingerprint and a reason. {_valid(reports)}"
        note = _answer(given, hub, number, str(comment.id), told)
    elif any(_is_taken(each, read.finding) for each in reports):
        hub.react(comment.id, "+1")
        note = "acknowledgement: taken"
    elif not hub.may_write(login):
        hub.react(comment.id, "-1")
        note = "acknowledgement: refused, it takes write access"
    else:
        told = f"No finding begins with {code(read.finding)}, or several do. {_valid(reports)}"
        note = _answer(given, hub, number, str(comment.id), told)
    return Outcome(outcome.judged, (*outcome.notes, note), blocks=False)


def _is_taken(report: Report, finding: str) -> bool:
    return any(each.fingerprint.startswith(finding) and each.waived is not None for each in report.findings)


def _valid(reports: list[Report]) -> str:
    names = list(dict.fromkeys(name for each in reports for name in valid_fingerprints(each)))
    if not names:
        return "There is nothing to acknowledge."
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"There are: {', '.join(code(name) for name in names[:MOST_NAMED])}{more}."


def _answer(given: Given, hub: Hub, number: int, to: str, text: str) -> str:
    """A comment of our own below the one that asked, once, however often the event comes. `to` says what is answered."""
    me = identity_of(given)
    mark = f"<!-- consistency-bot:v1 answer={to} -->\n"
    if not me:
        return "answer: not written: it is not known which bot this token is"
    if any(is_ours(each, me) and (each.body or "").startswith(mark) for each in hub.comments(number)):
        return "answer: it is there already"
    hub.create_comment(number, f"{mark}{text}")
    return "answer: written"
