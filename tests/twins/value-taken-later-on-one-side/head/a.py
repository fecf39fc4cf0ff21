"""Keeps entries."""


class Store:
    """Entries by key."""

    def put(self, key, entry):
        if self.is_closed:
            raise RuntimeError("closed")
        self.journal.write(key)
        self.pages.insert(key, entry)
        size = len(entry)
        self.bytes += size
        return key
