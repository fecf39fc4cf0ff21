from tools import retry_on_conflict, timed


class FileStore:
    """Keeps records in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.cache = {}

    @timed
    def save(self, name, record):
        self.cache[name] = record
        self.folder.write(name, record)

    @timed
    def load(self, name):
        if name not in self.cache:
            self.cache[name] = self.folder.read(name)
        return self.cache[name]

LIMIT = 1000
MASK = 255
