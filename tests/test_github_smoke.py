"""Smoke jobs on GitHub: what the comment and the statuses say of them, and how one is started."""

import json
from pathlib import Path

import pytest
from checks import RULES
from fake_github import Account
from github_scene import Scene

from consistency_bot.cli import github as github_cli
from consistency_bot.errors import UsageError
from consistency_bot.github import tasks
from consistency_bot.github.smoke import Result
from consistency_bot.planned import matrix
from consistency_bot.smoke.cells import Cell
from consistency_bot.smoke.results import JobRun, write_run

JOBS = """\
smoke:
  tp2-sp: {probe: {name: tp-sp}, gpus: 2, runs_on: [self-hosted, gpu], when: {paths: a.py}}
  labelled: {command: make, when: {label: gpu}}
"""
WITH_JOBS = RULES + JOBS


@pytest.fixture
def jobs(scene: Scene) -> Scene:
    """The base's rules have smoke jobs, one of which the pull request asks for."""
    scene.repository.git("checkout", "-q", "main")
    scene.repository.write("rules.yaml", WITH_JOBS)
    scene.base = scene.pull.base = scene.repository.commit()
    scene.repository.git("checkout", "-q", "topic")
    scene.repository.git("rebase", "-q", "main")
    scene.pull.head = scene.repository.git("rev-parse", "HEAD").strip()
    permissions = {"pull_requests": "write", "statuses": "write", "actions": "write"}
    scene.hub.add_token("bot", Account("github-actions[bot]", "Bot", "write", permissions))
    return scene


def state_of(scene: Scene, context: str = "consistency-bot/smoke") -> tuple[str, str] | None:
    found = [each for of, each in scene.hub.statuses if of == scene.pull.head and each["context"] == context]
    return (found[-1]["state"], found[-1]["description"]) if found else None


def told(scene: Scene, *results: Result) -> str:
    """`github smoke` with these results; the comment's text after it."""
    given = scene.given("workflow_run", scene.run_event(), results=results)
    tasks.smoke(given)
    (body,) = scene.hub.bodies()
    return body


def test_the_comment_lists_the_jobs_with_the_line_that_starts_them(jobs: Scene) -> None:
    jobs.report()
    (body,) = jobs.hub.bodies()
    assert "- `tp2-sp` (when: a.py changed): not run yet" in body
    assert f"/consistency smoke tp2-sp {jobs.pull.head}" in body
    assert body.count("tp2-sp") == 2
    assert state_of(jobs) == ("pending", "Not run yet: tp2-sp")
    assert jobs.state == "failure"  # that is about drift, and stands alone


def test_a_label_asks_for_the_job_that_waits_for_it(jobs: Scene) -> None:
    jobs.pull.labels = ("gpu", "bug")
    jobs.report()
    assert state_of(jobs) == ("pending", "Not run yet: tp2-sp, labelled")


def test_a_change_that_asks_for_nothing_may_pass_a_required_status(jobs: Scene) -> None:
    jobs.repository.git("reset", "-q", "--hard", "main")
    jobs.push(c="pass\n")
    jobs.report()
    assert state_of(jobs) == ("success", "The change asks for no smoke job")


def test_rules_without_jobs_make_no_status_and_ask_for_none(scene: Scene) -> None:
    scene.report()
    assert state_of(scene) is None
    assert not any("statuses" in path for verb, path in scene.hub.log if verb == "GET")


def test_results_are_statuses_and_stand_in_the_one_comment(jobs: Scene) -> None:
    jobs.report()
    body = told(jobs, Result("tp2-sp", "success", "passed: 72 pass, 2 unsupported"))
    assert "- `tp2-sp` (when: a.py changed): passed, passed: 72 pass, 2 unsupported ([run](https://" in body
    assert "/consistency smoke" not in body
    assert state_of(jobs, "consistency-bot/smoke/tp2-sp") == ("success", "passed: 72 pass, 2 unsupported")
    assert state_of(jobs) == ("success", "Passed: tp2-sp")


def test_results_are_still_there_after_the_next_run_of_ours(jobs: Scene) -> None:
    told(jobs, Result("tp2-sp", "failure", "failed: 1 fail"))
    jobs.report()
    (body,) = jobs.hub.bodies()
    assert "**failed**, failed: 1 fail" in body
    assert state_of(jobs) == ("failure", "Failed: tp2-sp")


def test_results_of_jobs_that_the_rules_do_not_have_are_left_out(jobs: Scene) -> None:
    body = told(jobs, Result("forged", "success", "passed"), Result("tp2-sp", "error", "not run"))
    assert "forged" not in body
    assert state_of(jobs, "consistency-bot/smoke/forged") is None


