"""Keeps entries."""


class Store:
    """Entries by key."""

    def put(self, key, entry):
        if self.is_closed:
            raise RuntimeError("closed")
        size = len(entry)
        self.journal.write(key)
        self.pages.insert(key, entry)
        self.bytes += size
        return key
