"""App mode: check runs with annotations, beside the comment and the status."""

from checks import CODE, MOVED
from fake_github import Account
from github_scene import WRITES, Scene

APP = "consistency-bot"


def add_app(scene: Scene) -> None:
    scene.hub.add_token("app", Account(f"{APP}[bot]", "Bot", "write", {**WRITES, "checks": "write"}, is_app=True))


def test_an_app_makes_a_check_run_with_both_places(scene: Scene) -> None:
    add_app(scene)
    scene.report(token="app", app=APP)
    (check,) = scene.hub.checks.values()
    assert (check["name"], check["head_sha"]) == ("consistency-bot findings", scene.pull.head)
    assert (check["status"], check["conclusion"]) == ("completed", "failure")
    told = [(each["path"], each["start_line"], each["annotation_level"]) for each in check["_annotations"]]
    assert told == [("a.py", 2, "failure"), ("b.py", 2, "notice")]
    assert len(scene.hub.bodies(f"{APP}[bot]")) == 1


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
