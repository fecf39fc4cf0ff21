class Loader:
    def plan(self, options):
        # consistency: differs(raise) Not the new one.
        if options.shards > 64:
            # consistency: differs(raise) Not the new one.
            raise ValueError("more shards than files")
        if options.workers > 16:
            raise ValueError("more workers than cores")
        return {"shards": options.shards, "seed": options.seed}
