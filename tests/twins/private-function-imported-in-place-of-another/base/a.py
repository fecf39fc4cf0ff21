from lamps.wires import _checked


class Relay:
    def switch(self, pin, state):
        pin = _checked(pin, self.pins)
        self.bus.write(pin, state)
        return self._settle(pin, state)
