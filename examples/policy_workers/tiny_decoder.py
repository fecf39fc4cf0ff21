"""A decoder small enough to train on a CPU, with a tensor-parallel plan. Both workers build it."""

from typing import Any

import torch
from torch import nn
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    ParallelStyle,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
)


class RMSNorm(nn.Module):
    """Root-mean-square norm with a learnt scale."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)
        return (x.float() * scale).to(x.dtype) * self.weight


def _rotate(x: torch.Tensor, position_ids: torch.Tensor) -> torch.Tensor:
    """Rotary positions: the halves of each head turn by an angle that grows with the position."""
    half = x.shape[-1] // 2
    frequencies = 10_000.0 ** (-torch.arange(half, device=x.device) / half)
    angles = position_ids[:, None, :, None] * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


class Attention(nn.Module):
    """Causal attention with fewer key heads than query heads."""

    def __init__(self, hidden: int, heads: int, kv_heads: int) -> None:
        super().__init__()
        self.head_dim = hidden // heads
        self.q_proj = nn.Linear(hidden, heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden, kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden, kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(heads * self.head_dim, hidden, bias=False)

    def forward(self, x: torch.Tensor, position_ids: torch.Tensor) -> torch.Tensor:
        batch, length = x.shape[:2]
        # The number of heads is left open (-1): under tensor parallelism a rank holds only its own.
        q, k, v = (
            proj(x).view(batch, length, -1, self.head_dim).transpose(1, 2)
            for proj in (self.q_proj, self.k_proj, self.v_proj)
        )
        q, k = _rotate(q, position_ids), _rotate(k, position_ids)
        repeats = q.shape[1] // k.shape[1]
        k, v = k.repeat_interleave(repeats, dim=1), v.repeat_interleave(repeats, dim=1)
        out = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    """SwiGLU."""

    def __init__(self, hidden: int, inner: int) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(hidden, inner, bias=False)
        self.up_proj = nn.Linear(hidden, inner, bias=False)
        self.down_proj = nn.Linear(inner, hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down_proj(nn.functional.silu(self.gate_proj(x)) * self.up_proj(x))


class DecoderLayer(nn.Module):
    """Attention and feed-forward, each behind a norm and beside a residual."""

    def __init__(self, hidden: int, heads: int, kv_heads: int, inner: int) -> None:
        super().__init__()
        self.input_norm = RMSNorm(hidden)
        self.attention = Attention(hidden, heads, kv_heads)
        self.post_norm = RMSNorm(hidden)
        self.mlp = FeedForward(hidden, inner)

    def forward(self, x: torch.Tensor, position_ids: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.input_norm(x), position_ids)
        return x + self.mlp(self.post_norm(x))


class TinyDecoder(nn.Module):
    """Two layers by default. `outputs` is the vocabulary for a language model, 1 for a reward model."""

    def __init__(
        self,
        vocab: int = 128,
        hidden: int = 64,
        heads: int = 4,
        kv_heads: int = 2,
        inner: int = 128,
        layers: int = 2,
        outputs: int | None = None,
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.layers = nn.ModuleList(DecoderLayer(hidden, heads, kv_heads, inner) for _ in range(layers))
        self.norm = RMSNorm(hidden)
        self.lm_head = nn.Linear(hidden, outputs or vocab, bias=False)

    @classmethod
    def from_pretrained(cls, name: str, outputs: int | None = None, **sizes: Any) -> "TinyDecoder":
        """Build the same weights on every rank: the name is the seed, as there is nothing to download."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(sum(name.encode()))
            return cls(outputs=outputs, **sizes)

    def forward(self, input_ids: torch.Tensor, position_ids: torch.Tensor, logits_to_keep: int = 0) -> torch.Tensor:
        """Return logits; the last `logits_to_keep` positions, or all of them for 0."""
        x = self.embed(input_ids)
        for layer in self.layers:
            x = layer(x, position_ids)
        # For 0 this slices the full range, which on a DTensor is `aten.alias` (see patches.py).
        kept = self.norm(x)[:, slice(-logits_to_keep, None), :]
        return self.lm_head(kept)


def tensor_parallel_plan(layers: int, sequence_parallel: bool) -> dict[str, ParallelStyle]:
    """Return which module is split how. Under sequence parallelism norms and residuals hold a part of the sequence."""
    plan: dict[str, ParallelStyle] = {}
    if sequence_parallel:
        plan["embed"] = RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False)
        plan["norm"] = SequenceParallel()
        plan["lm_head"] = ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate())
    else:
        plan["embed"] = RowwiseParallel(input_layouts=Replicate())
        plan["lm_head"] = ColwiseParallel(output_layouts=Replicate())
    for index in range(layers):
        prefix = f"layers.{index}"
        for name in ("attention.q_proj", "attention.k_proj", "attention.v_proj", "mlp.gate_proj", "mlp.up_proj"):
            plan[f"{prefix}.{name}"] = ColwiseParallel()
        for name in ("attention.o_proj", "mlp.down_proj"):
            plan[f"{prefix}.{name}"] = (
                RowwiseParallel(output_layouts=Shard(1), use_local_output=False)
                if sequence_parallel
                else RowwiseParallel()
            )
        if sequence_parallel:
            plan[f"{prefix}.input_norm"] = SequenceParallel()
            plan[f"{prefix}.post_norm"] = SequenceParallel()
            plan[f"{prefix}.attention"] = PrepareModuleInput(
                input_layouts=(Shard(1), None), desired_input_layouts=(Replicate(), None)
            )
            plan[f"{prefix}.mlp"] = PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),))
    return plan
