"""The text of a rules file to its decoded form, or to all of its mistakes at once."""

from collections.abc import Iterator

from consistency_bot.errors import RulesError
from consistency_bot.rules.conflicts import find_conflicts
from consistency_bot.rules.decode import decode
from consistency_bot.rules.places import Problem, Spot, read_spots
from consistency_bot.rules.schema import RulesFile
from consistency_bot.rules.wording import found, located, quoted


def read_rules_file(data: bytes, name: str) -> tuple[RulesFile, Spot]:
    """What the file says, and the same with its lines. `name` is the file's name in messages.

    Raises RulesError with every mistake, in the order of their lines.
    """
    top, problems = read_spots(data)
    decoded = None
    if top is not None:
        version = _version_problem(top)
        if version is not None:  # another version has another schema: its keys would all be called unknown
            problems.append(version)
        else:
            decoded, mistakes = decode(top, RulesFile)
            problems += [*mistakes, *find_conflicts(top), *_mistakes_in_jobs(top)]
    if problems or decoded is None or top is None:
        ordered = sorted(problems, key=lambda problem: problem.line)
        raise RulesError(tuple(dict.fromkeys(located(problem, name, top) for problem in ordered)))
    return decoded, top


def _version_problem(top: Spot) -> Problem | None:
    version = top.keys.get("version")
    if version is None or (version.kind, version.text) == ("int", "1"):
        return None
    if version.kind == "int":
        return Problem(version.line, f"version {quoted(version.text)} is not known to this consistency-bot", "`1`")
    return Problem(version.line, f"`version` is {found(version)}", "the number `1`")


def _mistakes_in_jobs(top: Spot) -> Iterator[Problem]:
    if "smoke" in top.keys or any("probe" in patch.keys for patch in top.get("patches").keys.values()):
        from consistency_bot.rules.smoke_jobs import find_job_mistakes  # only files with jobs pay for it

        yield from find_job_mistakes(top)
