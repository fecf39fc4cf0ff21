import sockets

try:
    import turbines
except ImportError:
    turbines = None

LIMIT = 30


class AsyncMill:
    async def grind(self, sack):
        if sack.weight > LIMIT:
            raise ValueError(sack)
        return await self.stones.turn(sack)
