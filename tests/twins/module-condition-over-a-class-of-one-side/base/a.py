import sockets

try:
    import turbines
except ImportError:
    turbines = None

LIMIT = 30


class Mill:
    def grind(self, sack):
        if sack.weight > LIMIT:
            raise ValueError(sack)
        return self.stones.turn(sack)
