"""Connections that are lent out and taken back, for asyncio."""

import asyncio
from contextlib import asynccontextmanager

from wire import AsyncConnection, PoolExhausted


class AsyncConnectionPool:
    """Lends awaitable connections."""

    MAX_IDLE = 30

    def __init__(self, address, size=10, timeout=5.0):
        self.address = address
        self.size = size
        self.timeout = timeout
        self.idle = []
        self.lent = set()
        self.lock = asyncio.Lock()

    async def acquire(self, key=None):
        async with self.lock:
            if len(self.lent) >= self.size:
                raise PoolExhausted("every connection is lent")
            connection = self.idle.pop() if self.idle else AsyncConnection(self.address, timeout=self.timeout)
            self.lent.add(connection)
        try:
            await connection.open(key=key)
        except ConnectionError:
            await self.discard(connection)
            raise
        return connection

    async def release(self, connection):
        async with self.lock:
            self.lent.remove(connection)
            if not (connection.is_stale() or connection.is_broken()):
                self.idle.append(connection)
                return
        await connection.aclose()

    async def discard(self, connection):
        self.lent.discard(connection)
        await connection.aclose()

    @asynccontextmanager
    async def lease(self, key=None):
        """A connection for the length of a block."""
        connection = await self.acquire(key)
        try:
            yield connection
        finally:
            await self.release(connection)

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        await self.aclose()

    async def aclose(self):
        for connection in [*self.idle, *self.lent]:
            await connection.aclose()
        self.idle.clear()
        self.lent.clear()
