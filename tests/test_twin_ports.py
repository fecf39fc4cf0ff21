"""The folders of `twins/` in which a side missed a change, and its port as a person would write it: `port.diff`.

For each such finding, in the report's order, the file has a line

    # missed by a in Worker.train, argument: safe

and below it the diff that puts the other side in step; `needs review` for one that a person should look at, and `none`
for one that cannot be written honestly, with a reason for the reader behind it. `python tests/test_twin_ports.py SLUG`
prints what the engine would say: a start, to be read line by line before it is kept.
"""

import sys
from pathlib import Path

import pytest
from memory_tree import change_between
from test_twins import FOLDER, SLUGS, marked, read_case, read_files, rules_of

from consistency_bot.check import check_change
from consistency_bot.model import Finding
from consistency_bot.porting import is_portable, with_ports

OPEN = {
    "failure-wrapped-with-the-component-in-one-pipeline": "of two branches over there one alone is wrapped",
    "formatting-hides-a-default": "the signature is laid out anew with the edit, as this side's was",
    "timeout-given-to-each-call-here-and-to-the-session-there": "its findings are false alarms (`OPEN` in test_twins)",
}
"""Folders whose port is not written yet as `port.diff` has it, with what is missing. Strict: one that comes right must leave."""


def ported(slug: str) -> list[Finding]:
    """The findings of a folder for which a port is looked for."""
    change = change_between(read_files(slug, "base"), read_files(slug, "head"))
    rules = rules_of(read_case(slug), change)
    return [each for each in with_ports(check_change(rules, change), rules, change).findings if is_portable(each)]


def told(finding: Finding) -> str:
    """The port as `port.diff` has it."""
    place = finding.changed
    assert place is not None
    where = f"{place.side} in {place.function}" if place.function else place.side
    line = f"# missed by {where}, {finding.concept}: "
    if finding.port is None:
        return f"{line}none\n"
    return f"{line}{finding.port.safety.replace('_', ' ')}\n{finding.port.diff}"


def read_expected(slug: str) -> str:
    """What `port.diff` says, without the reasons of what is declined."""
    lines = (FOLDER / slug / "port.diff").read_text("utf-8").splitlines(keepends=True)
    return "".join(
        f"{line.partition(': none')[0]}: none\n" if line.startswith("# missed by ") and ": none" in line else line
        for line in lines
    )


@pytest.mark.parametrize("slug", [marked(slug, OPEN) for slug in SLUGS])
def test_what_one_side_missed_is_ported_as_a_person_would(slug: str) -> None:
    found = ported(slug)
    expected = read_expected(slug) if (FOLDER / slug / "port.diff").exists() else ""
    assert "".join(map(told, found)) == expected


def test_every_reason_for_no_port_is_told() -> None:
    for path in FOLDER.glob("*/port.diff"):
        for line in path.read_text("utf-8").splitlines():
            assert not line.endswith(": none"), f"{path}: say why"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write("".join(map(told, ported(Path(name).name))))
