class AsyncClient:
    async def tell(self, event, *args):
        if event in self.handlers:
            try:
                reply = await self.handlers[event](*args)
            except self.expected:
                self.log.warning("a handler failed")
            else:
                return reply
        return self.nothing
