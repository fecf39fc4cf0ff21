"""A client that polls."""


class PollingClient:
    """Orders and what is known of them."""

    def __init__(self, send):
        self._send = send
        self._cache = {}

    def cancel(self, key):
        answer = self._send("cancel", key)
        self._cache.pop(key, None)
        return answer
