import torch
import triton.language.core


def start(self):
    setattr(triton.language.core, "get_int_dtype", wrap(1))
    self.forward = None
