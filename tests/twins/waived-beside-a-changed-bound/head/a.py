class Loader:
    def plan(self, options):
        if options.shards > 128:
            raise ValueError("more shards than files")
        if options.workers > 16:
            # consistency: differs(raise) The other loader runs alone.
            raise ValueError("more workers than cores")
        return {"shards": options.shards, "seed": options.seed}
