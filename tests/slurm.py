"""A real Slurm of one node on loopback, for as long as a test lasts: no systemd, no cgroups, no accounting.

Needs Debian's packages (`apt-get install --no-install-recommends slurm-wlm munge`) and to be root.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROGRAMS = ("slurmctld", "slurmd", "srun", "sinfo", "scancel", "munged")
SECONDS_TO_START = 60
CONFIGURATION = """\
ClusterName=smoke
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmdPort={d}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=01:00:00 State=UP
"""


def missing() -> str:
    """Why there can be no Slurm here; empty where there can."""
    path = f"{os.environ['PATH']}:/usr/sbin"
    absent = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if absent:
        return f"{', '.join(absent)} not installed (Debian: slurm-wlm munge)"
    return "" if os.geteuid() == 0 else "Slurm's daemons are started as root, and this is not root"


@contextmanager
def slurm(folder: Path) -> Iterator[dict[str, str]]:
    """A Slurm that takes jobs; the variables by which its programs find it. All of it is gone at the end."""
    variables = {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    environment = os.environ | variables
    host = socket.gethostname().partition(".")[0]
    for name in ("state", "spool", "munge"):
        (folder / name).mkdir(parents=True)
    folder.chmod(0o755)
    numbers = {"ctld": _free_port(), "d": _free_port(), "cpus": os.cpu_count() or 1}
    (folder / "slurm.conf").write_text(CONFIGURATION.format(host=host, folder=folder, **numbers))
    started = [_munged(folder, environment)]
    try:
        _wait((folder / "munge.socket").exists, folder)
        started.append(_daemon(["slurmctld", "-D"], environment))
        started.append(_daemon(["slurmd", "-D", "-N", host], environment))
        _wait(lambda: "idle" in _output(["sinfo", "-h", "-o", "%T"], environment), folder)
        yield variables
    finally:
        with suppress(subprocess.SubprocessError):
            subprocess.run(["scancel", "-u", "root"], env=environment, timeout=20, check=False, capture_output=True)
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
        for process in started:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _munged(folder: Path, environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    key = folder / "munge" / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    (folder / "munge").chmod(0o700)
    options = ["--foreground", "--force", f"--key-file={key}", f"--socket={folder / 'munge.socket'}"]
    options += [f"--log-file={folder / 'munged.log'}", f"--pid-file={folder / 'munge' / 'pid'}"]
    options += [f"--seed-file={folder / 'munge' / 'seed'}"]
    return _daemon(["munged", *options], environment)


def _daemon(command: list[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _wait(is_ready: Callable[[], bool], folder: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while not is_ready():
        if time.monotonic() > deadline:
            logs = "\n".join(path.read_text("utf-8", "replace")[-2000:] for path in sorted(folder.glob("*.log")))
            raise AssertionError(f"Slurm did not start within {SECONDS_TO_START} s:\n{logs}")
        time.sleep(0.2)


def _output(command: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
