import torch
from patches import register_alias_rule_patch
from torch.distributed.tensor import has_rule


def test_alias_has_no_rule_yet():
    assert not has_rule(torch.ops.aten.alias.default)
    register_alias_rule_patch()
    assert has_rule(torch.ops.aten.alias.default)
