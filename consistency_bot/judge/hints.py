"""Whether a file says anything to this tool: nearly none does, and what reads waivers is loaded only for one that does."""

import re

HINT = re.compile(rb"(?i)consistency[ \t]*:")
"""What begins a comment to this tool."""


def may_waive(data: bytes) -> bool:
    """Whether there may be a waiver in a file's code."""
    return b"consistency" in data.lower() and HINT.search(data) is not None  # the first is soon told
