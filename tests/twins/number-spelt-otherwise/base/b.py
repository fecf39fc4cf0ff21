from tools import retry_on_conflict, timed


class BucketStore:
    """Keeps records in a remote bucket."""

    def __init__(self, bucket):
        self.bucket = bucket
        self.cache = {}

    @timed
    def save(self, name, record):
        self.cache[name] = record
        self.bucket.put(name, record)

    @timed
    def load(self, name):
        if name not in self.cache:
            self.cache[name] = self.bucket.fetch(name)
        return self.cache[name]

LIMIT = 1000
MASK = 255
