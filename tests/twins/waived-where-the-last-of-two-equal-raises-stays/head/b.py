class Loader:
    def plan(self, options):
        if options.shards > 64:
            raise ValueError("more shards than files")
        if options.workers > 16:
            # consistency: differs(raise) The other loader has no workers any more.
            raise ValueError("more workers than cores")
        return {"shards": options.shards, "seed": options.seed}
