class AsyncRequest:
    def scheme(self):
        if b"forwarded" in self.headers:
            forwarded = self.forwarded
            if forwarded:
                scheme = forwarded[0].scheme or self.own_scheme
            else:
                scheme = self.own_scheme
        else:
            scheme = self.headers[b"x-scheme"].decode()
        return scheme

    async def drop(self, peer):
        if self.knows(peer):
            await self.line_of(peer).close()
            del self.lines[peer]
