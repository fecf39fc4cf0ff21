class AsyncPool:
    def __init__(self, size=8):
        self.size = size
        self.free = []

    async def take(self):
        if not self.free:
            raise LookupError(self.size)
        return self.free.pop()

    async def give(self, connection):
        if len(self.free) >= self.size:
            await connection.close()
            return
        self.free.append(connection)
