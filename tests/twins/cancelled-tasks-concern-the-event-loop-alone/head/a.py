"""A pool of connections for event loops."""

import asyncio
import logging
from time import monotonic

from pool_base import BasePool, Client, PoolTimeout
from pool_tasks import AddConnection, ReturnConnection

log = logging.getLogger("pool")


class AsyncPool(BasePool):
    """Lends connections to tasks."""

    def __init__(self, address, least=4, most=None, check=None, timeout=30.0):
        super().__init__(address, least=least, most=most, timeout=timeout)
        self.check = check
        self.lock = asyncio.Lock()
        self.waiting = []

    async def get(self, timeout=None):
        """A connection; it must be put back."""
        start = monotonic()
        timeout = self.timeout if timeout is None else timeout
        self.stats["requests"] += 1
        while True:
            connection = await self.get_unchecked(start + timeout - monotonic())
            if self.check is None:
                break
            try:
                await self.check(connection)
            except asyncio.CancelledError:
                await self.put(connection)
                raise
            except Exception as error:
                log.info("a connection failed its check: %s", error)
                await self.put(connection)
            else:
                break
        connection.expires = start + self.longest_life
        self.stats["lent"] += 1
        return connection

    async def get_unchecked(self, timeout):
        async with self.lock:
            connection = self.idle.popleft() if self.idle else None
            if connection is None:
                client = Client(asyncio.Event())
                self.waiting.append(client)
                self.grow_if_possible()
        if connection is None:
            try:
                connection = await client.wait(timeout)
            except asyncio.TimeoutError:
                self.waiting.remove(client)
                raise PoolTimeout(f"no connection within {timeout:.1f} s") from None
        if connection.closed:
            self.stats["lost"] += 1
            return await self.get_unchecked(timeout)
        return connection

    async def put(self, connection):
        if connection.pool is not self:
            raise ValueError("the connection belongs to another pool")
        if self.closed:
            await connection.close()
            return
        self.run(ReturnConnection(self, connection))

    async def close(self, timeout=5.0):
        if self.closed:
            return
        async with self.lock:
            self.closed = True
            waiting, self.waiting = self.waiting, []
            idle = list(self.idle)
            self.idle.clear()
        for client in waiting:
            await client.fail(RuntimeError("the pool is closing"))
        for connection in idle:
            await connection.close()
