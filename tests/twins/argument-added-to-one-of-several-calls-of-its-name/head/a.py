"""Mounts archives, blocking."""

from archives import Listing
from sources import opened


class Mount:
    """An archive that is read like a folder."""

    def __init__(self, path):
        self.path = path
        self.listing = None

    def open(self):
        """Reads what is in the archive."""
        if self.listing is not None:
            raise RuntimeError("already open")
        self.listing = listed(opened(self.path))

    def names(self):
        return sorted(self.listing.names)


def listed(source):
    source.seek(-22, 2)
    found = Listing.decode(source.read, source.seek, comments=False, large=True)
    if found.is_empty:
        raise ValueError("an empty archive")
    return found
