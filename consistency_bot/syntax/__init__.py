"""Source text -> tree -> definitions -> units: the only package that knows a grammar."""

from consistency_bot.syntax.outline import Definition, Source, Undecodable
from consistency_bot.syntax.rows import Readings
from consistency_bot.syntax.statements import Statement, Unit
from consistency_bot.syntax.terms import PROSE, Terms, Token

__all__ = ["PROSE", "Definition", "Readings", "Source", "Statement", "Terms", "Token", "Undecodable", "Unit"]
