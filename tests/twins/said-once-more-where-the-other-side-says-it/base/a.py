class Mill:
    def __init__(self, plan):
        if not self.has_water():
            self.open_sluice(speed=3)
        self.plan = plan
        self.wheel = Wheel(plan)

    def grind(self, sort):
        if sort == "rye":
            share = self.weight // self.stones
            self.stone.turn(share)
        elif sort == "wheat":
            self.stone.turn(self.weight)
        self.sacks.tie()
