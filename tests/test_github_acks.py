"""Acknowledgements: whose count, when they lapse, and how they are answered."""

import pytest
from checks import CODE, MOVED
from fake_github import Pull
from github_scene import BOT, Scene

OTHER = MOVED.replace("limit < 9", "limit < 10")


def test_a_writers_acknowledgement_turns_the_status_green(scene: Scene) -> None:
    name = scene.fingerprint()
    scene.report()
    assert scene.state == "failure"
    outcome = scene.comment("bob", f"/consistency ack {name[:8]} v1 has no limit\nMore words.")
    assert scene.state == "success"
    status = scene.hub.status(scene.pull.head)
    assert status is not None
    assert status["description"] == "In step but for 1 acknowledged"
    assert not outcome.blocks
    (body,) = scene.hub.bodies()
    assert "In step but for 1 acknowledged" in body
    assert "**Acknowledged** by `bob` in a comment: v1 has no limit" in body
    assert [content for _, content in scene.hub.reactions] == ["+1"]
    waived = outcome.judged[0].report.findings[0].waived
    assert waived is not None
    assert (waived.source, waived.by, waived.would_block) == ("comment", "bob", True)


@pytest.mark.parametrize("login", ["mallory", "tim"])
def test_a_readers_acknowledgement_is_refused(scene: Scene, login: str) -> None:
    scene.comment(login, f"/consistency ack {scene.fingerprint()} trust me")
    assert scene.state == "failure"
    assert [content for _, content in scene.hub.reactions] == ["-1"]
    (untaken,) = scene.report(token="bot").judged[0].report.acknowledgements_not_taken
    assert (untaken.source, untaken.by, untaken.reason) == ("comment", login, "trust me")
    assert f"by `{login}`: trust me), because who wrote it may not write to this repository" in scene.hub.bodies()[0]


def test_an_acknowledgement_lapses_when_what_is_said_changes(scene: Scene) -> None:
    scene.comment("alice", f"/consistency ack {scene.fingerprint()} on purpose")
    assert scene.state == "success"
    scene.push(a=OTHER)
    scene.report()
    assert scene.state == "failure"
    assert "no finding has that fingerprint now" in scene.hub.bodies()[0]


def test_an_acknowledgement_survives_a_rebase(scene: Scene) -> None:
    scene.comment("alice", f"/consistency ack {scene.fingerprint()} on purpose")
    scene.repository.git("checkout", "-q", "main")
    scene.pull.base = scene.repository.commit(a="import os\n\n\n" + CODE, c="x = 1\n")
    scene.repository.git("checkout", "-q", "topic")
    scene.repository.git("rebase", "-q", "main")
    scene.push()
    scene.report()
    assert scene.state == "success"


def test_a_deleted_acknowledgement_is_withdrawn(scene: Scene) -> None:
    comment = scene.hub.add_comment(7, "alice", f"/consistency ack {scene.fingerprint()} on purpose")
    scene.report()
    assert scene.state == "success"
    del scene.hub.comments[comment["id"]]
    scene.report()
    assert scene.state == "failure"


def test_an_edited_comment_does_not_count_even_when_it_did_before(scene: Scene) -> None:
    said = f"/consistency ack {scene.fingerprint()} on purpose"
    comment = scene.hub.add_comment(7, "alice", said)
    scene.report()
    assert scene.state == "success"
    scene.hub.edit(comment, said)
    scene.report()
    assert scene.state == "failure"
    assert "it was edited after it was written" in scene.hub.bodies()[0]


def test_an_unknown_fingerprint_is_answered_with_the_valid_ones_once(scene: Scene) -> None:
    comment = scene.hub.add_comment(7, "alice", "/consistency ack deadbeef on purpose")
    scene.command(comment)
    scene.command(comment)
    (answer,) = [body for body in scene.hub.bodies() if "answer=" in body]
    assert answer.splitlines()[1:] == [
        f"No finding begins with `deadbeef`, or several do. There are: `{scene.fingerprint()}`."
    ]
    assert scene.state == "failure"


@pytest.mark.parametrize("said", ["", " ", " 12345678", " 1234567 too short", " nothex00 reason", " 12345678 ..."])
def test_an_acknowledgement_takes_a_fingerprint_and_a_reason(scene: Scene, said: str) -> None:
    scene.comment("alice", f"/consistency ack{said}")
    assert scene.state == "failure"
    assert any("it takes a fingerprint and a reason" in body for body in scene.hub.bodies())


