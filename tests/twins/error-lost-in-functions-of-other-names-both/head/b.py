class AsyncParser:
    def __aiter__(self):
        return self._parts()

    async def _parts(self):
        async for part in self.stream:
            if part.size > self.most:
                raise PartError(description="a part is larger than allowed")
            if await self.stream.peek(2) == b"--":
                break
            await self.stream.read_until(b"\r\n", 0)
            yield part
            if self.stream.ends_early:
                raise PartError(description="the form ends in the midst")
