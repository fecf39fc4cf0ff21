"""App mode: check runs with annotations and buttons, beside the comment and the status."""

from typing import Any

import pytest
from checks import CODE, MOVED
from fake_github import Account
from github_scene import WRITES, Scene

from consistency_bot.github.command import command
from consistency_bot.github.tasks import Outcome

APP = "consistency-bot"


def add_app(scene: Scene) -> None:
    scene.hub.add_token("app", Account(f"{APP}[bot]", "Bot", "write", {**WRITES, "checks": "write"}, is_app=True))


def press(scene: Scene, action: str, identifier: str = "", login: str = "alice", **changes: Any) -> Outcome:
    event = scene.check_event(action, identifier, login, **changes)
    return command(scene.given("check_run", event, token="app", app=APP))


def test_an_app_makes_a_check_run_with_both_places(scene: Scene) -> None:
    add_app(scene)
    scene.report(token="app", app=APP)
    (check,) = scene.hub.checks.values()
    assert (check["name"], check["head_sha"]) == ("consistency-bot findings", scene.pull.head)
    assert (check["status"], check["conclusion"]) == ("completed", "failure")
    told = [(each["path"], each["start_line"], each["annotation_level"]) for each in check["_annotations"]]
    assert told == [("a.py", 2, "failure"), ("b.py", 2, "notice")]
    assert len(scene.hub.bodies(f"{APP}[bot]")) == 1
    assert [each["label"] for each in check["actions"]] == ["Re-run", "Show port"]


def test_more_than_fifty_annotations_take_more_requests(scene: Scene) -> None:
    add_app(scene)
    functions = "".join(
        f"def f{number}(a):\n    if a > {number}:\n        raise ValueError(a)\n\n\n" for number in range(60)
    )
    scene.repository.git("checkout", "-q", "main")
    scene.pull.base = scene.repository.commit(a=functions, b=functions)
    scene.repository.git("checkout", "-q", "-B", "topic", "main")
    scene.push(a=functions.replace("a > ", "a >= "))
    scene.report(token="app", app=APP)
    (check,) = scene.hub.checks.values()
    assert len(check["_annotations"]) == 120
    assert (check["status"], check["conclusion"]) == ("completed", "failure")
    assert sum("check-runs" in path for _, path in scene.hub.log) == 3


def test_a_check_run_of_sides_in_step_is_green(scene: Scene) -> None:
    add_app(scene)
    scene.push(a=MOVED, b=MOVED)
    scene.report(token="app", app=APP)
    (check,) = scene.hub.checks.values()
    assert (check["conclusion"], check["_annotations"]) == ("success", [])


def test_without_an_app_there_is_no_check_run(scene: Scene) -> None:
    scene.push(a=CODE)
    scene.report()
    assert scene.hub.checks == {}


@pytest.mark.parametrize(("action", "identifier"), [("requested_action", "recheck"), ("rerequested", "")])
def test_the_button_judges_anew_and_so_does_githubs_own(scene: Scene, action: str, identifier: str) -> None:
    add_app(scene)
    scene.report(token="app", app=APP)
    name = scene.fingerprint()
    scene.hub.add_comment(7, "alice", f"/consistency ack {name} on purpose")
    outcome = press(scene, action, identifier)
    assert not outcome.blocks
    assert [check["conclusion"] for check in scene.hub.checks.values()] == ["failure", "success"]
    assert scene.state == "success"
    assert len(scene.hub.bodies(f"{APP}[bot]")) == 1


@pytest.mark.parametrize(
    ("action", "identifier", "changes"),
    [
        ("requested_action", "other", {}),
        ("requested_action", "", {}),
        ("created", "recheck", {}),
        ("requested_action", "recheck", {"name": "somebody else's"}),
        ("requested_action", "recheck", {"app": {"slug": "other"}}),
        ("requested_action", "recheck", {"app": None}),
    ],
)
def test_other_buttons_and_other_check_runs_are_passed_over(
    scene: Scene, action: str, identifier: str, changes: dict[str, Any]
) -> None:
    add_app(scene)
    press(scene, action, identifier, **changes)
    assert scene.hub.log == []


def test_the_button_is_for_writers_and_the_author(scene: Scene) -> None:
    add_app(scene)
    outcome = press(scene, "requested_action", "recheck", login="mallory")
    assert "refused" in outcome.notes[0]
    assert scene.hub.writes() == []
    scene.pull.author = "mallory"
    press(scene, "requested_action", "recheck", login="mallory")
    assert scene.state == "failure"


def test_a_button_on_an_older_commit_or_a_closed_pull_request_writes_nothing(scene: Scene) -> None:
    add_app(scene)
    old = scene.check_event("requested_action", "recheck")
    scene.pull.commits = (scene.pull.head,)
    scene.push(a=MOVED + "\n\nx = 1\n")
    command(scene.given("check_run", old, token="app", app=APP))
    scene.pull.state = "closed"
    press(scene, "requested_action", "recheck")
    assert scene.hub.writes() == []
