"""Uploads parcels, one after the other."""

from couriers import Label, LabelError, Scale


class Sender:
    """Hands parcels over to a courier."""

    def __init__(self, courier, limit=30):
        self.courier = courier
        self.limit = limit
        self.sent = []

    def send(self, parcels, zone, rush=False):
        """The labels of what was taken."""
        if zone < 0:
            raise LabelError("there is no such zone")
        labels = []
        for parcel in parcels:
            if parcel.weight > self.limit:
                continue
            label = self.booked(parcel, zone, rush)
            labels.append(label)
        if rush:
            self.courier.hurry()
        self.sent.extend(labels)
        return labels

    def weigh(self, parcel):
        scale = Scale(self.courier.unit)
        parcel.weight = scale.read(parcel, settle=2)
        return parcel.weight

    def booked(self, item, area, is_rush):
        cost = item.weight * area + self.courier.fee
        done = Label(item.code, cost, rush=is_rush, insured=item.value > 100)
        self.courier.book(done, zone=area, hold=not is_rush)
        return done
