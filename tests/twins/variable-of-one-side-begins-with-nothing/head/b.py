class AsyncClient:
    async def tell(self, event, *args):
        if event in self.handlers:
            try:
                return await self.handlers[event](*args)
            except self.expected:
                self.log.warning("a handler failed")
        return self.nothing
