import sockets

try:
    import turbines
except ImportError:
    turbines = None

LIMIT = 30


if turbines is not None:

    class Spinner(turbines.Wheel):
        def spin(self, speed):
            return super().spin(speed * self.ratio)


class Mill:
    def grind(self, sack):
        if sack.weight > LIMIT:
            raise ValueError(sack)
        return self.stones.turn(sack)