def test_only_the_first_line_is_a_command(scene: Scene) -> None:
    scene.comment("alice", f"> quoted\n/consistency ack {scene.fingerprint()} on purpose")
    assert scene.hub.log == []
    scene.report()
    assert scene.state == "failure"


def test_bots_edits_and_issues_are_passed_over(scene: Scene) -> None:
    said = f"/consistency ack {scene.fingerprint()} on purpose"
    scene.comment(BOT, said)
    comment = scene.hub.add_comment(7, "alice", said)
    scene.command(comment, "edited")
    scene.hub.edit(comment, said)
    scene.command(comment)
    assert scene.hub.log == []


def test_a_writing_authors_trailer_counts_and_a_readers_is_shown(scene: Scene) -> None:
    name = scene.fingerprint()
    scene.repository.git("commit", "-q", "--allow-empty", "-m", f"x\n\nConsistency-Ack: {name} a has a limit")
    scene.pull.head = scene.repository.git("rev-parse", "HEAD")
    scene.report()
    assert scene.state == "success"
    scene.pull.author = "mallory"
    scene.report()
    assert scene.state == "failure"
    assert "**Proposed, not accepted**" in scene.hub.bodies()[0]
    assert f"- `{name}` (trailer by `mallory`: a has a limit)\n" in scene.hub.bodies()[0]


def test_a_trailer_counts_by_the_pull_requests_author_not_by_the_commits(scene: Scene) -> None:
    scene.pull.author = "mallory"
    message = f"x\n\nConsistency-Ack: {scene.fingerprint()} ok"
    scene.repository.git("commit", "-q", "--allow-empty", "--author", "alice <alice@example.com>", "-m", message)
    scene.pull.head = scene.repository.git("rev-parse", "HEAD")
    scene.report()
    assert scene.state == "failure"


def test_the_text_of_a_pull_request_counts_for_its_author(scene: Scene) -> None:
    scene.pull.body = f"Fixes it.\r\n\r\nConsistency-Ack: {scene.fingerprint()} a has a limit\r\n"
    scene.report()
    assert scene.state == "success"
    scene.pull.author = "mallory"
    scene.report()
    assert scene.state == "failure"


def test_a_waiver_that_a_reader_brings_in_the_code_is_proposed(scene: Scene) -> None:
    waived = MOVED.replace("    if", "    # consistency: differs(bodies) a has a limit\n    if", 1)
    scene.push(a=waived)
    scene.report()
    assert scene.state == "success"
    scene.pull.author = "mallory"
    scene.report()
    assert scene.state == "failure"
    assert "**Proposed, not accepted**" in scene.hub.bodies()[0]
    assert "(code at `a.py:2`: a has a limit)\n" in scene.hub.bodies()[0]
    (untaken,) = scene.report().judged[0].report.acknowledgements_not_taken
    assert (untaken.source, untaken.path, untaken.line, untaken.reason) == ("code", "a.py", 2, "a has a limit")
    assert untaken.why == "who wrote it may not write to this repository"


@pytest.mark.parametrize("author", ["mallory", "alice"])
def test_what_a_forks_pull_request_acknowledges_itself_is_proposed_unless_its_author_may_write(
    scene: Scene, author: str
) -> None:
    """All three ways at once: a trailer, the pull request's text, a comment in the code."""
    scene.pull.head_repository, scene.pull.author = f"{author}/r", author
    waived = MOVED.replace("send", "other").replace("    if", "    # consistency: differs(bodies) code\n    if", 1)
    scene.push(a=f"{MOVED}\n\n{waived}", b=f"{CODE}\n\n{CODE.replace('send', 'other')}")
    first = next(each for each in scene.report(token="").judged[0].report.findings if each.waived is None)
    name = first.fingerprint
    scene.pull.body = f"Consistency-Ack: {name} text"
    scene.repository.git("commit", "-q", "--allow-empty", "-m", f"x\n\nConsistency-Ack: {name} trailer")
    scene.pull.head = scene.repository.git("rev-parse", "HEAD")
    report = scene.report(scene.run_event(), name="workflow_run").judged[0].report
    if author == "alice":
        assert scene.state == "success"
        return
    assert scene.state == "failure"
    assert {(each.source, each.reason) for each in report.acknowledgements_not_taken} == {
        ("trailer", "trailer"),
        ("comment", "text"),
        ("code", "code"),
    }
    (body,) = scene.hub.bodies()
    proposed = body.partition("**Proposed, not accepted**")[2]
    assert all(word in proposed for word in (": trailer)", ": text)", ": code)"))


