import torch.distributed as dist


class WorkerV2:
    def setup(self, config):
        dist.init_process_group(config["backend"])
