import torch.distributed as dist


class Worker:
    def setup(self, config):
        dist.init_process_group(config["backend"])
