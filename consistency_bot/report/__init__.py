"""Reports: one file per format, each a function from a `Report` (and what its reader sees besides) to text."""

from collections.abc import Callable

from consistency_bot.model import Report
from consistency_bot.report.json_report import render_json
from consistency_bot.report.text import render_text
from consistency_bot.report.view import View, ansi, no_lines, plain

__all__ = ["FORMATS", "View", "ansi", "no_lines", "plain", "render"]

FORMATS: dict[str, Callable[[Report, View], str]] = {
    "text": render_text,
    "json": render_json,
}
"""Name of a format, as `--format` takes it, and its renderer. A format is one file, one line here, one golden file."""


def render(report: Report, format_name: str, view: View) -> str:
    """The report in a format of `FORMATS`, with a line end at its end. Raises KeyError for any other name."""
    return FORMATS[format_name](report, view)
