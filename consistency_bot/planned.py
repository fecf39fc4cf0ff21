"""The jobs that a change asks for, as GitHub's `strategy.matrix` takes them."""

from collections.abc import Iterable, Sequence

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.model import Rules, SmokeRequest

ORDINARY_RUNNER = ("ubuntu-latest",)

MINUTES_TO_INSTALL = 20


class Planned(msgspec.Struct, frozen=True):
    """A job to run, and why. `runs_on` are the labels of its GitHub runner, never none.

    `limit` is how many minutes the runner's own job may take: the job's and some for what it installs.
    """

    job: str
    reason: str
    runs_on: tuple[str, ...]
    gpus: int
    minutes: int
    limit: int


class _Matrix(msgspec.Struct, frozen=True):
    include: tuple[Planned, ...]


def planned(rules: Rules, requests: Iterable[SmokeRequest]) -> tuple[Planned, ...]:
    """The requested jobs as the rules have them. Raises UsageError for one that they do not have."""
    jobs = {job.name: job for job in rules.jobs}
    found = []
    for request in requests:
        job = jobs.get(request.job)
        if job is None:
            raise UsageError(f"{rules.source.path} has no smoke job `{request.job}`: is it of another commit?")
        runs_on = job.runs_on or ORDINARY_RUNNER
        found.append(
            Planned(job.name, request.reason, runs_on, job.gpus, job.minutes, job.minutes + MINUTES_TO_INSTALL)
        )
    return tuple(found)


def matrix(jobs: Sequence[Planned]) -> str:
    """JSON on one line for `strategy.matrix`; `{"include":[]}` for no job, which a workflow has to ask about first."""
    return msgspec.json.encode(_Matrix(tuple(jobs))).decode()
