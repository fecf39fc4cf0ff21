"""What a port must not do, whatever it is for: bring along what somebody acknowledged elsewhere, or leave a file broken."""

import re
from collections import Counter

from consistency_bot.port import Half
from consistency_bot.port.coherence import bound_by
from consistency_bot.port.decisions import Edit

_WAIVER = re.compile(
    r"(?:(?<=\n)|\A)[ \t]*#[^\n]*?consistency[ \t]*:[^\n]*\n|[ \t]*#[^\n]*?consistency[ \t]*:[^\n]*", re.IGNORECASE
)
"""A comment that may acknowledge something: a line of its own, or at the end of one."""


def without_waivers(edit: Edit, text: str) -> Edit:
    """The edit of a text without the acknowledgements that it would add: a person gives them, for one side."""
    old = text[edit.start : edit.end]
    said = _WAIVER.sub(lambda found: found[0] if found[0].strip() in old else "", edit.text)
    return edit if said == edit.text else Edit(edit.start, edit.end, said)


def fault_of(old: Half, new: Half) -> str:
    """What is wrong with the edited file that was not before, in a few words; "" where nothing is."""
    if new.source.is_broken and not old.source.is_broken:
        return "the result could not be read"
    before, after = (Counter(each.qualname for each in half.source.outline) for half in (old, new))
    again = next((name for name, count in after.items() if count > max(1, before[name])), None)
    if again is not None:
        return f"it would define `{again}` a second time"
    lost = _bound(old) - _bound(new)
    still_used = sorted(lost & new.words)
    return f"`{still_used[0]}` would be used and no longer brought in" if still_used else ""


def _bound(half: Half) -> frozenset[str]:
    return frozenset(name for row in half.rows for name in bound_by(row))
