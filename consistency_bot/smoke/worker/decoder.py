"""A decoder small enough for a CPU, with everything that tensor parallelism and attention kernels have stumbled over.

Fewer key heads than query heads through `scaled_dot_product_attention`, RMSNorm, SwiGLU, and a head on a slice over the
full range of the hidden states, which on a DTensor becomes `aten.alias`.
"""

import msgspec
import torch
from torch import nn
from torch.nn import functional


class Sizes(msgspec.Struct, frozen=True):
    """The shape of a decoder. A head has `hidden / heads` features; `heads` and `kv_heads` are shared out over ranks."""

    vocabulary: int = 128
    hidden: int = 64
    heads: int = 8
    kv_heads: int = 4
    inner: int = 128
    layers: int = 2
    length: int = 16


CPU_SIZES = Sizes()
CUDA_SIZES = Sizes(hidden=512, inner=512, length=448)
"""Heads of 64 features and the length at which the field's crash was seen: what the fused kernels of a GPU take."""


class RMSNorm(nn.Module):
    """Root-mean-square norm with a learnt scale."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The same shape and type as `x`."""
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return wide.to(x.dtype) * self.weight


class Attention(nn.Module):
    """Causal attention. How many heads there are is read from the tensors: a rank holds only its own."""

    def __init__(self, sizes: Sizes, enable_gqa: bool) -> None:
        super().__init__()
        self.head_dim = sizes.hidden // sizes.heads
        self.enable_gqa = enable_gqa
        self.q_proj = nn.Linear(sizes.hidden, sizes.heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(sizes.hidden, sizes.kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(sizes.hidden, sizes.kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(sizes.heads * self.head_dim, sizes.hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The same shape as `x`."""
        batch, length = x.shape[:2]
        q, k, v = (
            projection(x).view(batch, length, -1, self.head_dim).transpose(1, 2)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )
        if self.enable_gqa:
            out = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        else:
            repeats = q.shape[1] // k.shape[1]
            k, v = k.repeat_interleave(repeats, dim=1), v.repeat_interleave(repeats, dim=1)
            out = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    """SwiGLU."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(sizes.hidden, sizes.inner, bias=False)
        self.up_proj = nn.Linear(sizes.hidden, sizes.inner, bias=False)
        self.down_proj = nn.Linear(sizes.inner, sizes.hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The same shape as `x`."""
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """Attention and feed-forward, each behind a norm and beside a residual."""

    def __init__(self, sizes: Sizes, enable_gqa: bool) -> None:
        super().__init__()
        self.input_norm = RMSNorm(sizes.hidden)
        self.attention = Attention(sizes, enable_gqa)
        self.post_norm = RMSNorm(sizes.hidden)
        self.mlp = FeedForward(sizes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The same shape as `x`."""
        x = x + self.attention(self.input_norm(x))
        return x + self.mlp(self.post_norm(x))


class Decoder(nn.Module):
    """Token ids in, logits out."""

    def __init__(self, sizes: Sizes, enable_gqa: bool) -> None:
        super().__init__()
        self.embed = nn.Embedding(sizes.vocabulary, sizes.hidden)
        self.layers = nn.ModuleList(Layer(sizes, enable_gqa) for _ in range(sizes.layers))
        self.norm = RMSNorm(sizes.hidden)
        self.lm_head = nn.Linear(sizes.hidden, sizes.vocabulary, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Logits of every position."""
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        x = x[:, slice(0, None), :]
        return self.lm_head(x)


def make_decoder(sizes: Sizes, dtype: torch.dtype, device: torch.device, *, enable_gqa: bool) -> Decoder:
    """The same weights on every rank and in every run."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Decoder(sizes, enable_gqa).to(device, dtype)


def make_batch(sizes: Sizes, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and targets, the same on every rank and in every run."""
    generator = torch.Generator().manual_seed(1)
    shape = (2, sizes.length)
    ids, targets = (torch.randint(0, sizes.vocabulary, shape, generator=generator) for _ in range(2))
    return ids.to(device), targets.to(device)


def loss_of(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross-entropy in float32."""
    return functional.cross_entropy(logits.float().flatten(0, 1), targets.flatten())
