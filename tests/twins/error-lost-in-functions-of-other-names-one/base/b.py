class AsyncParser:
    def __aiter__(self):
        return self._parts()

    async def _parts(self):
        async for part in self.stream:
            if part.size > self.most:
                raise PartError(description="a part is larger than allowed")
            mark = await self.stream.read_until(b"\r\n", 2)
            if mark == b"--":
                break
            elif mark:
                raise PartError(description="no delimiter where one is due")
            yield part
            if self.stream.ends_early:
                raise PartError(description="the form ends in the midst")
