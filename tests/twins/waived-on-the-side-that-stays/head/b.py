"""Reads batches of rows on an event loop."""


class AsyncBatchReader:
    def __init__(self, source, size=32):
        self.source = source
        self.size = size
        self.seen = 0

    @counted("read")
    async def read(self, limit=None):
        if limit is not None and self.seen >= limit:
            raise EOFError(self.source.name)
        rows = await self.source.fetch(
            self.size,
            timeout=30,
            # consistency: differs(argument) Only the loop may try again.
            retries=2,
        )
        self.seen += len(rows)
        return [row.decode() for row in rows]

    async def close(self):
        await self.source.release()
        self.seen = 0
