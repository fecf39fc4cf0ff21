import torch
from triton.language import core


def start(self):
    core.get_int_dtype = wrap(core.get_int_dtype)
