"""The one comment: made once, edited in place, never by an older run, never where something is unknown."""

import threading

import pytest
from checks import CODE, MOVED, RULES
from fake_github import Account, Fault
from github_scene import BOT, Scene

from consistency_bot.errors import GitHubError
from consistency_bot.github.client import Client
from consistency_bot.github.marker import Marker, read_marker
from consistency_bot.github.sticky import write_comment


def test_a_pull_request_that_drifts_gets_a_comment_and_a_red_status(scene: Scene) -> None:
    outcome = scene.report()
    (body,) = scene.hub.bodies()
    assert outcome.blocks
    assert body.startswith(f"<!-- consistency-bot:v1 head={scene.pull.head} run=1.1 ")
    assert "### Drift: 1 finding blocks" in body
    assert f"/consistency ack {scene.fingerprint()} " in body
    assert f"https://github.com/o/r/blob/{scene.pull.head}/a.py#L2" in body
    assert scene.state == "failure"
    status = scene.hub.status(scene.pull.head)
    assert status is not None
    assert status["description"] == "Drift: 1 finding blocks (1 missed)"


def test_eight_pushes_leave_one_comment_with_their_history(scene: Scene) -> None:
    for number in range(8):
        scene.push(a=MOVED.replace("limit < 9", f"limit < {number + 10}"))
        scene.report()
    (body,) = scene.hub.bodies()
    assert f"head={scene.pull.head}" in body
    history = body.rpartition("Checked so far: ")[2]
    assert history.count("drift") == 8


def test_nothing_is_written_where_all_was_in_step_from_the_start(scene: Scene) -> None:
    scene.push(a=CODE, b=CODE)
    scene.report()
    assert scene.hub.bodies() == []
    assert scene.state == "success"


def test_a_comment_collapses_to_one_line_once_the_sides_are_in_step(scene: Scene) -> None:
    scene.report()
    scene.push(b=MOVED)
    scene.report()
    (body,) = scene.hub.bodies()
    _marker, verdict, *rest = [line for line in body.splitlines() if line]
    assert verdict.startswith("**In step.** Checked ")
    assert [line for line in rest if not line.startswith("<sub>Checked so far: ")] == []
    assert scene.state == "success"


def test_the_comment_is_found_beyond_the_first_page(scene: Scene) -> None:
    for number in range(230):
        scene.hub.add_comment(7, "alice", f"chat {number}")
    scene.report()
    scene.push(a=MOVED + "\n\nx = 1\n")
    scene.report()
    assert len(scene.hub.bodies()) == 1


def test_a_marker_that_somebody_else_writes_is_not_ours(scene: Scene) -> None:
    fake = f"{Marker(scene.pull.head, 99, 1)}all good!"
    mine = scene.hub.add_comment(7, "mallory", fake)
    scene.hub.add_token("other", Account("other[bot]", "Bot"))
    scene.hub.add_comment(7, "other[bot]", fake)
    scene.report()
    assert mine["body"] == fake
    assert len(scene.hub.bodies()) == 1
    assert scene.hub.bodies("other[bot]") == [fake]


def test_a_marker_that_is_not_at_the_beginning_is_none(scene: Scene) -> None:
    scene.hub.add_comment(7, BOT, f"quoted: {Marker(scene.pull.head, 99, 1)}all good!")
    scene.report()
    assert len(scene.hub.bodies()) == 2


