"""The JSON report, version 1: what other programs read."""

import msgspec

from consistency_bot.model import Report
from consistency_bot.report.view import View


def render_json(report: Report, _: View) -> str:
    r"""The report as JSON with two spaces of indentation.

    JSON in UTF-8 cannot hold the surrogate escapes of a path that is not UTF-8: such a report comes out in ASCII, where
    they are `\udcff`, and everything else that is not ASCII is escaped too.
    """
    try:
        return msgspec.json.format(msgspec.json.encode(report), indent=2).decode("utf-8") + "\n"
    except UnicodeEncodeError:
        import json  # 4 ms that only such a path costs

        return json.dumps(msgspec.to_builtins(report), indent=2) + "\n"
