"""The backends of PyTorch's scaled dot product attention, and how code names them."""

from collections.abc import Iterator

from consistency_bot.facts.conditions.values import Choices, Items, Literal, Path, Unread, Value

BACKENDS = ("FLASH_ATTENTION", "EFFICIENT_ATTENTION", "MATH", "CUDNN_ATTENTION")
"""What `torch.nn.attention.SDPBackend` lets code choose, as of PyTorch 2.9 (`torch/nn/attention/__init__.py`)."""

SHORT = {"FLASH_ATTENTION": "FLASH", "EFFICIENT_ATTENTION": "EFFICIENT", "CUDNN_ATTENTION": "CUDNN"}
"""How tables name them."""

SWITCHES = {
    "enable_flash_sdp": "FLASH_ATTENTION",
    "enable_mem_efficient_sdp": "EFFICIENT_ATTENTION",
    "enable_math_sdp": "MATH",
    "enable_cudnn_sdp": "CUDNN_ATTENTION",
}
"""The process-wide switches of `torch.backends.cuda`, and the backend that each allows or not."""

IMPLEMENTATIONS = ("eager", "sdpa", "flash_attention_2", "flash_attention_3", "flex_attention")
"""Values of transformers' `attn_implementation`; all but `sdpa` do without PyTorch's choice of a backend."""

CHOICES = frozenset((*BACKENDS, *IMPLEMENTATIONS)) - {"sdpa"}
"""What a rule may forbid or require."""

UNKNOWN = "?"
"""In a set of backends: there may be others, which cannot be told."""


def backends_of(value: Value) -> tuple[frozenset[str], str] | None:
    """The backends that a value names, and why not all of them can be told, if so; None for None: no choice is made."""
    if isinstance(value, Literal) and value.value is None:
        return None
    members = value.members if isinstance(value, Items) else (value,)
    named = [_backend(each) for each in members]
    if None not in named:
        return frozenset(each for each in named if each is not None), ""
    return frozenset(each for each in named if each is not None), _why(members[named.index(None)])


def _backend(value: Value) -> str | None:
    if isinstance(value, Path) and len(value.steps) > 1 and value.steps[-2] == "SDPBackend":
        return value.steps[-1]
    return None


def _why(value: Value) -> str:
    if isinstance(value, Unread):
        return f"`{value.text}` is not read: {value.reason}"
    if isinstance(value, Path):
        return f"`{value.text}` is not told in the code of the side"
    return "it is no list of `SDPBackend` members"


def implementations_of(choices: Choices) -> Iterator[tuple[int, str]]:
    """(index of the choice, attention implementation) for each choice that names one other than PyTorch's own."""
    for index, (_, value) in enumerate(choices):
        if isinstance(value, Literal) and isinstance(value.value, str) and value.value not in ("", "sdpa"):
            yield index, value.value
