def connect(address=None, *, credentils=None, port=None):
    plan, rest = parsed(address=address, credentials=credentils, port=port)
    return Line(plan, rest)
