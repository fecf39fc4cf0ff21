"""Where an entry of the rules file stands at head."""

from consistency_bot.model import Place, RulesSource


def place_in_rules(source: RulesSource, line: int) -> Place | None:
    """The entry's line; None where head's file is another one than the one that counts."""
    if source.from_ == "file" or (source.from_ == "base" and source.changed_by_head):
        return None
    return Place("rules", source.path, line, line)
