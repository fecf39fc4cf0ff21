"""Talks to the vector store over HTTP."""

import json

import web
from store_errors import StoreError, UnexpectedReply


class StoreClient:
    """Requests to one host, each on a connection of the pool."""

    def __init__(self, host, key=None, middleware=None, **options):
        self.host = host.rstrip("/")
        self.key = key
        self.middleware = middleware or self.send_plain
        self.pool = web.Client(**options)

    def headers(self):
        """The headers that every request carries."""
        headers = {"Accept": "application/json"}
        if self.key is not None:
            headers["Api-Key"] = self.key
        return headers

    def request(self, kind, method, path, params=None, body=None):
        """One call; its reply is decoded as `kind`."""
        query = {name: value for name, value in (params or {}).items() if value is not None}
        content = None if body is None else json.dumps(body)
        options = {}
        if "timeout" in query:
            options["timeout"] = float(query["timeout"])
        request = self.pool.build_request(
            method,
            f"{self.host}{path}",
            headers=self.headers(),
            params=query,
            content=content,
            **options,
        )
        return self.send(request, kind)

    def send(self, request, kind):
        reply = self.middleware(request)
        if reply.status_code == 429:
            raise StoreError(f"slow down, retry in {reply.headers['Retry-After']} s")
        if reply.status_code not in (200, 201, 202):
            raise UnexpectedReply(reply.status_code, reply.text)
        try:
            return kind(**reply.json()["result"])
        except (KeyError, TypeError) as error:
            raise UnexpectedReply(reply.status_code, reply.text) from error

    def send_plain(self, request):
        try:
            return self.pool.send(request)
        except web.TransportError as error:
            raise StoreError(str(error)) from error

    def close(self):
        self.pool.close()
