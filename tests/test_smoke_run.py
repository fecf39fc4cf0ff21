"""Running smoke jobs: what happens when cells fail, hang and die, and that no process is left, whatever happens."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import left_behind
from smoke_seen import Seen

from consistency_bot.cli import main
from consistency_bot.cli.progress import progress
from consistency_bot.errors import UsageError
from consistency_bot.jobs import Job
from consistency_bot.smoke import probing, running
from consistency_bot.smoke.cells import Cell
from consistency_bot.smoke.launchers import Launcher, read_launcher
from consistency_bot.smoke.results import JobRun, exit_status, read_run
from consistency_bot.smoke.running import run_jobs
from consistency_bot.smoke.setting import Setting
from consistency_bot.smoke.supervising import Limits, Watch
from repositories import Repository, isolate

ROOT = Path(__file__).parent.parent
FAKE = Path(__file__).parent / "fake_worker.py"
QUICK = Limits(job=60.0, start=5.0, cell=1.0, collective=0.5)
A, B, C = (f"tp1/{backend}/fp32" for backend in ("default", "MATH", "FLASH_ATTENTION"))
PROBE = Job(
    name="three",
    probe="tp-sp",
    options={
        "tp": 1,
        "sp": False,
        "activation_checkpointing": "none",
        "dtypes": "fp32",
        "backends": ("default", "MATH", "FLASH_ATTENTION"),
    },
)


@pytest.fixture(autouse=True)
def fake_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "worker_command", lambda order, ranks: [sys.executable, str(FAKE), order])
    monkeypatch.setattr(running, "has_torch", lambda: True)


def run(
    folder: Path,
    job: Job,
    plan: dict[str, str] | None = None,
    limits: Limits = QUICK,
    cells: tuple[str, ...] = (),
    watch: Watch | None = None,
) -> JobRun:
    """One job's run, with the worker playing the plan."""
    out = folder / "out"
    out.mkdir(exist_ok=True)
    (out / "plan.json").write_text(json.dumps(plan or {}))
    setting = Setting(
        repository=str(folder), commit="c", out=str(out), device="cpu", launcher=Launcher(), limits=limits, cells=cells
    )
    (found,) = run_jobs([job], setting, watch or Seen())
    assert read_run(str(out / f"{job.name}.jsonl")) == found
    return found


def statuses(found: JobRun) -> dict[str, str]:
    return {cell.name: cell.status for cell in found.cells}


def test_all_cells_of_a_probe_are_measured_in_one_go(tmp_path: Path) -> None:
    found = run(tmp_path, PROBE)
    assert statuses(found) == {A: "pass", B: "pass", C: "pass"}
    assert (found.outcome, found.problem, exit_status([found])) == ("passed", "", 0)
    assert found.machine is not None
    assert found.machine.host == "here"


def test_a_cell_that_dies_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    found = run(tmp_path, PROBE, {B: "die"})
    assert statuses(found) == {A: "pass", B: "crash", C: "pass"}
    died = found.cells[1]
    assert (died.outcome, died.confirmed, died.note) == ("", "crash", "the processes ended with status 137")
    assert died.settings["backend"] == "MATH"
    assert exit_status([found]) == 1


def test_a_cell_that_hangs_is_ended_and_says_where_it_was(tmp_path: Path) -> None:
    found = run(tmp_path, PROBE, {B: "hang"})
    assert statuses(found) == {A: "pass", B: "timeout", C: "pass"}
    assert [(each.rank, each.site) for each in found.cells[1].errors] == [(1, "model.py:7 in forward")]


def test_what_torchrun_names_as_the_cause_is_told_with_its_site(tmp_path: Path) -> None:
    found = run(tmp_path, PROBE, {C: "raise"})
    (error,) = found.cells[2].errors
    assert (error.type, error.message, error.site) == ("ValueError", "wrong shape", "a.py:7 in f")


def test_a_worker_that_is_out_of_step_is_started_again_for_the_rest(tmp_path: Path) -> None:
    found = run(tmp_path, PROBE, {A: "early"})
    assert statuses(found) == {A: "timeout", B: "pass", C: "pass"}


def test_a_failure_that_does_not_come_again_alone_is_flaky(tmp_path: Path) -> None:
    found = run(tmp_path, PROBE, {A: "once", C: "fail"})
    assert statuses(found) == {A: "flaky", B: "pass", C: "fail"}
    assert [cell.confirmed for cell in found.cells] == ["ok", "", "wrong-numerics"]
    assert exit_status([found]) == 1


