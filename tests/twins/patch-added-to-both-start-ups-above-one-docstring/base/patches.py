"""What the trainers change in libraries that they cannot wait for."""

import engine
import torch


def open_engine_patch():
    engine.dtype_of = torch.dtype
