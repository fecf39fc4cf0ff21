"""The kinds of declared rules: one question about a side per file.

A kind is a module of this package, named as `check:` names it in the rules file, with the functions of `asking.Kind`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from consistency_bot.facts.asking import Kind

KINDS: dict[str, str] = {
    "patch_calls": "patch_call",
    "guards": "guard",
    "sdpa_backends": "sdpa_backends",
    "config_keys": "config_key",
    "signature": "signature",
    "calls": "call",
    "imports": "import",
    "environment": "environment",
    "present": "pattern",
    "cochange": "file",
    "tests": "test",
}
"""Name of a kind, and the concept of what it finds. A kind is one file, one line here, one fixture folder, one page."""


def kind_of(check: str) -> "Kind":
    """The module of a kind of `KINDS`; loaded now, since a check pays for the kinds that its rules name."""
    return cast("Kind", import_module(f"{__name__}.{check}"))
