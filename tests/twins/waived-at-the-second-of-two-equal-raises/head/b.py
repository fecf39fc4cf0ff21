class Loader:
    def plan(self, options):
        if options.shards > 64:
            raise ValueError("more shards than files")
        return {"shards": options.shards, "seed": options.seed}
