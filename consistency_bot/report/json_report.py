"""The JSON report, version 1: what other programs read."""

import msgspec

from consistency_bot.model import Report
from consistency_bot.report.view import View


def render_json(report: Report, _: View) -> str:
    """The report as JSON with two spaces of indentation."""
    return as_json(report)


def as_json(value: msgspec.Struct) -> str:
    r"""A value as JSON with two spaces of indentation and a line end.

    JSON in UTF-8 cannot hold the surrogate escapes of a path that is not UTF-8: then it comes out in ASCII, where
    they are `\udcff`, and everything else that is not ASCII is escaped too.
    """
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8") + "\n"
    except UnicodeEncodeError:
        import json  # 4 ms that only such a path costs

        return json.dumps(msgspec.to_builtins(value), indent=2) + "\n"
