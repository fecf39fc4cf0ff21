class Loader:
    def plan(self, options):
        if options.shards > 64:
            raise ValueError("more shards than files")
        if options.workers > 16:
            raise ValueError("more workers than cores")
        return {"shards": options.shards, "seed": options.seed}
