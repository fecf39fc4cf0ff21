"""The entries of `smoke` as values, and the mistakes in them that only somebody sees who knows the probes."""

from collections.abc import Iterator

from consistency_bot.errors import UsageError
from consistency_bot.jobs import Job, Option, When
from consistency_bot.probes import OPTIONS, decode_options
from consistency_bot.rules.decode import decode_at
from consistency_bot.rules.places import Path, Problem, Spot
from consistency_bot.rules.schema import Id, RulesFile, SmokeJob
from consistency_bot.rules.wording import found, listed

MOST_MINUTES = 7 * 24 * 60
MOST_GPUS = 1024
MOST_RUNS = 64
"""Combinations of `parallel` that one job may have: each is a run of the command."""


def jobs_of(decoded: RulesFile, top: Spot) -> tuple[Job, ...]:
    """The jobs in the order of the file."""
    spots = top.get("smoke").keys
    return tuple(_job(name, entry, spots[name].line) for name, entry in decoded.smoke.items())


def _job(name: str, entry: SmokeJob, line: int) -> Job:
    probe = entry.probe or {}
    return Job(
        name=name,
        probe=str(probe.get("name", "")),
        options={key: value for key, value in probe.items() if key != "name"},
        command=entry.command or "",
        parallel=entry.parallel,
        gpus=entry.gpus,
        minutes=entry.minutes,
        runs_on=(entry.runs_on,) if isinstance(entry.runs_on, str) else entry.runs_on,
        env=entry.env,
        when=When(
            (entry.when.paths,) if isinstance(entry.when.paths, str) else entry.when.paths,
            entry.when.label or "",
            entry.when.always,
        ),
        line=line,
    )


def find_job_mistakes(top: Spot) -> Iterator[Problem]:
    """Jobs that are neither probe nor command, or both; probes that do not exist, and options that they do not take."""
    for name, entry in top.get("smoke").keys.items():
        if entry.kind == "map":
            yield from _of_job(("smoke", name), entry)
    for name, entry in top.get("patches").keys.items():
        if "probe" in entry.keys:
            yield from _of_probe(("patches", name, "probe"), entry.keys["probe"])


def _of_job(path: Path, entry: Spot) -> Iterator[Problem]:
    if ("probe" in entry.keys) == ("command" in entry.keys):
        yield Problem(entry.line, "not exactly one of `probe` and `command`", "one of the two", path)
    elif "probe" in entry.keys:
        yield from _of_probe((*path, "probe"), entry.keys["probe"])
        if "parallel" in entry.keys:
            what = "`parallel` is for a `command`; a probe has options of its own"
            yield Problem(entry.keys["parallel"].line, what, "the probe's options", (*path, "parallel"))
    yield from _of_numbers(path, entry)
    runs = 1
    for spot in entry.get("parallel").keys.values():
        runs *= len(spot.items) if spot.kind == "seq" else 1
    if "parallel" in entry.keys and not 0 < runs <= MOST_RUNS:
        spot = entry.keys["parallel"]
        yield Problem(spot.line, f"`parallel` makes {runs} runs", f"1 to {MOST_RUNS} combinations", (*path, "parallel"))


def _of_numbers(path: Path, entry: Spot) -> Iterator[Problem]:
    for key, low, high in (("gpus", 0, MOST_GPUS), ("minutes", 1, MOST_MINUTES)):
        spot = entry.get(key)
        if spot.kind == "int" and spot.text.lstrip("+-").isdigit() and not low <= int(spot.text) <= high:
            yield Problem(spot.line, f"`{key}` is {found(spot)}", f"a whole number from {low} to {high}", (*path, key))


def _of_probe(path: Path, probe: Spot) -> Iterator[Problem]:
    if probe.kind != "map":
        return  # told with the types
    name = probe.get("name")
    if name.kind != "str":
        yield Problem(probe.line, "`probe` has no `name`", f"`name` ({listed(list(OPTIONS))}) and its options", path)
        return
    options = {key: spot for key, spot in probe.keys.items() if key != "name"}
    decoded, mistakes = decode_at(probe, dict[Id, Option], path)
    if mistakes or not isinstance(decoded, dict):
        return  # these too
    fault = _fault(name.text, {key: decoded[key] for key in options})
    faults = [(spot, _fault(name.text, {key: decoded[key]})) for key, spot in options.items()] if fault else []
    told = [Problem(spot.line, each, path=path) for spot, each in faults if each and "missing required" not in each]
    yield from told or ([Problem(probe.line, fault, path=path)] if fault else ())


def _fault(probe: str, options: dict[str, object]) -> str:
    """What is wrong with a probe's options, its name first; empty where nothing is."""
    try:
        decode_options(probe, options)
    except UsageError as error:
        return str(error)
    return ""
