"""consistency-bot: says when twins, two or more implementations of one thing, stop being in step."""

__version__ = "0.1.0"
