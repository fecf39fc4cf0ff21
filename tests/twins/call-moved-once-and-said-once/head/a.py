"""Takes orders over one connection after another."""

from orders import accepted, priced
from tills import Refused


class Counter:
    """A counter that blocks."""

    def __init__(self, till, journal):
        self.till = till
        self.journal = journal

    def take(self, order):
        """The receipt, or None where the order cannot be taken."""
        try:
            bill = priced(order)
        except ValueError as error:
            self.till.reject(order, reason=str(error))
            return None
        try:
            receipt = accepted(bill, self.till)
        except Refused as error:
            self.journal.warning("order not taken", order.number)
            self.till.reject(order, reason=str(error))
            return None
        return receipt

    def serve(self, queue):
        for order in queue:
            if self.take(order) is None:
                self.till.beep()
