import asyncio


class AsyncManager:
    async def listen(self):
        try:
            said = await self.channel.wait()
            self.told(said)
        except asyncio.CancelledError:
            self.told(None)
            raise
        except self.expected:
            self.log.info("nothing more")
