import patches
from helpers import startup
from helpers.startup import prepare_process as prepare

class WorkerV2:
    def setup(self, config):
        """Sets the worker up."""
        from patches import apply_engine_patch as apply_it

        prepare()
        apply_it()
        patches.configure_cache()
        startup.connect()
        self.model = Model.from_pretrained(config["model_name"])
