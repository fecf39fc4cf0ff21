"""A switchboard for event loops."""

from wires import framed, is_open


class AsyncSwitchboard:
    """Sends to one line, or to all of them."""

    def __init__(self, lines):
        self.lines = lines

    async def send(self, line, message, *, urgent=False, seconds=2.0):
        if not is_open(line):
            raise ConnectionError("the line is closed")
        await line.write(framed(message, urgent), seconds)

    async def broadcast(self, message, urgent=False):
        for line in filter(is_open, self.lines):
            await self._write(line, message, urgent=urgent)

    async def _write(self, line, message, urgent=False):
        await line.write(framed(message, urgent), 0.0)
