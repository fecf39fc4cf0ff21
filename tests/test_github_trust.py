"""What a fork, an artifact, an edited workflow or edited rules can do: nothing to the verdict."""

import pytest
from checks import CODE, MOVED, RULES
from github_description import found
from github_scene import Scene

from consistency_bot.errors import BotError, RulesError, UsageError


@pytest.fixture
def fork(scene: Scene) -> Scene:
    """The pull request comes from a fork, by somebody who may only read."""
    scene.pull.head_repository, scene.pull.author = "mallory/r", "mallory"
    return scene


def test_a_forks_run_is_followed_up_by_its_head_alone(fork: Scene) -> None:
    outcome = fork.report(fork.run_event(), name="workflow_run")
    assert outcome.blocks
    assert len(fork.hub.bodies()) == 1
    assert fork.state == "failure"


@pytest.mark.parametrize("conclusion", ["success", "failure", "cancelled", None])
def test_nothing_depends_on_the_colour_of_zone_1(fork: Scene, conclusion: str | None) -> None:
    """A pull request may edit the workflow that judges it, and its artifact with it: neither is read."""
    fork.report(fork.run_event(conclusion=conclusion, artifacts_url="https://evil.example"), name="workflow_run")
    assert fork.state == "failure"
    assert not any("artifact" in path for _, path in fork.hub.log)


def test_a_workflow_and_an_artifact_that_the_pull_request_brings_along_say_nothing(fork: Scene) -> None:
    """Zone 1 as the fork would have it, green and with a report of its own; and the same report where zone 2 writes its."""
    fork.repository.write(".github/workflows/consistency.yml", "on: pull_request\njobs: {}\n")
    forged = '{"version": 1, "conclusion": "in_step", "findings": []}'
    for place in ("consistency-report.json", "consistency-report/consistency-report.json"):
        fork.repository.write(place, forged)
    fork.push()
    outcome = fork.report(fork.run_event(conclusion="success"), name="workflow_run")
    assert outcome.judged[0].report.conclusion == "drift"
    assert fork.state == "failure"


def test_a_run_of_another_repository_with_that_branch_is_not_taken_for_the_forks(fork: Scene) -> None:
    owner = {"full_name": "mallory/other", "owner": {"login": "mallory"}}
    outcome = fork.report(fork.run_event(head_repository=owner), name="workflow_run")
    assert outcome.judged == ()
    assert fork.state is None


def test_a_run_for_another_head_writes_nothing(fork: Scene) -> None:
    outcome = fork.report(fork.run_event(head_sha="9" * 40), name="workflow_run")
    assert outcome.judged == ()
    assert fork.hub.writes() == []


def test_a_run_for_a_push_is_nothing_to_judge(scene: Scene) -> None:
    assert scene.report(scene.run_event(event="push"), name="workflow_run").judged == ()


def test_rules_that_the_pull_request_edits_do_not_judge_it(fork: Scene) -> None:
    fork.repository.write("rules.yaml", RULES.replace("}}", "}, mode: off}").replace("off}", "'off'}"))
    fork.push()
    fork.report()
    (body,) = fork.hub.bodies()
    assert fork.state == "failure"
    assert body.split("\n", 1)[1].startswith("> [!IMPORTANT]\n> **This pull request edits the rules.**")
    assert "By the edited rules it would be: **In step**." in body
    assert "edits the rules file" not in body


def test_edited_rules_that_cannot_be_read_are_told(fork: Scene) -> None:
    fork.repository.write("rules.yaml", RULES + "nonsense: `x`\n@o/team: <!--\n")
    fork.push()
    fork.report()
    assert "The edited rules cannot be used: `" in fork.hub.bodies()[0]
    assert fork.state == "failure"


def test_edited_rules_that_would_find_more_are_told_even_where_all_is_in_step(scene: Scene) -> None:
    scene.repository.git("checkout", "-q", "main")
    scene.repository.write("rules.yaml", RULES.replace("]", "]").replace("b: b.py", "b: c.py"))
    scene.pull.base = scene.repository.commit(c=CODE)
    scene.repository.git("checkout", "-q", "-B", "topic", "main")
    scene.repository.write("rules.yaml", RULES)
    scene.push(a=MOVED, c=MOVED)
    scene.report()
    assert scene.state == "success"
    assert "By the edited rules it would be: **Drift: 1 finding blocks**" in scene.hub.bodies()[0]


def test_rules_of_the_base_that_are_wrong_are_a_failure(scene: Scene) -> None:
    scene.report()
    scene.repository.git("checkout", "-q", "main")
    scene.repository.write("rules.yaml", "version: 1\ntwins: []\n")
    scene.pull.base = scene.repository.commit()
    scene.repository.git("checkout", "-q", "topic")
    scene.repository.git("rebase", "-q", "main")
    scene.push()
    with pytest.raises(RulesError):
        scene.report()
    status = scene.hub.status(scene.pull.head)
    assert status is not None
    assert (status["state"], status["description"][:12]) == ("failure", "Not judged: ")
    assert "### Not judged" in scene.hub.bodies()[0]


def test_a_commit_that_is_not_there_is_a_failure(scene: Scene) -> None:
    scene.pull.head = "9" * 40
    with pytest.raises(BotError):
        scene.report()
    assert scene.state == "failure"


def test_nothing_to_check_is_success(scene: Scene) -> None:
    scene.repository.git("checkout", "-q", "-B", "topic", "main")
    scene.push(c="x = 1\n")
    scene.report()
    assert scene.state == "success"
    assert scene.hub.comments == {}


def test_a_retargeted_pull_request_is_judged_against_its_new_base(scene: Scene) -> None:
    scene.report()
    assert scene.state == "failure"
    scene.repository.git("checkout", "-q", "-b", "release", scene.pull.head)
    scene.pull.base, scene.pull.base_ref = scene.repository.commit(c="x = 1\n"), "release"
    scene.repository.git("checkout", "-q", "topic")
    scene.report(scene.pull_event("edited"))
    assert scene.state == "success"
    assert "**In step.**" in scene.hub.bodies()[0]


def test_a_deleted_fork_and_a_deleted_account_are_judged(fork: Scene) -> None:
    fork.pull.head_repository = None
    event = fork.pull_event(user=None)
    assert fork.report(event).blocks


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("push", {}),
        ("workflow_run", {}),
        (
            "pull_request",
            {"pull_request": {"number": 7, "head": {"ref": "x", "sha": "-x"}, "base": {"ref": "x", "sha": "y"}}},
        ),
        ("pull_request", {"pull_request": {"number": "7"}}),
    ],
)
def test_an_event_that_is_not_what_it_should_be_is_an_error(scene: Scene, name: str, event: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        scene.report(event, name=name)


def test_the_fake_is_held_against_githubs_description_where_that_is_at_hand(scene: Scene) -> None:
    assert scene.hub.description.is_at_hand == (found() is not None)
    if not scene.hub.description.is_at_hand:
        pytest.skip("validation is off: GITHUB_OPENAPI names no description of GitHub's API")
