"""Smoke jobs as plain records: what the rules file asks to be run on real hardware. Nothing here runs anything."""

import msgspec

Option = bool | int | float | str | tuple[bool | int | float | str, ...]


class When(msgspec.Struct, frozen=True):
    """When a job runs though no rule asked for it: files that changed, a pull request's label, every change."""

    paths: tuple[str, ...] = ()
    label: str = ""
    always: bool = False


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A short run on real hardware: a built-in `probe` with its `options`, or the team's own `command`, never both.

    `parallel` is the configuration of a command; a list of values means one run for each of them. `gpus` is how many
    GPUs it asks for, and on a machine without how many ranks. `minutes` is the scheduler's limit, the outermost bound.
    `runs_on` are the labels of the GitHub runner, empty for an ordinary one.
    """

    name: str
    probe: str = ""
    options: dict[str, Option] = {}
    command: str = ""
    parallel: dict[str, Option] = {}
    gpus: int = 0
    minutes: int = 10
    runs_on: tuple[str, ...] = ()
    env: dict[str, str] = {}
    when: When = When()
    line: int = 0
