"""Decides whether a request is worth another attempt."""

import random
import time

from retry_state import RetryState


class RetryHandler:
    """Asked after each attempt; `can_retry` answers, `prepare` waits."""

    def __init__(self, most=1, pause=0.5):
        self.most = most
        self.pause = pause

    def can_retry(self, state, request, response=None, error=None):
        if state.attempt >= self.most:
            return False
        return self._can_retry(state, request, response, error)

    def _can_retry(self, state, request, response=None, error=None):
        raise NotImplementedError

    def prepare(self, state, request, response=None, error=None):
        seconds = self.pause * 2**state.attempt + random.random() / 10
        state.next_requested = True
        time.sleep(seconds)
        state.attempt += 1


class ConnectionErrorHandler(RetryHandler):
    """Tries again when the connection was lost."""

    def __init__(self, most=1, pause=0.5, errors=(ConnectionResetError, TimeoutError)):
        super().__init__(most, pause)
        self.errors = errors

    def _can_retry(self, state, request, response=None, error=None):
        if error is None:
            return False
        return isinstance(error, self.errors)


class RateLimitHandler(RetryHandler):
    """Waits as long as the server says."""

    def _can_retry(self, state, request, response=None, error=None):
        return response is not None and response.status == 429

    def prepare(self, state, request, response=None, error=None):
        told = response.headers.get("Retry-After")
        state.next_requested = True
        time.sleep(int(told[0]) + random.random() if told else random.random())
        state.attempt += 1


class ServerErrorHandler(RetryHandler):
    """Tries again when the server says that the fault is its own."""

    def _can_retry(self, state, request, response=None, error=None):
        return response is not None and response.status in (500, 503)
