# The same in another file,
# further down.
async def pick(devices):
    async for each in devices:
        if each.is_free:
            return each
    raise RuntimeError("no device is free")
