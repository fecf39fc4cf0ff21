"""Decides whether a request is worth another attempt, on an event loop."""

import asyncio
import random

from retry_state import RetryState


class AsyncRetryHandler:
    """Asked after each attempt; `can_retry` answers, `prepare` waits."""

    def __init__(self, most=1, pause=0.5):
        self.most = most
        self.pause = pause

    async def can_retry(self, state, request, response=None, error=None):
        if state.attempt >= self.most:
            return False
        return await self._can_retry(state, request, response, error)

    async def _can_retry(self, state, request, response=None, error=None):
        raise NotImplementedError

    async def prepare(self, state, request, response=None, error=None):
        seconds = self.pause * 2**state.attempt + random.random() / 10
        state.next_requested = True
        await asyncio.sleep(seconds)
        state.attempt += 1


class AsyncConnectionErrorHandler(AsyncRetryHandler):
    """Tries again when the connection was lost."""

    def __init__(self, most=1, pause=0.5, errors=(ConnectionResetError, asyncio.TimeoutError)):
        super().__init__(most, pause)
        self.errors = errors

    async def _can_retry(self, state, request, response=None, error=None):
        if error is None:
            return False
        return isinstance(error, self.errors)


class AsyncRateLimitHandler(AsyncRetryHandler):
    """Waits as long as the server says."""

    async def _can_retry(self, state, request, response=None, error=None):
        return response is not None and response.status == 429

    async def prepare(self, state, request, response=None, error=None):
        told = response.headers.get("Retry-After")
        state.next_requested = True
        await asyncio.sleep(int(told[0]) + random.random() if told else random.random())
        state.attempt += 1


class AsyncServerErrorHandler(AsyncRetryHandler):
    """Tries again when the server says that the fault is its own."""

    async def _can_retry(self, state, request, response=None, error=None):
        return response is not None and response.status in (500, 503)
