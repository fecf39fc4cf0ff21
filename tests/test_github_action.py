"""The action and the workflows: run without a runner, by `act` where that is installed, and read by their linters."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from composite import read_outputs, run_action
from fake_github import Account
from github_description import ROOT, Json
from github_scene import BOT, WRITES, Scene

from consistency_bot.cli.options import parse
from repositories import Repository

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEMPLATE = ROOT / "examples" / "workflows"
TEMPLATES = sorted(TEMPLATE.glob("*.yml"))
SCRIPTS = Path(sysconfig.get_path("scripts"))
PINNED = "OWNER/consistency-bot@0123456789abcdef0123456789abcdef01234567"


def program(name: str) -> str:
    """A linter's or runner's path; the test is skipped where it is not installed (CI installs them all)."""
    found = shutil.which(name, path=f"{SCRIPTS}:{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH on which this very consistency-bot is installed."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "consistency-bot"
    lines = (f"#!{sys.executable} -I", "import sys", f"sys.path.insert(0, {str(ROOT)!r})")
    script.write_text("\n".join([*lines, "from consistency_bot.cli import main", "sys.exit(main())", ""]))
    script.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.fixture
def clone(scene: Scene, tmp_path: Path) -> Repository:
    """What actions/checkout leaves: one commit of the pull request, and a remote that has the rest."""
    scene.repository.git("config", "uploadpack.allowFilter", "true")
    scene.repository.git("update-ref", "refs/pull/7/head", scene.pull.head)
    scene.repository.git("checkout", "-q", "main")
    return scene.repository.clone(tmp_path / "clone", "--depth=1")


def environment(scene: Scene, path: str, tmp_path: Path, name: str, event: Json) -> dict[str, str]:
    file = tmp_path / f"{name}.json"
    file.write_text(json.dumps(event))
    job = {"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(file), "GITHUB_REPOSITORY": "o/r", "PATH": path}
    git = {key: value for key, value in os.environ.items() if key.startswith("GIT_CONFIG_")}
    return {**git, **job, "GITHUB_RUN_ID": "1", "GITHUB_API_URL": scene.hub.address}


def test_the_inputs_are_the_options_of_the_command_line() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    options = vars(parse(["github", "report"]))
    own = {"command", "task"}
    assert action["inputs"].keys() - {"task", "token", "login", "app"} == {
        name.replace("_", "-") for name in options.keys() - own
    }
    assert list(action["outputs"]) == ["conclusion", "findings", "report", "smoke-matrix", "base", "head"]


def test_the_action_computes_without_a_token(scene: Scene, clone: Repository, path: str, tmp_path: Path) -> None:
    job = environment(scene, path, tmp_path, "pull_request", scene.pull_event())
    ran = run_action(ROOT, {}, job, clone.folder, tmp_path)
    assert not ran.succeeded
    assert (ran.outputs["conclusion"], ran.outputs["findings"]) == ("drift", "1")
    assert json.loads(Path(ran.outputs["report"]).read_text())["conclusion"] == "drift"
    assert json.loads(ran.outputs["smoke-matrix"]) == {"include": []}
    assert ran.summary.startswith("### Drift: 1 finding blocks")
    assert "::error file=a.py" in ran.log
    assert scene.hub.log == []
    assert run_action(ROOT, {"fail-on": "never"}, job, clone.folder, tmp_path).succeeded


def test_the_action_writes_with_a_token(scene: Scene, clone: Repository, path: str, tmp_path: Path) -> None:
    job = environment(scene, path, tmp_path, "workflow_run", scene.run_event())
    ran = run_action(ROOT, {"token": "bot", "label": "twins"}, job, clone.folder, tmp_path)
    assert len(scene.hub.bodies()) == 1
    assert scene.state == "failure"
    assert scene.hub.labels[7] == {"twins: drift"}
    assert "::add-mask::" in ran.log


def test_the_whole_way_without_any_runner(scene: Scene, clone: Repository, path: str, tmp_path: Path) -> None:
    """Pull request, report, comment, acknowledgement, green: with the inputs that the templates give."""

    def runs(template: str, name: str, event: Json) -> None:
        (steps,) = [job["steps"] for job in yaml.safe_load((TEMPLATE / template).read_text())["jobs"].values()]
        (inputs,) = [step.get("with", {}) for step in steps if step["uses"] == PINNED]
        job = environment(scene, path, tmp_path, name, event)
        folder = tmp_path / template
        folder.mkdir()
        given = {key: value.replace("${{ github.token }}", "bot") for key, value in inputs.items()}
        ran = run_action(ROOT, given, job, clone.folder, folder)
        assert ran.succeeded, ran.log

    runs("consistency.yml", "pull_request", scene.pull_event("opened"))
    assert scene.hub.log == []
    runs("consistency-report.yml", "workflow_run", scene.run_event())
    assert scene.state == "failure"
    (body,) = scene.hub.bodies()
    (line,) = [line for line in body.splitlines() if line.startswith("/consistency ack ")]
    comment = scene.hub.add_comment(7, "alice", line.replace("because …", "because v1 has no limit"))
    runs("consistency-commands.yml", "issue_comment", scene.comment_event(comment))
    assert scene.state == "success"
    assert len(scene.hub.bodies()) == 1


def test_a_hostile_event_is_never_run(scene: Scene, clone: Repository, path: str, tmp_path: Path) -> None:
    hostile = "$(touch owned)`touch owned`';touch owned;'\"\n::error::owned"
    scene.pull.branch = scene.pull.body = hostile
    event = scene.pull_event()
    event["pull_request"]["title"] = hostile
    job = environment(scene, path, tmp_path, "pull_request", event)
    ran = run_action(ROOT, {"fail-on": "never"}, job, clone.folder, tmp_path)
    assert ran.succeeded, ran.log
    assert not list(tmp_path.rglob("owned"))
    assert not any(line.startswith("::error::owned") for line in ran.log.splitlines())


@pytest.mark.parametrize("hostile", ["$(touch owned)", "`touch owned`", "'; touch owned; '", "--help", "a\nb"])
def test_an_inputs_text_is_never_run(scene: Scene, clone: Repository, path: str, tmp_path: Path, hostile: str) -> None:
    job = environment(scene, path, tmp_path, "pull_request", scene.pull_event())
    inputs = dict.fromkeys(("label", "login", "output"), hostile)
    run_action(ROOT, inputs, job, clone.folder, tmp_path)
    assert not list(tmp_path.rglob("owned"))


def test_files_of_the_pull_request_are_not_python_that_runs(
    scene: Scene, clone: Repository, path: str, tmp_path: Path
) -> None:
    for name in ("venv", "json", "github", "msgspec", "sitecustomize", "pip"):
        clone.write(f"{name}.py", "open('owned', 'w')\n")
    job = environment(scene, path, tmp_path, "pull_request", scene.pull_event())
    ran = run_action(ROOT, {"token": "bot", "fail-on": "never"}, job, clone.folder, tmp_path)
    assert ran.succeeded, ran.log
    assert not list(tmp_path.rglob("owned"))


def test_outputs_are_read_as_a_runner_reads_them() -> None:
    assert read_outputs("a=b=c\nd<<end\ne\nf=g\nend\n") == {"a": "b=c", "d": "e\nf=g"}


class Act:
    """A job runner in host mode: workflow files on a real engine, with stubs for the actions of others."""

    def __init__(self, scene: Scene, clone: Repository, path: str, folder: Path) -> None:
        self._program = program("act")
        self._scene, self._clone, self._path, self._folder = scene, clone, path, folder
        self.store = folder / "artifacts"
        # What the action reads of itself, and no more: act copies the folder for every step.
        self.action = folder / "action"
        for file in ("action.yml", "consistency_bot/__init__.py", ".github/workflows/consistency.yml"):
            (self.action / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.action / file)
        self._stubs = {PINNED: self.action}
        for used in sorted({step["uses"] for file in (*TEMPLATES, *WORKFLOWS) for step in _foreign(file)}):
            name = used.partition("@")[0].rpartition("/")[2]
            run = {
                "download-artifact": f'mkdir -p "$INPUT_PATH" && cp "{self.store}"/* "$INPUT_PATH/"',
                "upload-artifact": f'mkdir -p "{self.store}" && cp "$INPUT_PATH" "{self.store}/"',
                # Where it checks this very repository out, act leaves it out and copies the clone itself.
                "checkout": f'if [ -n "$INPUT_PATH" ]; then cp -r "{self.action}/." "$INPUT_PATH"; else cp -r "{clone}/." .; fi',
            }[name]
            self._stubs[used] = _stub(folder / name, run)
        scene.hub.add_token("ghs_act", Account(BOT, "Bot", "write", dict(WRITES)))

    def run(self, template: str, name: str, event: Json, status: int = 0) -> None:
        """One event; fails the test where the workflow ends otherwise: 0 is green, 1 is red."""
        file = self._folder / f"{name}.json"
        file.write_text(json.dumps(event | {"repository": {"full_name": "o/r", "name": "r", "owner": {"login": "o"}}}))
        options = ["-C", str(self._clone.folder), "-W", str(ROOT / "examples/workflows" / template), "-e", str(file)]
        options += ["-P", "ubuntu-latest=-self-hosted", "--action-offline-mode", "--no-cache-server"]
        for used, folder in self._stubs.items():
            options += ["--local-repository", f"{used}={folder}"]
        options += ["-s", "GITHUB_TOKEN=ghs_act", "--env", f"GITHUB_API_URL={self._scene.hub.address}"]
        options += ["--env", "GITHUB_REPOSITORY=o/r"]
        env = {"PATH": self._path, "HOME": str(self._folder)}
        env |= {name: value for name, value in os.environ.items() if name.startswith("GIT_")}
        command = [self._program, name, *options]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == status, done.stdout + done.stderr


def _foreign(file: Path) -> Iterator[Json]:
    """The steps of a workflow of ours that use somebody else's action, but for those of our own CI."""
    for job in yaml.safe_load(file.read_text())["jobs"].values() if file.name != "ci.yml" else ():
        yield from (step for step in job.get("steps", ()) if step.get("uses", "").startswith("actions/"))


