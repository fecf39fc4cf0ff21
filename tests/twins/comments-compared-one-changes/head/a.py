def send(message, limit=80):
    # A longer message would be cut by the printer,
    # which the printer reports.
    if len(message) > limit:
        raise ValueError(message)
    return printer.put(message)
