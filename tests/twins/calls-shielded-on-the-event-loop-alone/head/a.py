import asyncio


class AsyncTap:
    async def close(self):
        await asyncio.shield(self.valve.shut())
        drops = await asyncio.shield(self.pipe.drain(self.bucket))
        return drops
