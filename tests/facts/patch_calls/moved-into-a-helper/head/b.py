from patches import apply_alias_patch
from setup import connect, prepare

class WorkerV2:
    def setup(self, config):
        """Sets the worker up."""
        apply_alias_patch()
        prepare(config)
        connect()
        self.model = Model.from_pretrained(config["model_name"])
