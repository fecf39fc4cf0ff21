async def connect(address=None, *, credentials=None, port=None):
    plan, rest = parsed(address=address, credentials=credentials, port=port)
    return Line(plan, rest)
