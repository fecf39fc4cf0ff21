class Harbour:
    async def berth(self, ship, dock=None):
        dock = dock or self.first
        plan = await self.office.plan_of(ship)
        return plan.setdefault(dock, {})

    async def keep(self, ship, cargo, dock=None):
        dock = dock or self.first
        plan = await self.office.plan_of(ship)
        plan[dock] = cargo
