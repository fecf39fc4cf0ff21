import json

from ledger import BusyError, Pool

ATTEMPTS = 3


class Ledger:
    """Writes entries, one request each."""

    def __init__(self, pool: Pool, attempts: int = ATTEMPTS):
        self.pool = pool
        self.attempts = attempts
        self.written = 0

    def write(self, entry, urgent=False):
        if self.pool.is_full and not urgent:
            raise BusyError(entry.id)
        body = json.dumps(entry.fields)
        reply = self.pool.send("PUT", entry.path, body, timeout=10)
        if reply.status == 409:
            return False
        self.written += 1
        return True

    def close(self):
        self.pool.flush()
        self.pool.close()


def describe(entry):
    return f"{entry.id}: {len(entry.fields)} fields"


class AsyncLedger:
    """Writes entries, one request each, and waits for none."""

    def __init__(self, pool: Pool, attempts: int = ATTEMPTS):
        self.pool = pool
        self.attempts = attempts
        self.written = 0

    async def write(self, entry, urgent=False):
        if self.pool.is_full and not urgent:
            raise BusyError(entry.id)
        body = json.dumps(entry.fields)
        reply = await self.pool.send("PUT", entry.path, body, timeout=10)
        if reply.status == 409:
            return False
        self.written += 1
        return True

    async def aclose(self):
        await self.pool.flush()
        await self.pool.close()
