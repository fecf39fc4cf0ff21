class Lamp:
    def __init__(self, pin):
        self.pin = pin
        self._lit = False

    def _read_level(self):
        level = self.dimmer.read(self.pin)
        if level > self.highest:
            level = self.highest
        return level

    def _label(self):
        return f"lamp-{self.pin}"

    def light(self):
        if not self._lit:
            self.bus.write(self._label(), self._read_level())
        self._lit = True
