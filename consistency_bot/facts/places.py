"""How messages name a place: as `(path:line)`, and by the function that it stands in."""

from consistency_bot.model import Place
from consistency_bot.paths import is_python


def at(place: Place) -> str:
    """A place as messages name it."""
    return f"({place.path}:{place.line})"


def function(place: Place) -> str:
    """The function of a place as messages name it."""
    if place.function:
        return f"`{place.function}`"
    return "the module" if is_python(place.path) else "the file"
