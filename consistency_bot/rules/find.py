"""Where a repository keeps its rules, and whether a file of that name is ours."""

import codecs
import re

from consistency_bot.errors import RulesError
from consistency_bot.model import Files

OWN_NAME = ".consistency-bot.yaml"
PLAIN_NAME = "rules.yaml"
EXAMPLE = 'version: 1\ntwins:\n  - {id: clients, sides: {blocking: "src/client.py", async: "src/aio/client.py"}}'


_KEY = rb"""(?:^|^\{[ \t]*|^\{[^\n]*,[ \t]*)["']?%b["']?[ \t]*:"""
"""A key at the top of the file: nothing before it on the line, or the braces of a file written on one line."""


def find_rules(tree: Files, where: str) -> tuple[str, bytes] | None:
    """Path and bytes of the tree's rules file; None where it has none. `where` names the tree in messages.

    Raises RulesError where two files claim to be it.
    """
    own = tree.read(OWN_NAME)
    plain = tree.read(PLAIN_NAME)
    if plain is not None and not is_ours(plain):
        plain = None
    if own is not None and plain is not None:
        raise RulesError((f"both {OWN_NAME} and {PLAIN_NAME} hold rules in {where}: keep one of them",))
    if own is not None:
        return OWN_NAME, own
    return (PLAIN_NAME, plain) if plain is not None else None


def is_ours(data: bytes) -> bool:
    """Whether a `rules.yaml` speaks to us: other tools use that name too, so it needs `version` and `twins`.

    Looked up in the text, so that a file of ours with a slip of YAML is reported and not passed over.
    """
    return all(
        re.search(_KEY % key, data.removeprefix(codecs.BOM_UTF8), re.MULTILINE) for key in (b"version", b"twins")
    )


def no_rules(trees: tuple[tuple[str, Files], ...]) -> RulesError:
    """The error where no tree has rules: it shows what to begin with, and a file that nearly was one."""
    near = [where for where, tree in trees if tree.read(PLAIN_NAME) is not None]
    hint = f" ({PLAIN_NAME} in {near[0]} has no `version` and `twins`, so it is not taken for one)" if near else ""
    looked = " nor ".join(where for where, _ in trees)
    problem = f"no rules file: neither {OWN_NAME} nor {PLAIN_NAME} in {looked}{hint}. Begin with a {PLAIN_NAME} such as"
    return RulesError((f"{problem}\n\n{EXAMPLE}\n",))
