"""Channels of the blocking cache client."""

import rpc
from cache_interceptors import HeaderInterceptor, RetryInterceptor
from cache_stubs import CacheStub, ControlStub

VERSION = "1.4.0"


class ControlChannel:
    """What creates and drops caches."""

    def __init__(self, key, endpoint):
        self.channel = rpc.intercept_channel(open_channel(endpoint), *interceptors(key))

    def stub(self):
        return ControlStub(self.channel)

    def close(self):
        self.channel.close()


class DataChannel:
    """What reads and writes items, with a deadline for each call."""

    def __init__(self, key, endpoint, deadline=5.0):
        self.deadline = deadline
        self.channel = rpc.intercept_channel(open_channel(endpoint), *interceptors(key))

    def stub(self):
        return CacheStub(self.channel)

    def get(self, cache, item):
        reply = self.stub().Get(item, metadata=[("cache", cache)], timeout=self.deadline)
        return reply.body if reply.found else None

    def set(self, cache, item, body, seconds):
        if seconds <= 0:
            raise ValueError("an item must live for some time")
        call = self.stub().Set
        call(item, body, int(seconds * 1000), metadata=[("cache", cache)], timeout=self.deadline)

    def close(self):
        self.channel.close()


def open_channel(endpoint):
    return rpc.secure_channel(endpoint, rpc.ssl_credentials(), options=[("keepalive", True)])


def interceptors(key):
    headers = [("authorization", key), ("agent", f"python:{VERSION}")]
    return [HeaderInterceptor(headers), RetryInterceptor(attempts=3)]
