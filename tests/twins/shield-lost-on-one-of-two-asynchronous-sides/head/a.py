import asyncio


class AsyncTap:
    async def close(self):
        await self.valve.shut()
        drops = await self.pipe.drain(self.bucket)
        return drops
