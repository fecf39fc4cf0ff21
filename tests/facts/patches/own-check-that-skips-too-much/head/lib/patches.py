import torch
from packaging.version import Version
from shards.strategies import follow_input, register


def apply_alias_patch():
    """Teach the sharding about aliases, which torch 2.9 does not know."""
    if Version(torch.__version__) >= Version("2.9.1"):
        return
    register(torch.ops.alias)(follow_input)
