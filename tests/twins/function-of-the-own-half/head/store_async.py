from .locks import locks, kinds
from .waits_async import locks_async


class AsyncStore:
    async def hold(self, key):
        if locks_async.taken(key):
            return None
        return kinds.of(key)
