class Harbour:
    def berth(self, ship, dock=None):
        dock = dock or self.first
        plan = self.office.plan_of(ship)
        return plan.setdefault(dock, {})

    def keep(self, ship, cargo, dock=None):
        dock = dock or self.first
        plan = self.office.plan_of(ship)
        plan[dock] = cargo
