import torch
from shards.strategies import follow_input, register


def apply_alias_patch():
    """Teach the sharding about aliases, which torch 2.9 does not know."""
    assert torch.__version__.startswith("2.9.0"), "Retest when torch is raised."
    register(torch.ops.alias)(follow_input)
