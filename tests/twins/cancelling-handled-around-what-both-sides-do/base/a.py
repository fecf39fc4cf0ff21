import asyncio


class AsyncManager:
    async def listen(self):
        try:
            said = await self.channel.wait()
            self.told(said)
        except self.expected:
            self.log.info("nothing more")
