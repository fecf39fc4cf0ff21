from setup import prepare, set_up


class WorkerB:
    def __init__(self, config):
        self.cfg = config
        settings = prepare(config=config)
        manager = Manager(
            cp_size=config["parallel"]["cp_size"],
            activation_checkpointing=config["parallel"]["activation_checkpointing"],
        )
        self.model = set_up(config=config, settings=settings, manager=manager)

    def train(self, batches):
        for batch in batches:
            loss = self.model(batch)
            loss.backward()
