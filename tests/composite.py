"""Runs the `run` steps of a composite action as a runner does, without one. What it does not know is an error."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
Context = dict[str, dict[str, Any]]


class Ran(msgspec.Struct):
    """What a runner has after an action: whether all steps succeeded, its outputs, its summary, all that was printed."""

    succeeded: bool
    outputs: dict[str, str]
    summary: str
    log: str


def run_action(folder: Path, inputs: dict[str, str], environ: dict[str, str], workspace: Path, temporary: Path) -> Ran:
    """Run the action in `folder`; `environ` is the job's environment, which has GITHUB_EVENT_NAME and the like."""
    action = yaml.safe_load((folder / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    assert inputs.keys() <= action["inputs"].keys()
    given = {name: inputs.get(name, str(value.get("default", ""))) for name, value in action["inputs"].items()}
    context: Context = {"inputs": given, "steps": {}}
    job = {"PATH": os.environ["PATH"], "HOME": str(temporary), "GITHUB_ACTIONS": "true", "RUNNER_TEMP": str(temporary)}
    job |= {"GITHUB_ACTION_PATH": str(folder), **environ}
    summary, log, succeeded = "", "", True
    for number, step in enumerate(action["runs"]["steps"]):
        assert step["shell"] == "bash"
        assert step.keys() <= {"id", "shell", "run", "env"}
        assert EXPRESSION.search(step["run"]) is None, "texts of anybody go to a shell by its environment alone"
        files = {name: temporary / f"{number}-{name}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        env = {
            name: EXPRESSION.sub(lambda found: _looked_up(found[1], context), str(value))
            for name, value in step.get("env", {}).items()
        }
        env = {**job, **env, **{name: str(file) for name, file in files.items()}}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=workspace, env=env, capture_output=True, text=True, check=False)
        log += done.stdout + done.stderr
        summary += files["GITHUB_STEP_SUMMARY"].read_text()
        context["steps"][step["id"]] = {"outputs": read_outputs(files["GITHUB_OUTPUT"].read_text())}
        if done.returncode:
            succeeded = False
            break
    outputs = {
        name: EXPRESSION.sub(lambda found: _looked_up(found[1], context), value["value"])
        for name, value in action["outputs"].items()
    }
    return Ran(succeeded, outputs, summary, log)


def read_outputs(text: str) -> dict[str, str]:
    """What a runner reads from a step's outputs: `name=value`, or `name<<end`, lines, and `end`."""
    found, lines = {}, text.splitlines()
    while lines:
        line = lines.pop(0)
        if "<<" not in line:
            name, _, value_of = line.partition("=")
            found[name] = value_of
            continue
        name, end = line.split("<<")
        value = []
        while (line := lines.pop(0)) != end:
            value.append(line)
        found[name] = "\n".join(value)
    return found


def _looked_up(expression: str, context: Context) -> str:
    value: Any = context
    for part in expression.split("."):
        value = value.get(part, "")
    return value if isinstance(value, str) else json.dumps(value)
