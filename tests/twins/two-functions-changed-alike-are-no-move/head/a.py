class Harbour:
    def berth(self, ship, dock=None):
        dock = dock or self.first
        number = self.register.number_of(ship, dock)
        plan = self.office.plan_of(number)
        return plan.setdefault(dock, {})

    def keep(self, ship, cargo, dock=None):
        dock = dock or self.first
        number = self.register.number_of(ship, dock)
        plan = self.office.plan_of(number)
        plan[dock] = cargo
