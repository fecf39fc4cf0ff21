"""How messages name a place: as `(path:line)`, and by the function that it stands in."""

from consistency_bot.model import Place


def at(place: Place) -> str:
    """A place as messages name it."""
    return f"({place.path}:{place.line})"


def function(place: Place) -> str:
    """The function of a place as messages name it."""
    return f"`{place.function}`" if place.function else "the module"
