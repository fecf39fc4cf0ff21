"""The command `port`: the other side's change, of findings in the repository or of three files."""

import argparse

from consistency_bot.errors import UsageError

_OF_FILES = ("from_", "onto", "diff")
_OF_FINDINGS = ("fingerprints", "all", "apply", "patch", "base", "head", "rules", "allow_dirty")
_NAMES = {"from_": "--from", "fingerprints": "a fingerprint"}


def run_port(options: argparse.Namespace) -> int:
    """Print or make the change: 0 where that could be done, 1 (declined) where not. Raises BotError for the rest."""
    of_files = [name for name in _OF_FILES if getattr(options, name)]
    of_findings = [name for name in _OF_FINDINGS if getattr(options, name)]
    if of_files and of_findings:
        raise UsageError(f"{_name(of_files[0])} is about files, and {_name(of_findings[0])} about findings: use one")
    if of_files:
        if not options.from_ or not options.onto:
            raise UsageError("--from OLD NEW and --onto FILE go together")
        from consistency_bot.cli.port_files import port_files

        return port_files(options)
    from consistency_bot.cli.port_findings import port_findings

    return port_findings(options)


def _name(option: str) -> str:
    return _NAMES.get(option) or f"--{option.replace('_', '-')}"
