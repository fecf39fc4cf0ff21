class AsyncLine:
    async def ask_one(self, text, *args):
        inner = self.inner
        if inner.taken_by:
            raise Taken(inner.taken_by)
        answer = await self.protocol.run(text=text, args=args, one=True)
        self.log.info("asked")
        inner.asked += 1
        first = await answer.first(inner)
        return first

    async def fetch_one(self, text, *args):
        self.warn("ask with `ask_one`")
        return await self.ask_one(text, *args)