def test_each_failure_is_told_as_such_once_and_its_cell_once_when_it_is_over(tmp_path: Path) -> None:
    seen = Seen()
    run(tmp_path, PROBE, {A: "once", B: "die", C: "fail"}, watch=seen)
    assert seen.failures == [(A, "fail"), (B, "crash"), (C, "fail")]
    assert seen.over == [(A, "flaky"), (B, "crash"), (C, "fail")]
    seen = Seen()
    run(tmp_path, Job(name="own", command="exit 1"), watch=seen)
    assert (seen.failures, seen.over) == ([("own", "fail")], [("own", "fail")])


def test_what_is_not_run_once_more_is_not_said_to_be(tmp_path: Path) -> None:
    seen = Seen()
    run(tmp_path, PROBE, {B: "fail"}, Limits(job=10.0, start=9.0, cell=9.0, collective=0.5), watch=seen)
    assert (seen.failures, seen.over) == ([], [(A, "pass"), (B, "fail"), (C, "pass")])


def test_a_line_says_that_a_second_run_follows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with progress() as watch:
        run(tmp_path, Job(name="own", command="echo why; exit 1"), watch=watch)
    assert capsys.readouterr().err == (
        "own: fail, run once more alone: own: error, expected ok (ended with status 1); last output: why\n"
        "own: fail        own: error, expected ok (ended with status 1); alone in fresh processes: error;"
        " last output: why\n"
    )


def test_a_probe_that_cannot_begin_was_not_run(tmp_path: Path) -> None:
    found = run(tmp_path, PROBE, {"start": "die"})
    assert found.cells == ()
    assert found.problem == "the processes ended with status 1 before any cell was measured\nno such device"
    assert (found.outcome, exit_status([found])) == ("not run", 5)


def test_a_probe_that_hangs_before_it_begins_is_given_up(tmp_path: Path) -> None:
    limits = Limits(job=60.0, start=0.5, cell=1.0, collective=0.5)
    found = run(tmp_path, PROBE, {"start": "hang"}, limits)
    assert found.problem.startswith("nothing happened for too long")


def test_cells_that_the_time_does_not_reach_are_told_as_such(tmp_path: Path) -> None:
    limits = Limits(job=2.0, start=5.0, cell=60.0, collective=0.5)
    found = run(tmp_path, PROBE, {B: "hang"}, limits)
    assert statuses(found) == {A: "pass", B: "timeout", C: "timeout"}
    assert [cell.note for cell in found.cells[1:]] == [
        "the job's time was over",
        "the job's time was over before its turn",
    ]


def test_one_cell_can_be_run_alone(tmp_path: Path) -> None:
    assert statuses(run(tmp_path, PROBE, cells=("*/MATH/*",))) == {B: "pass"}
    assert run(tmp_path, PROBE, cells=("nothing",)).problem == "the job three has no cell named nothing"


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], 5),
        (["pass"], 0),
        (["pass", "unsupported", "skipped-needs-gpu"], 0),
        (["unsupported", "skipped-needs-gpu"], 5),
        (["pass", "fail"], 1),
        (["pass", "flaky"], 1),
        (["timeout"], 1),
        (["crash"], 1),
    ],
)
def test_the_exit_status_says_whether_what_could_run_passed(outcomes: list[str], expected: int) -> None:
    cells = tuple(Cell(name=str(at), settings={}, outcome="", status=each) for at, each in enumerate(outcomes))  # type: ignore[arg-type]
    assert exit_status([JobRun(job="job", cells=cells)]) == expected


def test_a_job_that_could_not_be_run_outweighs_one_that_passed_and_not_one_that_failed() -> None:
    passed = JobRun(job="a", cells=(Cell(name="a", settings={}, outcome="ok", status="pass"),))
    failed = JobRun(job="b", cells=(Cell(name="b", settings={}, outcome="error", status="fail"),))
    not_run = JobRun(job="c", problem="no torch")
    only_elsewhere = JobRun(job="d", cells=(Cell(name="d", settings={}, outcome="", status="skipped-needs-gpu"),))
    assert exit_status([passed, not_run]) == 5
    assert exit_status([passed, only_elsewhere]) == 0
    assert exit_status([passed, failed, not_run]) == 1


