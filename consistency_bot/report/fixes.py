"""Ports as SARIF has them: regions of a file that are deleted, and the text that takes their place."""

import re
from collections.abc import Iterator
from typing import Any

from consistency_bot.model import Port
from consistency_bot.report.links import quoted
from consistency_bot.report.sarif_text import plain_text

_Object = dict[str, Any]
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def fixes_of(port: Port | None) -> list[_Object]:
    """One fix; none where there is no port, or where its file has bytes that no SARIF can hold."""
    if port is None or not _is_unicode(port.diff):
        return []
    replacements = list(_replacements(port.diff))
    if not replacements:
        return []
    review = f"; needs review: {port.why}" if port.why else "; needs review" if port.safety != "safe" else ""
    text = plain_text(f"Makes the change on the other side too{review}.")
    change: _Object = {
        "artifactLocation": {"uri": quoted(port.path), "uriBaseId": "%SRCROOT%"},
        "replacements": replacements,
    }
    return [{"description": {"text": text}, "artifactChanges": [change]}]


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class _Edit:
    """Lines of the old file from `line` on that go, and the text that comes."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.gone: list[str] = []
        self.came: list[str] = []


def _replacements(diff: str) -> Iterator[_Object]:
    for edit in _edits(diff):
        end: _Object = {"endLine": edit.line + len(edit.gone), "endColumn": 1}
        if edit.gone and not edit.gone[-1].endswith("\n"):  # the file's last line, behind which there is no other
            end = {
                "endLine": edit.line + len(edit.gone) - 1,
                "endColumn": len(edit.gone[-1].encode("utf-16-le")) // 2 + 1,
            }
        region = {"startLine": edit.line, "startColumn": 1, **end}
        replacement: _Object = {"deletedRegion": region}
        if edit.came:
            replacement["insertedContent"] = {"text": "".join(edit.came)}
        yield replacement


def _edits(diff: str) -> Iterator[_Edit]:
    """The stretches of a unified diff that change something, in order."""
    line, edit = 0, None
    for row in diff.split("\n"):
        found = _HUNK.match(row)
        if found or row[:1] not in ("+", "-", "\\") or line == 0:
            if edit is not None:
                yield edit
            edit = None
            if found:
                line = int(found[1]) + (found[2] == "0")
            elif line:
                line += 1
            continue
        if row[0] == "\\" and edit is None:
            continue  # about a line that stays
        edit = edit or _Edit(line)
        if row[0] == "\\":
            last = edit.came or edit.gone
            last[-1] = last[-1].removesuffix("\n")
        elif row[0] == "-":
            edit.gone.append(row[1:] + "\n")
            line += 1
        else:
            edit.came.append(row[1:] + "\n")
    if edit is not None:
        yield edit