def test_two_runs_that_create_at_once_heal_to_one_comment(scene: Scene) -> None:
    """Both have listed before either has written: the barrier makes sure."""
    barrier = threading.Barrier(2)
    head = scene.pull.head

    class Late(Client):
        def create_comment(self, number: int, body: str) -> int:
            barrier.wait(5)
            return super().create_comment(number, body)

    def write(run: int) -> None:
        hub = Late(scene.hub.address, "o/r", "bot", pause=0)
        write_comment(hub, 7, BOT, Marker(head, run, 1), f"text {run}\n", may_create=True)

    threads = [threading.Thread(target=write, args=(run,)) for run in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (body,) = scene.hub.bodies()
    assert body == f"{Marker(head, 2, 1)}text 2\n" or body == f"{Marker(head, 1, 1)}text 1\n"
    scene.report()
    assert len(scene.hub.bodies()) == 1


def test_comments_of_ours_that_an_interrupted_run_left_heal_to_the_oldest(scene: Scene) -> None:
    first, _ = (scene.hub.add_comment(7, BOT, f"{Marker(scene.pull.head, 0, 1)}text {n}\n") for n in range(2))
    scene.report()
    assert [body for body in scene.hub.bodies() if "### Drift" in body] == [first["body"]]
    assert len(scene.hub.bodies()) == 1


def test_a_run_for_an_old_head_does_not_overwrite(scene: Scene) -> None:
    old = scene.pull_event()
    scene.push(a=MOVED + "\n\nx = 1\n")
    scene.report()
    before = scene.hub.bodies()
    outcome = scene.report(old)
    assert scene.hub.bodies() == before
    assert "newer commit" in " ".join(outcome.notes)
    assert not outcome.blocks


def test_a_head_that_moves_while_a_run_judges_is_not_overwritten(scene: Scene) -> None:
    given = scene.given("pull_request", scene.pull_event())
    head = scene.pull.head

    def move() -> None:
        scene.pull.head = "9" * 40

    scene.hub.faults.append(Fault("GET .*/comments$", before=move))
    from consistency_bot.github import tasks

    tasks.report(given)
    assert scene.hub.bodies() == []
    assert scene.hub.status(head) is not None


def test_an_older_run_never_overwrites_a_newer_one(scene: Scene) -> None:
    scene.report(run=50)
    before = scene.hub.bodies()
    scene.hub.add_comment(7, "alice", f"/consistency ack {scene.fingerprint()} on purpose")
    scene.report(run=49)
    assert scene.hub.bodies() == before
    scene.report(run=51)
    assert scene.hub.bodies() != before


def test_the_same_text_is_not_written_again(scene: Scene) -> None:
    scene.report()
    written = len([verb for verb, _ in scene.hub.writes() if verb in ("POST", "PATCH")])
    scene.report()
    again = [(verb, path) for verb, path in scene.hub.writes()[written:] if "statuses" not in path]
    assert again == []


def posts(scene: Scene) -> int:
    """How often a comment was asked for."""
    return sum(verb == "POST" and path.endswith("/comments") for verb, path in scene.hub.log)


def test_a_server_error_after_the_comment_was_stored_makes_no_second_one(scene: Scene) -> None:
    """Not even for a moment: whoever watches the pull request would be told of both."""
    scene.hub.faults.append(Fault("POST .*/comments$", after_commit=True))
    scene.report()
    assert len(scene.hub.bodies()) == 1
    assert posts(scene) == 1


def test_a_server_error_before_the_comment_was_stored_is_made_good(scene: Scene) -> None:
    scene.hub.faults.append(Fault("POST .*/comments$"))
    scene.report()
    assert len(scene.hub.bodies()) == 1
    assert posts(scene) == 2


@pytest.mark.parametrize("after_commit", [False, True])
def test_a_server_error_does_not_cost_the_status(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, after_commit: bool
) -> None:
    monkeypatch.setattr("consistency_bot.github.client.sleep", lambda _: None)
    scene.hub.faults.append(Fault("POST .*/statuses/", after_commit=after_commit))
    scene.report()
    assert scene.state == "failure"


def test_the_status_is_written_even_where_the_comment_cannot_be(scene: Scene) -> None:
    scene.hub.faults.append(Fault("POST .*/comments$", 500, times=99))
    with pytest.raises(GitHubError):
        scene.report()
    assert scene.state == "failure"


def test_a_comment_that_a_person_deletes_at_once_is_no_error(scene: Scene) -> None:
    scene.report()
    scene.hub.comments.clear()
    scene.report()
    assert len(scene.hub.bodies()) == 1


def test_a_secondary_limit_is_waited_for_as_github_asks(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("consistency_bot.github.client.sleep", waits.append)
    limit = "You have exceeded a secondary rate limit"
    scene.hub.faults.append(Fault("POST .*/comments$", 403, headers={"Retry-After": "7"}, message=limit))
    scene.report()
    assert waits == [7.0]
    assert len(scene.hub.bodies()) == 1


def test_a_limit_that_takes_too_long_fails_with_a_sentence(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consistency_bot.github.client.sleep", lambda _: pytest.fail("it must not wait"))
    scene.hub.faults.append(Fault("GET .*/pulls/7$", 403, headers={"Retry-After": "4000"}, message="rate limit"))
    with pytest.raises(GitHubError, match="used up for 4000 seconds"):
        scene.report()


def test_a_server_that_fails_once_is_asked_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consistency_bot.github.client.sleep", lambda _: None)
    scene.hub.faults.append(Fault("GET ", 502, times=2))
    assert scene.report().blocks


def test_nothing_is_posted_where_nobody_knows_who_we_are(scene: Scene) -> None:
    scene.hub.faults.append(Fault("POST /graphql", 403, times=99))
    outcome = scene.report()
    assert scene.hub.comments == {}
    assert any("not known which bot" in note for note in outcome.notes)
    assert scene.state == "failure"
    scene.report(login=BOT)
    assert len(scene.hub.bodies()) == 1


def test_a_persons_token_posts_nothing(scene: Scene) -> None:
    scene.hub.add_token("person", Account("alice", "User", "write", {"pull_requests": "write", "statuses": "write"}))
    scene.report(token="person")
    assert scene.hub.comments == {}


def test_a_token_without_rights_changes_nothing_about_the_verdict(scene: Scene) -> None:
    outcome = scene.report(token="reader")
    assert outcome.blocks
    assert scene.hub.comments == {}
    assert scene.hub.statuses == []
    assert sum("this token may not" in note for note in outcome.notes) == 2
    assert outcome.judged[0].text == scene.report(token="").judged[0].text


def test_a_label_follows_the_verdict_and_leaves_other_labels_alone(scene: Scene) -> None:
    scene.hub.labels[7] = {"bug", "twins: mine"}
    scene.report(label="twins")
    assert scene.hub.labels[7] == {"bug", "twins: mine", "twins: drift"}
    written = len(scene.hub.writes())
    scene.report(label="twins")
    assert not any("labels" in path for _, path in scene.hub.writes()[written:])
    scene.hub.add_comment(7, "alice", f"/consistency ack {scene.fingerprint()} on purpose")
    scene.report(label="twins")
    assert scene.hub.labels[7] == {"bug", "twins: mine", "twins: acknowledged"}
    scene.push(a="def send(:\n")
    scene.report(label="twins")
    assert scene.hub.labels[7] == {"bug", "twins: mine", "twins: unknown"}
    scene.push(a=MOVED, b=MOVED)
    scene.report(label="twins")
    assert scene.hub.labels[7] == {"bug", "twins: mine"}


def test_a_late_run_does_not_label_what_a_newer_commit_is(scene: Scene) -> None:
    given = scene.given("pull_request", scene.pull_event(), label="twins")

    def move() -> None:
        scene.pull.head = "9" * 40

    scene.hub.faults.append(Fault("POST .*/comments$", before=move))
    from consistency_bot.github import tasks

    notes = tasks.report(given).notes
    assert "label: not written: the pull request has a newer commit, whose own run labels it" in notes
    assert not scene.hub.labels.get(7)


def test_drift_that_only_warns_is_shown_and_labelled_too(scene: Scene) -> None:
    scene.repository.git("checkout", "-q", "main")
    scene.repository.write("rules.yaml", RULES.replace("}}", "}, mode: warn}"))
    scene.pull.base = scene.repository.commit()
    scene.repository.git("checkout", "-q", "-B", "topic", "main")
    for number in range(2):
        scene.push(a=MOVED + f"\n# {number}\n")
        scene.report(label="twins")
    assert scene.state == "success"
    assert scene.hub.labels[7] == {"twins: drift"}
    (body,) = scene.hub.bodies()
    assert "### Drift, but nothing blocks" in body
    assert "\n#### missed: guard in `send`" in body.partition("<details>")[0]
    assert f"/consistency ack {scene.fingerprint()} " in body
    assert body.rpartition("Checked so far: ")[2].count(" drift") == 2


def test_owners_of_the_other_side_are_named_and_not_notified(scene: Scene) -> None:
    scene.repository.git("checkout", "-q", "main")
    scene.repository.write("CODEOWNERS", "* @o/all\nb.py @o/team @zoe\n")
    scene.pull.base = scene.repository.commit()
    scene.repository.git("checkout", "-q", "topic")
    scene.repository.git("merge", "-q", "main")
    scene.push()
    scene.report()
    assert "Owners of the other side: `b.py` (`@o/team`, `@zoe`)" in scene.hub.bodies()[0]


def test_a_marker_is_read_as_it_was_written() -> None:
    marker = Marker("a" * 40, 12, 3, (("abc1234", "drift"), ("def5678", "in_step")))
    assert read_marker(f"{marker}text") == marker
    assert read_marker("text") is None
