"""Uploads parcels, one after the other."""

from couriers import Label, LabelError, Scale


class AsyncSender:
    """Hands parcels over to a courier."""

    def __init__(self, courier, limit=30):
        self.courier = courier
        self.limit = limit
        self.sent = []

    async def send(self, parcels, zone, rush=False):
        """The labels of what was taken."""
        if zone < 0:
            raise LabelError("there is no such zone")
        labels = []
        for parcel in parcels:
            if parcel.weight > self.limit:
                continue
            label = await self.booked(parcel, zone, rush)
            labels.append(label)
        if rush:
            await self.courier.hurry()
        self.sent.extend(labels)
        return labels

    async def weigh(self, parcel):
        scale = Scale(self.courier.unit)
        parcel.weight = await scale.read(parcel, settle=2)
        return parcel.weight

    async def booked(self, item, area, is_rush):
        cost = item.weight * area + self.courier.fee
        done = Label(item.code, cost, rush=is_rush, insured=item.value > 100)
        await self.courier.book(done, zone=area, hold=not is_rush)
        return done
