class AsyncLamp:
    def __init__(self, pin):
        self.pin = pin
        self._lit = False

    def _level(self):
        level = self.dimmer.read(self.pin)
        if level > self.highest:
            level = self.highest
        return level

    def _name(self):
        return f"lamp-{self.pin}"

    async def light(self):
        if not self._lit:
            await self.bus.write(self._name(), self._level())
        self._lit = True
