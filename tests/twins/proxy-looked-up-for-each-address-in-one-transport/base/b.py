"""HTTP for the flag client, on an event loop."""

import aioweb
from http_parts import Reply, base_headers, proxy_for, tls_context


class AsyncTransport:
    """Requests with the client's headers, through its proxy."""

    def __init__(self, config):
        self.config = config
        self.options = config.http
        self.headers = base_headers(config)
        self.session = None

    def open(self):
        if self.session is None:
            connector = aioweb.Connector(limit=5, ssl=tls_context(self.options))
            self.session = aioweb.Session(connector=connector, raise_for_status=False)
        return self.session

    async def request(self, method, uri, headers=None, body=None, read_timeout=None):
        proxy = self.options.proxy
        timeout = aioweb.Timeout(
            connect=self.options.connect_timeout,
            sock_read=read_timeout if read_timeout is not None else self.options.read_timeout,
        )
        async with self.open().request(
            method,
            uri,
            headers={**self.headers, **(headers or {})},
            data=body,
            timeout=timeout,
            proxy=proxy,
        ) as reply:
            text = await reply.text(encoding="utf-8", errors="replace")
            return Reply(reply.status, reply.headers, text)

    async def close(self):
        if self.session is not None:
            await self.session.close()
            self.session = None
