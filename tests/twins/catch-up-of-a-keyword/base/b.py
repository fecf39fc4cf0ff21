import asyncio

import wire
from settings import DEFAULT_RETRIES


class AsyncFeedClient(wire.AsyncEndpoint):
    """Reads a feed page by page."""

    def __init__(self, base_url, token, retries=DEFAULT_RETRIES):
        super().__init__(base_url)
        self.token = token
        self.retries = retries
        self.cursor = None

    async def fetch(self, path, limit=100):
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        query = {"limit": limit, "cursor": self.cursor}
        for attempt in range(self.retries):
            try:
                reply = await self.send("GET", path, headers=headers, query=query)
            except wire.Timeout:
                await asyncio.sleep(2**attempt)
                continue
            if reply.status == 429:
                await asyncio.sleep(reply.retry_after)
                continue
            if reply.status >= 400:
                raise wire.ReplyError(reply.status, reply.text)
            self.cursor = reply.json["next"]
            return reply.json["items"]
        raise wire.GaveUp(path)

    async def pages(self, path, limit=100):
        """Every page from here on."""
        while True:
            page = await self.fetch(path, limit=limit)
            if not page:
                return
            yield page
            if self.cursor is None:
                return

    async def acknowledge(self, items):
        if not items:
            return 0
        body = {"ids": [item["id"] for item in items], "cursor": self.cursor}
        reply = await self.send("POST", "/acknowledgements", body=body, timeout=30)
        return reply.json["accepted"]
