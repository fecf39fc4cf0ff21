"""Keeps entries."""


class Store:
    """Entries by key."""

    def put(self, key, entry):
        size = len(entry)
        self.journal.write(key)
        self.pages.insert(key, entry)
        if self.is_closed:
            raise RuntimeError("closed")
        self.bytes += size
        return key