def _stub(folder: Path, run: str) -> Path:
    names = ("name", "path", "if-no-files-found", "retention-days", "ref", "repository", "persist-credentials")
    inputs = {name: {"description": "x"} for name in (*names, "fetch-depth")}
    step = {"shell": "bash", "env": {"INPUT_PATH": "${{ inputs.path }}"}, "run": run}
    action = {"name": "stub", "description": "x", "inputs": inputs, "runs": {"using": "composite", "steps": [step]}}
    folder.mkdir()
    (folder / "action.yml").write_text(yaml.safe_dump(action))
    return folder


def test_the_whole_way_through_the_templates_by_act(scene: Scene, clone: Repository, path: str, tmp_path: Path) -> None:
    """Pull request, artifact, report, comment, acknowledgement, green: the files that users copy, on a real engine."""
    act = Act(scene, clone, path, tmp_path)
    act.run("consistency.yml", "pull_request", scene.pull_event("opened"))
    report = json.loads((act.store / "consistency-report.json").read_text())
    assert report["conclusion"] == "drift"
    assert scene.hub.writes() == []
    act.run("consistency-report.yml", "workflow_run", scene.run_event())
    assert len(scene.hub.bodies()) == 1
    assert [status["state"] for _, status in scene.hub.statuses] == ["failure"]
    comment = scene.hub.add_comment(7, "alice", f"/consistency ack {report['findings'][0]['fingerprint']} on purpose")
    act.run("consistency-commands.yml", "issue_comment", scene.comment_event(comment))
    assert [status["state"] for _, status in scene.hub.statuses] == ["failure", "success"]
    assert len(scene.hub.bodies()) == 1
    act.run("consistency-in-one.yml", "pull_request", scene.pull_event("reopened"))
    assert len(scene.hub.bodies()) == 1