def test_a_command_runs_once_for_each_configuration_and_finds_it_in_its_environment(tmp_path: Path) -> None:
    script = 'echo "$CONSISTENCY_BOT_TP$CONSISTENCY_BOT_SP$CONSISTENCY_BOT_JOB$CONSISTENCY_BOT_RANKS$MORE" >> seen'
    job = Job(name="own", command=script, parallel={"tp": (1, 2), "sp": True}, gpus=2, env={"MORE": "a b"})
    found = run(tmp_path, job)
    assert statuses(found) == {"tp1+sp": "pass", "tp2+sp": "pass"}
    assert (tmp_path / "seen").read_text() == "11own2a b\n21own2a b\n"


def test_a_command_is_not_told_the_secrets_of_a_runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "GITHUB_ENV", "ACTIONS_RUNTIME_TOKEN", "GH_TOKEN"):
        monkeypatch.setenv(name, "not-to-be-known")
    run(tmp_path, Job(name="own", command="env > seen"))
    assert "not-to-be-known" not in (tmp_path / "seen").read_text()


def test_a_command_that_fails_is_told_with_its_last_lines(tmp_path: Path) -> None:
    found = run(tmp_path, Job(name="own", command="seq 30; exit 3"))
    (cell,) = found.cells
    assert (cell.outcome, cell.status, cell.note, cell.confirmed) == ("error", "fail", "ended with status 3", "error")
    assert cell.errors[0].message == "\n".join(map(str, range(16, 31)))


def test_a_command_that_fails_once_is_flaky(tmp_path: Path) -> None:
    found = run(tmp_path, Job(name="own", command="test -e seen || { touch seen; exit 1; }"))
    assert statuses(found) == {"own": "flaky"}


def test_a_command_that_is_not_there_or_dies_is_told_as_what_it_is(tmp_path: Path) -> None:
    assert run(tmp_path, Job(name="own", command="no-such-command")).cells[0].note.endswith("there is no such command")
    assert statuses(run(tmp_path, Job(name="own", command="kill -9 $$"))) == {"own": "crash"}


def test_a_silent_command_has_the_whole_time_of_its_job(tmp_path: Path) -> None:
    limits = Limits(job=60.0, start=0.1, cell=0.1, collective=0.1)
    assert statuses(run(tmp_path, Job(name="own", command="sleep 0.5"), limits=limits)) == {"own": "pass"}


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    limits = Limits(job=0.5, start=1.0, cell=1.0, collective=0.1)
    found = run(tmp_path, Job(name="own", command="sleep 91.7531"), limits=limits)
    assert statuses(found) == {"own": "timeout"}
    assert left_behind("91.7531") == []


TOLD_TO_STOP = (
    '{"message": {"message": "SignalException: Process 7 got signal: 15", "extraInfo": {"py_callstack": ""}}}'
)


def test_a_command_that_takes_too_long_says_so_with_what_it_printed_before_it_was_told_to_stop(tmp_path: Path) -> None:
    script = """trap 'echo "$SAID" > "$TORCHELASTIC_ERROR_FILE"; echo got signal: 15; exit 1' TERM; echo step 7; sleep 91.7531"""
    limits = Limits(job=1.0, start=1.0, cell=1.0, collective=0.1)
    found = run(tmp_path, Job(name="own", command=script, minutes=3, env={"SAID": TOLD_TO_STOP}), limits=limits)
    (cell,) = found.cells
    assert cell.note == "ended after 0.0 minutes: the time of the job was over, its `minutes` are 3"
    assert [(each.type, each.message) for each in cell.errors] == [("Output", "step 7")]
    assert "got signal" in (tmp_path / "out/own.work/1.log").read_text()
    assert "SignalException" in (tmp_path / "out/own.work/1.error").read_text()


@pytest.mark.parametrize(
    "command",
    [
        "sleep 92.7531",
        "setsid sleep 92.7531 & sleep 0.1",
        "(setsid sleep 92.7531 &) ; sleep 0.1; exit 1",
        "trap '' TERM INT HUP; setsid sh -c 'trap \"\" TERM HUP; sleep 92.7531; sleep 92.7531' & sleep 92.7531",
    ],
    ids=["itself", "another session", "an orphan", "one that does not listen"],
)
def test_nothing_of_a_command_lives_on(tmp_path: Path, command: str) -> None:
    limits = Limits(job=1.0, start=1.0, cell=1.0, collective=0.1)
    run(tmp_path, Job(name="own", command=command), limits=limits)
    assert left_behind("92.7531") == []


