import torch
from patches import apply_alias_patch as patch


def prepare_process():
    patch()


def connect():
    torch.distributed.init_process_group(backend="nccl")
