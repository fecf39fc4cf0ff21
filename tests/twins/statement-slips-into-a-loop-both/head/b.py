"""Collects shards."""


class StagedCollector:
    """Reads what the ranks wrote."""

    def collect(self, stages, wanted):
        found = []
        for rank in stages:
            shard = self.store.read(rank)
            if shard.name in wanted:
                found.append(shard)
                self.log.info("rank %s", rank)
            elif shard.is_stale:
                self.store.drop(shard)
            else:
                self.count += 1
            self.store.close()
        return found
