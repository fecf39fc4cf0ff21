class Pool:
    def __init__(self, size=8):
        self.size = size
        self.free = []

    def take(self):
        if not self.free:
            raise LookupError(self.size)
        return self.free.pop()

    def give(self, connection):
        if len(self.free) >= self.size:
            connection.close()
            return
        self.free.append(connection)
