"""Source text -> tree -> definitions -> units: the only package that knows a grammar.

Files that are no Python are read by `syntax.lines`, which is imported where one is met.
"""

from consistency_bot.syntax.definitions import Definition
from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.rows import Readings
from consistency_bot.syntax.terms import PROSE, UNPARSED, Terms, Token
from consistency_bot.syntax.text import Undecodable
from consistency_bot.syntax.units import Statement, Unit

__all__ = [
    "PROSE",
    "UNPARSED",
    "Definition",
    "Readings",
    "Source",
    "Statement",
    "Terms",
    "Token",
    "Undecodable",
    "Unit",
]
