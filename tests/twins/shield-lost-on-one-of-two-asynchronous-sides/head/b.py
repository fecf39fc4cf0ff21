import asyncio


class OtherTap:
    async def close(self):
        await asyncio.shield(self.valve.shut())
        drops = await self.pipe.drain(self.bucket)
        return drops
