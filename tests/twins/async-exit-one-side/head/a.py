"""Connections that are lent out and taken back."""

import threading
from contextlib import contextmanager

from wire import Connection, PoolExhausted


class ConnectionPool:
    """Lends blocking connections."""

    MAX_IDLE = 30

    def __init__(self, address, size=10, timeout=5.0):
        self.address = address
        self.size = size
        self.timeout = timeout
        self.idle = []
        self.lent = set()
        self.lock = threading.Lock()

    def acquire(self, key=None):
        with self.lock:
            if len(self.lent) >= self.size:
                raise PoolExhausted("every connection is lent")
            connection = self.idle.pop() if self.idle else Connection(self.address, timeout=self.timeout)
            self.lent.add(connection)
        try:
            connection.open(key=key)
        except ConnectionError:
            self.discard(connection)
            raise
        return connection

    def release(self, connection):
        with self.lock:
            self.lent.remove(connection)
            if connection.age() < self.MAX_IDLE and not connection.is_broken():
                self.idle.append(connection)
                return
        connection.close()

    def discard(self, connection):
        self.lent.discard(connection)
        connection.close()

    @contextmanager
    def lease(self, key=None):
        """A connection for the length of a block."""
        connection = self.acquire(key)
        try:
            yield connection
        finally:
            self.release(connection)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def close(self):
        for connection in [*self.idle, *self.lent]:
            connection.close()
        self.idle.clear()
        self.lent.clear()
