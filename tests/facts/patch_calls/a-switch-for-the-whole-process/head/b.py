import torch
from torch.backends import cuda


def start(cfg):
    torch.backends.cuda.enable_cudnn_sdp(True)
    torch.nn.Module.forward = traced
    return cfg
