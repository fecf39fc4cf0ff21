class Worker:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        sequence_parallel = config.get("sequence_parallel", False)
        if sequence_parallel and tp_size == 1:
            print("no effect")
        elif sequence_parallel and tp_size > 1:
            raise RuntimeError("sequence parallel is broken")
        self.ready = True
