"""What the trainers change in libraries that they cannot wait for."""

import engine
import torch
from torch.distributed.tensor import register_rule, same_as_input


def open_engine_patch():
    engine.dtype_of = torch.dtype


def register_alias_rule_patch():
    """Gives `aten.alias` the sharding of its input, which torch 2.9 forgets."""
    register_rule(torch.ops.aten.alias.default)(same_as_input)
