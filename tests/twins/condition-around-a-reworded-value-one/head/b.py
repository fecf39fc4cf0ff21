class AsyncRequest:
    def scheme(self):
        if b"forwarded" in self.headers:
            first = self.forwarded[0]
            scheme = first.scheme or self.own_scheme
        else:
            scheme = self.headers[b"x-scheme"].decode()
        return scheme

    async def drop(self, peer):
        if self.knows(peer):
            await self.line_of(peer).close()
            del self.lines[peer]
