from patches import apply_alias_patch
from setup import connect, prepare_model

class WorkerV2:
    def setup(self, config):
        """Sets the worker up."""
        apply_alias_patch()
        connect()
        self.model = prepare_model(config)
