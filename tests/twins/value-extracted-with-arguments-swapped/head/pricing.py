"""What a parcel costs."""


def price_of(kilos, factor, extra=0):
    """By weight and distance."""
    return kilos * factor + extra
