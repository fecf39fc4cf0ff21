"""A switchboard that blocks."""

from wires import framed, is_open


class Switchboard:
    """Sends to one line, or to all of them."""

    def __init__(self, lines):
        self.lines = lines

    def send(self, line, message, urgent=False, seconds=2.0):
        """Writes one message to one line."""
        if not is_open(line):
            raise ConnectionError("the line is closed")
        line.write(framed(message, urgent), seconds)

    def broadcast(self, message, urgent=False):
        for line in filter(is_open, self.lines):
            self._write(line, message, urgent=urgent)

    def _write(self, line, message, urgent=False):
        line.write(framed(message, urgent), 0.0)
