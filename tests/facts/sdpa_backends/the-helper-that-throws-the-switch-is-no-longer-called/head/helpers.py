import torch


def without_cudnn():
    torch.backends.cuda.enable_cudnn_sdp(False)
