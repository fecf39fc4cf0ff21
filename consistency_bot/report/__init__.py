"""Reports: one file per format, each a function from a `Report` (and what its reader sees besides) to text."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from consistency_bot.model import Report
from consistency_bot.report.links import Links, is_address
from consistency_bot.report.view import View, ansi, no_lines, plain

if TYPE_CHECKING:
    from consistency_bot.patches.listing import Listing

__all__ = ["FORMATS", "PATCH_FORMATS", "PORTED", "Links", "View", "ansi", "is_address", "no_lines", "plain", "render"]


def render(report: Report, format_name: str, view: View) -> str:
    """The report in a format of `FORMATS`, with a line end at its end. Raises KeyError for any other name."""
    return FORMATS[format_name](report, view)


# Each loads its module when it is used: a check before a commit pays for one format, not for all.


def _text(report: Report, view: View) -> str:
    from consistency_bot.report.text import render_text

    return render_text(report, view)


def _json(report: Report, view: View) -> str:
    from consistency_bot.report.json_report import render_json

    return render_json(report, view)


def _sarif(report: Report, view: View) -> str:
    from consistency_bot.report.sarif import render_sarif

    return render_sarif(report, view)


def _markdown(report: Report, view: View) -> str:
    from consistency_bot.report.markdown import render_markdown

    return render_markdown(report, view)


def _github(report: Report, view: View) -> str:
    from consistency_bot.report.annotations import render_github

    return render_github(report, view)


FORMATS: dict[str, Callable[[Report, View], str]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "markdown": _markdown,
    "github": _github,
}
"""Name of a format, as `--format` takes it, and its renderer. A format is one file, one line here, one golden file."""

PORTED = frozenset({"json", "sarif", "markdown"})
"""The formats for which ports are made unasked. `text` is for who waits for it, and shows them where they are asked for."""


def _patches_text(listing: "Listing", view: View) -> str:
    from consistency_bot.report.patches_text import render_patches_text

    return render_patches_text(listing, view)


def _patches_json(listing: "Listing", view: View) -> str:
    from consistency_bot.report.patches_json import render_patches_json

    return render_patches_json(listing, view)


PATCH_FORMATS: "dict[str, Callable[[Listing, View], str]]" = {"text": _patches_text, "json": _patches_json}
"""The same for the registry of patches (`consistency-bot patches`)."""
