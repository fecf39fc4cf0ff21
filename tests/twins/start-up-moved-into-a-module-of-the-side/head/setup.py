import torch
from patches import open_engine_patch, register_alias_rule_patch
from torch.nn.attention import SDPBackend


def start(cfg):
    """What has to happen before anything is built."""
    open_engine_patch()
    register_alias_rule_patch()
    torch.distributed.init_process_group("nccl")
    return Sizes(cp_size=cfg["mesh"]["cp_size"], tp_size=cfg["mesh"]["tp_size"])


def kernels_for(cp_size, memory):
    if cp_size > 1:
        return [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
    if memory["recompute"]:
        return [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    return None


def build(cfg, sizes):
    net = AutoNet.from_config(cfg["net"], sdpa_method=kernels_for(sizes.cp_size, cfg["memory"]))
    if cfg["memory"]["recompute"]:
        torch.backends.cuda.enable_cudnn_sdp(False)
    plan = Plan(cp_size=sizes.cp_size, activation_checkpointing=cfg["memory"]["recompute"])
    return net, plan
