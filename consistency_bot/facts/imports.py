"""The kind `imports`: names that every side imports, from the same place."""

from collections.abc import Iterator, Mapping

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.items import Item, Items, Wording, items_of, lines_of, missing, unlike
from consistency_bot.facts.names import is_named
from consistency_bot.model import Place, Rule
from consistency_bot.syntax.imported import imports_of

READS_CODE_ALONE = True
_WORDING = Wording("imports", "import", "as")


def read(rule: Rule, side: SideAt) -> Items:
    """The imports whose names, or dotted names, the rule asks for; those inside functions too."""
    return items_of(side, _items(rule, side))


def _items(rule: Rule, side: SideAt) -> Iterator[Item]:
    for source in side.sources:
        for each in imports_of(source):
            full = each.full.lstrip(".")
            name = full.rpartition(".")[2]
            if is_named(name, rule.keys.names) or is_named(full, rule.keys.names):
                yield Item(name, full, Place(side.name, source.path, each.line, each.line))


def breaches(rule: Rule, facts: Mapping[str, Items]) -> Iterator[Breach]:
    """Names that a side does not import, or imports from elsewhere."""
    sides = list(facts.values())
    yield from missing(sides, _WORDING)
    for each in unlike(sides, _WORDING):
        if not _is_one_place(*each.said[1:]):
            yield each


def _is_one_place(one: str, other: str) -> bool:
    """Whether two dotted names may be one: a relative import leaves the packages before it out."""
    return one.endswith(f".{other}") or other.endswith(f".{one}")


def told(facts: Items) -> Iterator[str]:
    """One line for each of them."""
    return lines_of(facts)
