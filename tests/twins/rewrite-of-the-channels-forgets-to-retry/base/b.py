"""Channels of the asyncio cache client."""

import rpc.aio
from cache_interceptors.aio import HeaderInterceptor, RetryInterceptor
from cache_stubs import CacheStub, ControlStub

VERSION = "1.4.0"


class ControlChannel:
    """What creates and drops caches."""

    def __init__(self, key, endpoint):
        self.channel = open_channel(endpoint, interceptors(key))

    def stub(self):
        return ControlStub(self.channel)

    async def close(self):
        await self.channel.close()


class DataChannel:
    """What reads and writes items, with a deadline for each call."""

    def __init__(self, key, endpoint, deadline=5.0):
        self.deadline = deadline
        self.channel = open_channel(endpoint, interceptors(key))

    def stub(self):
        return CacheStub(self.channel)

    async def get(self, cache, item):
        reply = await self.stub().Get(item, metadata=[("cache", cache)], timeout=self.deadline)
        return reply.body if reply.found else None

    async def set(self, cache, item, body, seconds):
        if seconds <= 0:
            raise ValueError("an item must live for some time")
        call = self.stub().Set
        await call(item, body, int(seconds * 1000), metadata=[("cache", cache)], timeout=self.deadline)

    async def close(self):
        await self.channel.close()


def open_channel(endpoint, interceptors):
    credentials = rpc.ssl_credentials()
    return rpc.aio.secure_channel(endpoint, credentials, interceptors=interceptors, options=[("keepalive", True)])


def interceptors(key):
    headers = [("authorization", key), ("agent", f"python:{VERSION}")]
    return [HeaderInterceptor(headers), RetryInterceptor(attempts=3)]