def test_who_may_write_starts_a_job_for_the_head(jobs: Scene) -> None:
    outcome = jobs.comment("alice", f"/consistency smoke tp2-sp {jobs.pull.head}")
    assert outcome.notes == ("smoke job: started",)
    inputs = {"pull": "7", "sha": jobs.pull.head, "job": "tp2-sp"}
    assert jobs.hub.started == [("smoke.yml", {"ref": "main", "inputs": inputs})]
    assert jobs.hub.reactions[-1][1] == "+1"


@pytest.mark.parametrize("login", ["mallory", "tim"])
def test_others_start_nothing_and_the_author_neither(jobs: Scene, login: str) -> None:
    jobs.pull.author = login
    jobs.comment(login, f"/consistency smoke tp2-sp {jobs.pull.head}")
    assert jobs.hub.started == []
    assert jobs.hub.reactions[-1][1] == "-1"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("smoke tp2-sp", "it takes the job's name and the full commit id"),
        ("smoke tp2-sp 0123456", "it takes the job's name and the full commit id"),
        (f"smoke tp2-sp {'9' * 40}", "`999999999999` is not the head any more"),
        ("smoke `x`@evil HEAD", "have no smoke job"),
    ],
)
def test_what_cannot_be_started_is_answered_in_one_line(jobs: Scene, said: str, answer: str) -> None:
    jobs.comment("alice", f"/consistency {said.replace('HEAD', jobs.pull.head)}")
    assert jobs.hub.started == []
    assert answer in jobs.hub.bodies()[-1]
    assert "There are: `tp2-sp`, `labelled`." in jobs.hub.bodies()[-1] or "evil" not in said


def dispatched(scene: Scene, **inputs: str) -> tasks.Given:
    return scene.given("workflow_dispatch", {"inputs": {"pull": "7", "sha": scene.pull.head, **inputs}})


def test_a_run_that_was_started_by_hand_is_about_the_commit_that_was_named(jobs: Scene) -> None:
    given = dispatched(jobs, job="labelled")
    outcome = tasks.status(given)
    found = json.loads(matrix(github_cli._to_run(outcome, given.event)))
    assert [each["job"] for each in found["include"]] == ["labelled"]
    assert tasks.status(dispatched(jobs, sha="9" * 40)).judged == ()


def test_a_run_by_hand_without_a_pull_request_is_refused(jobs: Scene) -> None:
    with pytest.raises(UsageError, match="number of a pull request"):
        tasks.status(dispatched(jobs, pull="x"))


def test_the_matrix_has_the_jobs_with_their_runners(jobs: Scene) -> None:
    given = jobs.given("pull_request", jobs.pull_event(), "")
    (entry,) = json.loads(matrix(github_cli._to_run(tasks.status(given), given.event)))["include"]
    assert (entry["job"], entry["runs_on"], entry["gpus"]) == ("tp2-sp", ["self-hosted", "gpu"], 2)
    assert entry["reason"] == "when: a.py changed"


def test_results_files_become_results_and_a_broken_one_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "smoke-tp2-sp"
    folder.mkdir()
    cell = Cell(name="a", settings={}, outcome="ok", status="pass", note="@everyone ::error::")
    write_run(str(folder / "tp2-sp.jsonl"), JobRun(job="tp2-sp", cells=(cell,), seconds=1.0))
    write_run(str(tmp_path / "own.jsonl"), JobRun(job="own", problem="@everyone"))
    (tmp_path / "broken.jsonl").write_text("{")
    assert github_cli._results(str(tmp_path)) == (
        Result("own", "error", "not run: no cell"),
        Result("tp2-sp", "success", "passed: 1 pass"),
    )
    assert github_cli._results("") == ()


def test_a_jobs_results_speak_for_no_other_job(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = Cell(name="a", settings={}, outcome="ok", status="pass")
    for path in ("smoke-own/tp2-sp.jsonl", "smoke-own/own.jsonl", "smoke-own/smoke-tp2-sp/tp2-sp.jsonl", "x.jsonl"):
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        write_run(str(tmp_path / path), JobRun(job="tp2-sp", cells=(cell,)))
    write_run(str(tmp_path / "y\n::error::y.jsonl"), JobRun(job="z\n::error::z", cells=(cell,)))
    assert github_cli._results(str(tmp_path)) == ()
    said = capsys.readouterr().err
    assert said.count("left out") == 5
    assert not any(line.lstrip().startswith("::") for line in said.splitlines())
