from lamps.wires import _trusted


class Relay:
    def switch(self, pin, state):
        pin = _trusted(pin, self.pins)
        self.bus.write(pin, state)
        return self._settle(pin, state)
