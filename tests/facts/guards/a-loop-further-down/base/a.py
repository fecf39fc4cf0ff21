def pick(devices):
    for device in devices:
        if device.is_free:
            return device
    raise RuntimeError("no device is free")
