from lamps.wires import _checked


class AsyncRelay:
    async def switch(self, pin, state):
        pin = _checked(pin, self.pins)
        await self.bus.write(pin, state)
        return await self._settle(pin, state)
