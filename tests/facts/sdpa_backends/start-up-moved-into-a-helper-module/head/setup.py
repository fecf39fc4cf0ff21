from torch.nn.attention import SDPBackend


class Settings:
    attn_impl: str | None


def prepare(config):
    packed = config["packing"]["enabled"]
    cp = config["parallel"]["cp_size"]
    attn_impl = "flash_attention_2" if packed and cp == 1 else ("sdpa" if cp > 1 else None)
    if packed and cp > 1:
        raise ValueError("packing and context parallel")
    return Settings(attn_impl=attn_impl)


def set_up(config, settings, manager):
    cp_size = manager.cp_size
    if cp_size > 1:
        sdpa_method = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
    elif config["parallel"]["activation_checkpointing"]:
        sdpa_method = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    else:
        sdpa_method = None
    model = Model.from_pretrained(config["name"], attn_implementation=settings.attn_impl, sdpa_method=sdpa_method)
    if config["parallel"]["activation_checkpointing"]:
        from torch.backends import cuda

        cuda.enable_cudnn_sdp(False)
    return model
