"""Takes orders over an event loop."""

from orders import accepted, priced
from tills import Refused


class AsyncCounter:
    """A counter for event loops."""

    def __init__(self, till, journal):
        self.till = till
        self.journal = journal

    async def take(self, order):
        try:
            bill = priced(order)
        except ValueError as error:
            self.till.reject(order, reason=str(error))
            return None
        try:
            receipt = await accepted(bill, self.till)
        except Refused as error:
            self.till.reject(order, reason=str(error))
            return None
        return receipt

    async def serve(self, queue):
        async for order in queue:
            if await self.take(order) is None:
                self.journal.warning("order not taken", order.number)
                self.till.beep()
