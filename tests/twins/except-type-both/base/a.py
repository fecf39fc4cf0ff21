import time

import wire
from settings import DEFAULT_RETRIES


class FeedClient(wire.Endpoint):
    """Reads a feed page by page."""

    def __init__(self, base_url, token, retries=DEFAULT_RETRIES):
        super().__init__(base_url)
        self.token = token
        self.retries = retries
        self.cursor = None

    def fetch(self, path, limit=100):
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        query = {"limit": limit, "cursor": self.cursor}
        for attempt in range(self.retries):
            try:
                reply = self.send("GET", path, headers=headers, query=query, timeout=30)
            except wire.Timeout:
                time.sleep(2**attempt)
                continue
            if reply.status == 429:
                time.sleep(reply.retry_after)
                continue
            if reply.status >= 400:
                raise wire.ReplyError(reply.status, reply.text)
            self.cursor = reply.json["next"]
            return reply.json["items"]
        raise wire.GaveUp(path)

    def pages(self, path, limit=100):
        """Every page from here on."""
        while True:
            page = self.fetch(path, limit=limit)
            if not page:
                return
            yield page
            if self.cursor is None:
                return

    def acknowledge(self, items):
        if not items:
            return 0
        body = {"ids": [item["id"] for item in items], "cursor": self.cursor}
        reply = self.send("POST", "/acknowledgements", body=body, timeout=30)
        return reply.json["accepted"]
