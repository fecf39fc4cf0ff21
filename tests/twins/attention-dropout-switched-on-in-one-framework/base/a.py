"""Attention layers on eager tensors."""

import math

import eager
from eager import nn


class Attention(nn.Module):
    """Attention of many heads, with grouped keys."""

    def __init__(self, config, layer):
        super().__init__()
        self.config = config
        self.layer = layer
        self.heads = config.heads
        self.head_size = config.hidden_size // self.heads
        self.groups = self.heads // config.key_heads
        self.attention_dropout = config.attention_dropout
        if self.head_size * self.heads != config.hidden_size:
            raise ValueError("the hidden size must be a multiple of the number of heads")
        self.query = nn.Linear(config.hidden_size, self.heads * self.head_size, bias=False)
        self.key = nn.Linear(config.hidden_size, config.key_heads * self.head_size, bias=False)
        self.value = nn.Linear(config.hidden_size, config.key_heads * self.head_size, bias=False)
        self.output = nn.Linear(self.heads * self.head_size, config.hidden_size, bias=False)

    def split(self, states, heads):
        return states.view(*states.shape[:2], heads, self.head_size).transpose(1, 2)

    def forward(self, states, mask=None, positions=None, cache=None):
        query = self.split(self.query(states), self.heads)
        key = self.split(self.key(states), self.config.key_heads)
        value = self.split(self.value(states), self.config.key_heads)
        query, key = self.rotary(query, key, positions)
        if cache is not None:
            key, value = cache.update(key, value, self.layer)
        key = key.repeat_interleave(self.groups, dim=1)
        value = value.repeat_interleave(self.groups, dim=1)
        weights = eager.matmul(query, key.transpose(2, 3)) / math.sqrt(self.head_size)
        if mask is not None:
            weights = weights + mask[:, :, :, : key.shape[-2]]
        weights = nn.functional.softmax(weights, dim=-1, dtype=eager.float32).to(query.dtype)
        context = eager.matmul(weights, value)
        context = context.transpose(1, 2).reshape(*states.shape[:2], -1)
        return self.output(context), weights


class Block(nn.Module):
    """Attention and a feed-forward part, both with a residual."""

    def __init__(self, config, layer):
        super().__init__()
        self.attention = Attention(config, layer)
        self.before = nn.RMSNorm(config.hidden_size, eps=config.norm_eps)
        self.after = nn.RMSNorm(config.hidden_size, eps=config.norm_eps)
        self.up = nn.Linear(config.hidden_size, config.inner_size, bias=False)
        self.down = nn.Linear(config.inner_size, config.hidden_size, bias=False)

    def forward(self, states, mask=None, positions=None, cache=None):
        residual = states
        attended, _ = self.attention(self.before(states), mask, positions, cache)
        states = residual + attended
        return states + self.down(nn.functional.silu(self.up(self.after(states))))