def test_the_two_workflows_of_a_repository_without_forks_are_enough_by_act(
    scene: Scene, clone: Repository, path: str, tmp_path: Path
) -> None:
    act = Act(scene, clone, path, tmp_path)
    act.run("consistency-in-one.yml", "pull_request", scene.pull_event("opened"), status=1)
    (body,) = scene.hub.bodies()
    assert scene.state == "failure"
    (line,) = [line for line in body.splitlines() if line.startswith("/consistency ack ")]
    comment = scene.hub.add_comment(7, "bob", line.replace("because …", "because v1 has no limit"))
    act.run("consistency-commands.yml", "issue_comment", scene.comment_event(comment))
    assert scene.state == "success"
    act.run("consistency-in-one.yml", "pull_request", scene.pull_event("reopened"))
    assert len(scene.hub.bodies()) == 1


def test_zone_1_can_be_called_from_the_actions_own_repository_by_act(
    scene: Scene, clone: Repository, path: str, tmp_path: Path
) -> None:
    act = Act(scene, clone, path, tmp_path)
    act.run("consistency-called.yml", "pull_request", scene.pull_event("opened"))
    assert json.loads((act.store / "consistency-report.json").read_text())["conclusion"] == "drift"
    assert scene.hub.log == []


@pytest.mark.parametrize(
    "command",
    [
        ("actionlint", "{workflows}"),
        ("zizmor", "--offline", "--no-progress", "--quiet", "{workflows}", "action.yml"),
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows", "{workflows}"),
        ("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"),
    ],
    ids=lambda command: " ".join(command[:3]),
)
def test_linters_have_nothing_to_say(command: tuple[str, ...]) -> None:
    name, *arguments = command
    files = [str(file) for file in (*WORKFLOWS, *TEMPLATES)]
    spelt = [part for each in arguments for part in (files if each == "{workflows}" else [each])]
    done = subprocess.run([program(name), *spelt], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_template_is_this_repositorys_own_workflow_but_for_the_action() -> None:
    for template in TEMPLATES:
        own = ROOT / ".github" / "workflows" / template.name
        if own.exists():
            text = re.sub(r"  workflow_call:\n(?:    .*\n)+", "", own.read_text())
            # Its own action is the base's, in a folder of its own where the workflow is called from elsewhere.
            text = re.sub(
                r"      - uses: actions/checkout@\S+ # \S+\n        with:\n          repository: (?:.*\n){4}", "", text
            )
            lines = [line for line in text.splitlines() if "# The base's files" not in line and " ref: " not in line]
            told = template.read_text().splitlines()
            assert [line for line in told if PINNED not in line and " ref: " not in line] == [
                line for line in lines if not any(word in line for word in ("uses: ./", "TOOL: ./"))
            ]


def test_the_page_about_github_names_every_template_and_every_command() -> None:
    page = (ROOT / "docs" / "github.md").read_text()
    assert [template.name for template in TEMPLATES if f"`{template.name}`" not in page] == []
    assert [word for word in ("ack", "port", "recheck", "smoke", "help") if f"`/consistency {word}" not in page] == []


def test_no_workflow_has_more_rights_than_it_needs_or_a_filter_that_would_leave_a_required_status_out() -> None:
    for file in (*WORKFLOWS, *TEMPLATES):
        workflow = yaml.safe_load(file.read_text())
        events = workflow[True]  # YAML 1.1 reads `on` as true
        if file.name.startswith("consistency"):
            assert workflow["permissions"] == {}
            assert not any({"paths", "branches", "paths-ignore"} & (each or {}).keys() for each in events.values())
        if file.name == "consistency.yml":
            assert workflow["jobs"]["consistency"]["permissions"] == {"contents": "read"}
            assert "token:" not in file.read_text()
        if file.name == "smoke.yml":
            _rights_of_smoke(workflow)


def _rights_of_smoke(workflow: Json) -> None:
    """The job that executes a pull request's code may read alone; those that may write never check it out."""
    assert workflow["permissions"] == {}
    run = workflow["jobs"].pop("run")
    assert run["permissions"] == {"contents": "read"}
    assert "token" not in str(run["steps"])
    assert "smoke-forks" in run["environment"]
    for job in workflow["jobs"].values():
        assert not any("ref" in step.get("with", {}) for step in job["steps"])
        assert not any("run" in step for step in job["steps"])
