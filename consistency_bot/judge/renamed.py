"""Public functions and classes that both sides called the same, and that one side alone calls otherwise now."""

from collections.abc import Iterator, Mapping

from consistency_bot.align.definitions import bare_name
from consistency_bot.align.name_parts import differing_part, parts_of_path
from consistency_bot.align.translation import plain_name
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.private_names import is_private
from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import Place
from consistency_bot.syntax import Definition


def renamed_of(
    a: SideVersions, b: SideVersions, pairs: Mapping[Definition, Definition], one_name: Mapping[str, str]
) -> Iterator[Notice]:
    """One for each name given up. `pairs` are the definitions of both sides at base, `one_name` what the rules declare equal."""
    for left, right in pairs.items():
        for mine, theirs, side, other in ((left, right, a, b), (right, left, b, a)):
            new, still = side.own.pairs.get(mine), other.own.pairs.get(theirs)
            if new is None or still is None or mine.kind == "module" or mine.name == new.name:
                continue
            is_left_behind = still.name == theirs.name and _common(mine, one_name) == _common(theirs, one_name)
            if is_left_behind and not _is_own_affair(mine, new, still, one_name) and not _is_kept(side, mine):
                yield _told(_place(side, new), _place(other, still), mine.name, new.name)


def _told(here: Place, there: Place, old: str, new: str) -> Notice:
    message = (
        f"{here.side} renamed `{old}` to `{new}` ({here.path}:{here.line}); "
        f"{there.side} still calls it `{old}` ({there.path}:{there.line})."
    )
    return Notice("missed", "function", ("renamed", old, new), here, there, message)


def _common(each: Definition, one_name: Mapping[str, str]) -> str:
    return one_name.get(each.name) or plain_name(each.name)


def _is_own_affair(old: Definition, new: Definition, there: Definition, one_name: Mapping[str, str]) -> bool:
    """Whether nobody need follow: a private name, the side's symbol itself, a version mark or what tells the sides apart."""
    if is_private(old.name) or is_private(new.name) or old.is_root or new.is_root:
        return True
    if bare_name(old.name) == bare_name(new.name) or _common(new, one_name) == _common(there, one_name):
        return True
    parts = {part for part, _ in parts_of_path(new.path.split("/"), there.path.split("/"))}
    parts.update(part for part, _ in parts_of_path(new.owner.split("."), there.owner.split(".")))
    told = differing_part(new.name, there.name)
    return told is not None and told[0] in parts - {""}


def _is_kept(side: SideVersions, old: Definition) -> bool:
    """Whether the side has the old name still: as another function, or as an alias."""
    if any(each.qualname == old.qualname for each in side.head):
        return True
    owners = [each for each in side.head if each.kind != "function" and each.qualname == old.owner]
    return any(unit.terms[:2] == (old.name, "=") for each in owners for unit in each.units)


def _place(side: SideVersions, each: Definition) -> Place:
    return Place(side.name, each.path, each.header_line, each.header_line, each.qualname)
