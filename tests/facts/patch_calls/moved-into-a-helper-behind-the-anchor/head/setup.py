import torch
from patches import configure_cache


def connect():
    torch.distributed.init_process_group(backend="nccl")


def prepare_model(config):
    configure_cache()
    return Model.from_pretrained(config["model_name"])