def test_nothing_of_a_probe_lives_on(tmp_path: Path) -> None:
    run(tmp_path, PROBE, {A: "orphan", B: "die", C: "hang", "orphan": "93.7531"})
    assert left_behind("93.7531") == []


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    isolate(monkeypatch)
    made = Repository(tmp_path / "repository")
    made.write("rules.yaml", RULES)
    made.commit(a="pass\n")
    monkeypatch.chdir(made.folder)
    return made


RULES = """\
version: 1
twins: [{id: t, sides: {a: a.py, b: b.py}}]
smoke:
  good: {command: "true"}
  bad: {command: "echo '::error::forged'; false"}
  long: {command: "setsid sleep 94.7531 & sleep 94.7531"}
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_nothing_lives_on_however_a_run_is_ended(repository: Repository, number: signal.Signals) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "consistency_bot", "smoke", "run", "long", "--device", "cpu"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        began = repository.folder / "smoke-results" / "long.work" / "1.results"
        for _ in range(1200):  # a minute: machines are shared, and what is asked is whether it ends, not when
            if began.exists() and began.read_bytes():
                break
            time.sleep(0.05)
        time.sleep(0.2)
        started.send_signal(number)
        assert started.wait(60) == (
            -9 if number == signal.SIGKILL else 130 if number == signal.SIGINT else 128 + number
        )
    assert left_behind("94.7531") == []
    assert read_run("smoke-results/long.jsonl").problem == "it did not come to its end"


def test_the_command_line_runs_jobs_and_ends_as_they_do(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["smoke", "run", "good", "--device", "cpu"]) == 0
    assert "good: passed (1 pass)" in capsys.readouterr().out
    assert main(["smoke", "run", "bad", "good", "--device", "cpu"]) == 1
    shown = capsys.readouterr()
    assert "bad: failed (1 fail)" in shown.out
    assert not any(line.lstrip().startswith("::") for line in (shown.out + shown.err).splitlines())
    assert repository.git("status", "--porcelain") == ""


def test_a_job_that_is_not_there_is_a_mistake_of_the_command_line(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["smoke", "run", "goood"]) == 2
    assert "rules.yaml has no smoke job `goood`; there are: good, bad, long" in capsys.readouterr().err


def test_jobs_can_be_those_of_another_commit_while_the_code_is_what_is_checked_out(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("rules.yaml", RULES.replace('good: {command: "true"}', 'good: {command: "touch owned"}'))
    repository.commit(a="raise\n")
    assert main(["smoke", "run", "good", "--base", "main", "--device", "cpu"]) == 0
    assert not (repository.folder / "owned").exists()
    assert read_run("smoke-results/good.jsonl").commit == repository.git("rev-parse", "HEAD").strip()


def test_a_probe_without_torch_says_how_to_install_it(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(running, "has_torch", lambda: False)
    repository.write("rules.yaml", RULES + "  probe: {probe: {name: tp-sp}}\n")
    assert main(["smoke", "run", "probe", "--device", "cpu"]) == 5
    assert "pip install 'consistency-bot[smoke]'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (
            "srun -n1 --gpus={gpus} --time={minutes} {command}",
            ["srun", "-n1", "--gpus=2", "--time=7", "python", "-m", "a b"],
        ),
        ("ray job submit -- {command}", ["ray", "job", "submit", "--", "python", "-m", "a b"]),
        ("ssh box 'cd /x; {command}'", ["ssh", "box", "cd /x; python -m 'a b'"]),
        ("run --name={job}-{ranks} {other} {command}", ["run", "--name=own-4", "{other}", "python", "-m", "a b"]),
    ],
)
def test_a_launchers_template_is_filled_in(template: str, expected: list[str]) -> None:
    from consistency_bot.smoke.launchers import launched

    job = Job(name="own", gpus=2, minutes=7)
    assert launched(read_launcher(template), ["python", "-m", "a b"], job, "cuda", 4) == expected


def test_no_gpu_is_asked_for_on_a_cpu() -> None:
    from consistency_bot.smoke.launchers import launched

    job = Job(name="own", gpus=2)
    assert launched(read_launcher("srun --gpus={gpus} {command}"), ["x"], job, "cpu", 2) == ["srun", "--gpus=0", "x"]


@pytest.mark.parametrize("template", ["srun -n1", "srun 'x", "", "{gpus}"])
def test_a_launcher_without_a_place_for_the_command_is_refused(template: str, repository: Repository) -> None:
    assert main(["smoke", "run", "good", "--launcher", template]) == 2


def test_a_launcher_starts_the_command_and_its_exit_status_passes_through(repository: Repository) -> None:
    arguments = ["--device", "cpu", "--launcher", "env LAUNCHED={job} {command}"]
    repository.write("rules.yaml", RULES.replace('"true"', '"test $LAUNCHED = good"'))
    assert main(["smoke", "run", "good", *arguments]) == 0
    assert main(["smoke", "run", "bad", *arguments]) == 1


def test_a_launcher_that_is_not_there_is_a_job_that_could_not_be_run(repository: Repository) -> None:
    assert main(["smoke", "run", "good", "--device", "cpu", "--launcher", "no-such-launcher {command}"]) == 5


@pytest.mark.parametrize(
    ("command", "env", "said"),
    [
        ("echo \0", {}, "null byte"),
        ("true", {"A": "\0"}, "null byte"),
        ("echo " + "x" * 200_000, {}, "too long"),
        ("rm -r out; false", {}, "No such file"),
    ],
    ids=["a zero byte", "one in a variable", "too long", "one that removes the results"],
)
def test_a_command_that_no_system_starts_is_a_job_that_could_not_be_run(
    command: str, env: dict[str, str], said: str, tmp_path: Path
) -> None:
    job = Job(name="own", command=command, env=env)
    out = tmp_path / "out"
    setting = Setting(repository=str(tmp_path), commit="c", out=str(out), device="cpu", launcher=Launcher())
    if "rm" in command:
        with pytest.raises(UsageError, match=said):
            run_jobs([job], setting, Seen())
        return
    (ran,) = run_jobs([job], setting, Seen())
    assert ran.outcome == "not run"
    assert said in ran.problem


def test_a_folder_for_results_that_holds_something_else_keeps_its_gitignore(repository: Repository) -> None:
    repository.write(".gitignore", "mine\n")
    assert main(["smoke", "run", "good", "--device", "cpu", "--out", "."]) == 0
    assert (repository.folder / ".gitignore").read_text() == "mine\n"


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_stands_where_a_jobs_folder_goes_is_told_and_kept(
    kind: str, repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "kept").touch()
    place = repository.folder / "smoke-results" / "good.work"
    place.parent.mkdir()
    place.touch() if kind == "file" else place.symlink_to(tmp_path / "elsewhere")
    assert main(["smoke", "run", "good", "--device", "cpu"]) == 2
    assert "good.work: expected a folder" in capsys.readouterr().err
    assert (tmp_path / "elsewhere" / "kept").exists()


@pytest.mark.parametrize("answer", ["gpus", "gpus \u00b2", "gpus " + "9" * 5000, "gpus -1"])
def test_a_launcher_that_answers_nonsense_leaves_the_question_open(answer: str, repository: Repository) -> None:
    repository.write("launch", f"#!/bin/sh\necho '{answer}'\n")
    os.chmod(repository.folder / "launch", 0o755)
    assert main(["smoke", "run", "good", "--launcher", "./launch {command}"]) == 5


@pytest.mark.parametrize("what", ["mkfifo", "mkdir", "truncate -s 1T"])
def test_whatever_a_command_puts_where_its_files_are_read_ends_the_job_all_the_same(what: str, tmp_path: Path) -> None:
    place = tmp_path / "out" / "own.work"
    command = f"rm -f {place}/1.log; {what} {place}/1.error {place}/1.log; exit 1"
    ran = run(tmp_path, Job(name="own", command=command))
    assert ran.outcome == "failed"


def test_a_command_that_takes_its_first_line_away_was_not_begun_and_hangs_nobody(tmp_path: Path) -> None:
    place = tmp_path / "out" / "own.work" / "1.results"
    ran = run(tmp_path, Job(name="own", command=f"rm {place}; mkfifo {place}; exit 1"))
    assert ran.outcome in ("failed", "not run")


def test_numbers_that_are_none_in_what_looks_like_torchruns_report_are_passed_over(tmp_path: Path) -> None:
    digits = "9" * 5000
    said = f"rank : {digits} (local_rank: 0)\\n exitcode : {digits} (pid: 1)\\n"
    ran = run(tmp_path, Job(name="own", command=f"printf '{said}'; exit 1"))
    assert [each.rank for each in ran.cells[0].errors] == [None]


def test_a_pipe_where_the_next_log_goes_is_not_waited_for(tmp_path: Path) -> None:
    ran = run(tmp_path, Job(name="own", command=f"mkfifo {tmp_path}/out/own.work/2.log; exit 1"))
    assert ran.outcome == "not run"
    assert "cannot be started" in ran.problem
