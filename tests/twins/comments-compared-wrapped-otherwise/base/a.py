def send(message, limit=80):
    # A longer message would be cut by the printer,
    # which nobody would notice.
    if len(message) > limit:
        raise ValueError(message)
    return printer.put(message)