def test_help_is_one_line(scene: Scene) -> None:
    scene.comment("mallory", "/consistency help")
    scene.comment("mallory", "/consistency")
    assert [len(body.splitlines()) for body in scene.hub.bodies()] == [2, 2]


def test_recheck_is_for_writers_and_the_author(scene: Scene) -> None:
    scene.comment("mallory", "/consistency recheck")
    assert scene.hub.statuses == []
    scene.comment("alice", "/consistency recheck")
    assert scene.state == "failure"
    scene.pull.author = "mallory"
    scene.hub.statuses.clear()
    scene.comment("mallory", "/consistency recheck")
    assert scene.state == "failure"


def queue(scene: Scene, *pulls: tuple[int, str], subject: str = "A change (#{})") -> dict[str, object]:
    """A group in which each pull request's branch was squashed onto the one before, and its event."""
    scene.repository.git("checkout", "-q", "-B", "queue", "main")
    base = scene.repository.git("rev-parse", "HEAD")
    for number, branch in pulls:
        scene.repository.git("merge", "-q", "--squash", branch)
        scene.repository.git("commit", "-q", "-m", subject.format(number))
    head = scene.repository.git("rev-parse", "HEAD")
    ref = f"refs/heads/gh-readonly-queue/main/pr-{pulls[-1][0]}-{base}"
    return {"action": "checks_requested", "merge_group": {"base_sha": base, "head_sha": head, "head_ref": ref}}


def second_pull(scene: Scene) -> None:
    scene.repository.git("checkout", "-q", "-b", "second", "main")
    head = scene.repository.commit(c="x = 1\n")
    scene.hub.add_pull(Pull(8, head, scene.base, author="bob", branch="second"))


def test_a_merge_queue_honours_what_its_pull_requests_acknowledge(scene: Scene) -> None:
    name = scene.fingerprint()
    second_pull(scene)
    event = queue(scene, (7, "topic"), (8, "second"))
    outcome = scene.report(event, name="merge_group")
    assert outcome.blocks
    scene.hub.add_comment(7, "alice", f"/consistency ack {name} on purpose")
    outcome = scene.report(event, name="merge_group")
    assert not outcome.blocks
    assert scene.hub.bodies() == []
    group = event["merge_group"]
    assert isinstance(group, dict)
    status = scene.hub.status(group["head_sha"])
    assert status is not None
    assert status["state"] == "success"


def test_a_merge_queue_is_judged_after_zone_1_too(scene: Scene) -> None:
    event = queue(scene, (7, "topic"))
    group = event["merge_group"]
    assert isinstance(group, dict)
    branch = group["head_ref"].removeprefix("refs/heads/")
    run = scene.run_event(event="merge_group", head_sha=group["head_sha"], head_branch=branch)
    assert scene.report(run, name="workflow_run").blocks
    assert scene.hub.status(group["head_sha"]) is not None


def test_a_waiver_in_a_merge_queue_counts_if_all_its_authors_may_write(scene: Scene) -> None:
    scene.push(a=MOVED.replace("    if", "    # consistency: differs(bodies) a has a limit\n    if", 1))
    second_pull(scene)
    event = queue(scene, (7, "topic"), (8, "second"))
    assert not scene.report(event, name="merge_group").blocks
    scene.hub.pulls[8].author = "mallory"
    assert scene.report(event, name="merge_group").blocks


def test_a_waiver_in_a_merge_queue_whose_commits_name_nobody_does_not_count(scene: Scene) -> None:
    """Then nobody can tell who brings it: the queue's branch names the last pull request alone, here alice's."""
    scene.push(a=MOVED.replace("    if", "    # consistency: differs(bodies) a has a limit\n    if", 1))
    second_pull(scene)
    event = queue(scene, (8, "second"), (7, "topic"), subject="A change")
    assert scene.report(event, name="merge_group").blocks
    assert not scene.report(queue(scene, (8, "second"), (7, "topic")), name="merge_group").blocks
    assert not scene.report(queue(scene, (7, "topic"), subject="A change"), name="merge_group").blocks
