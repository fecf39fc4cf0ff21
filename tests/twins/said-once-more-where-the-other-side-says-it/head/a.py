class Mill:
    def __init__(self, plan):
        self.plan = plan
        if not self.has_water():
            self.open_sluice(speed=self.plan.get("speed", 3))
        self.plan = plan
        self.wheel = Wheel(plan)

    def grind(self, sort):
        if sort == "rye":
            share = self.weight // self.stones
            self.stone.turn(share)
        elif sort == "wheat":
            share = self.weight // self.stones
            self.stone.turn(share)
        self.sacks.tie()
