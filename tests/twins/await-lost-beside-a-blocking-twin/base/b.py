"""Keeps entries."""


class AsyncStore:
    """Entries by key."""

    async def put(self, key, entry):
        if self.is_closed:
            raise RuntimeError("closed")
        size = len(entry)
        await self.journal.write(key)
        await self.pages.insert(key, entry)
        self.bytes += size
        return key
