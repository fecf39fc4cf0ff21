class Mill:
    def __init__(self, plan):
        self.plan = plan
        if not self.has_water():
            self.open_sluice(speed=self.plan.get("speed", 3))
        self.wheel = Wheel(plan)

    def grind(self, sort):
        share = self.weight // self.stones
        if sort == "rye":
            self.stone.turn(share)
        elif sort == "wheat":
            self.stone.turn(share)
        self.sacks.tie()
