"""Runs in every format that is text."""

from collections.abc import Callable, Sequence

import msgspec

from consistency_bot.smoke.markdown import render_markdown
from consistency_bot.smoke.results import JobRun
from consistency_bot.smoke.text import render_text


def _json(runs: Sequence[JobRun]) -> str:
    told = [{**msgspec.to_builtins(run), "outcome": run.outcome} for run in runs]
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n"


RUN_FORMATS: dict[str, Callable[[Sequence[JobRun]], str]] = {
    "text": render_text,
    "json": _json,
    "markdown": render_markdown,
}
"""Name of a format, as `smoke report --format` takes it, and its renderer."""
