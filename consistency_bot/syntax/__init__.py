"""Source text -> tree -> definitions -> units: the only package that knows a grammar."""

from consistency_bot.syntax.lines import Lines
from consistency_bot.syntax.outline import Definition, Source, Undecodable
from consistency_bot.syntax.statements import Statement, Unit
from consistency_bot.syntax.terms import PROSE, UNPARSED, Terms, Token

__all__ = [
    "PROSE",
    "UNPARSED",
    "Definition",
    "Lines",
    "Source",
    "Statement",
    "Terms",
    "Token",
    "Undecodable",
    "Unit",
]
