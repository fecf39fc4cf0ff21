"""Mounts archives on an event loop."""

from archives import Listing
from sources import opened_async


class AsyncMount:
    """An archive that is read like a folder."""

    def __init__(self, path):
        self.path = path
        self.listing = None

    async def open(self):
        if self.listing is not None:
            raise RuntimeError("already open")
        source = await opened_async(self.path)
        await Directory(source, self).begin()

    async def names(self):
        return sorted(self.listing.names)


class Directory:
    """What is fed with the end of an archive, piece by piece."""

    def __init__(self, source, mount):
        self.source = source
        self.mount = mount

    async def begin(self):
        decoder = Listing.decode(self.source.read, self.source.seek, comments=False)
        async for piece in self.source.pieces(backwards=True):
            decoder.feed(piece)
        self.mount.listing = decoder.result()
