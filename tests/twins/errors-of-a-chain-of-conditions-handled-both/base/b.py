class AsyncManager:
    async def listen(self):
        async for said in self.channel.listen():
            self.log.info("a message")
            if said["kind"] == "emit":
                await self.emitted(said)
            elif said["kind"] == "close":
                await self.closed(said)
