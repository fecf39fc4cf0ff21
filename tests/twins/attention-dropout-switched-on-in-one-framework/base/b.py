"""Attention layers as pure functions."""

import math

import pure
from pure import linen as nn
from pure import numpy as np


class PureAttention(nn.Module):
    """Attention of many heads, with grouped keys."""

    config: object
    dtype: object = np.float32

    def setup(self):
        config = self.config
        self.heads = config.heads
        self.head_size = config.hidden_size // self.heads
        self.groups = self.heads // config.key_heads
        self.attention_dropout = config.attention_dropout
        start = nn.initializers.normal(config.init_range)
        self.query = nn.Dense(self.heads * self.head_size, use_bias=False, kernel_init=start)
        self.key = nn.Dense(config.key_heads * self.head_size, use_bias=False, kernel_init=start)
        self.value = nn.Dense(config.key_heads * self.head_size, use_bias=False, kernel_init=start)
        self.output = nn.Dense(config.hidden_size, use_bias=False, kernel_init=start)

    def split(self, states, heads):
        return states.reshape(states.shape[:2] + (heads, self.head_size))

    def __call__(self, states, mask, positions, deterministic=True, first=False):
        query = self.split(self.query(states), self.heads)
        key = self.split(self.key(states), self.config.key_heads)
        value = self.split(self.value(states), self.config.key_heads)
        query, key = self.rotary(query, key, positions)
        if self.has_variable("cache", "key") or first:
            key, value, mask = self.concatenate_to_cache(key, value, query, mask)
        key = np.repeat(key, self.groups, axis=2)
        value = np.repeat(value, self.groups, axis=2)
        weights = np.einsum("bqhd,bkhd->bhqk", query, key) / math.sqrt(self.head_size)
        if mask is not None:
            weights = np.where(mask > 0, weights, np.finfo(self.dtype).min)
        weights = nn.softmax(weights.astype(np.float32), axis=-1).astype(self.dtype)
        context = np.einsum("bhqk,bkhd->bqhd", weights, value)
        context = context.reshape(states.shape[:2] + (-1,))
        return self.output(context), weights


class PureBlock(nn.Module):
    """Attention and a feed-forward part, both with a residual."""

    config: object
    dtype: object = np.float32

    def setup(self):
        self.attention = PureAttention(self.config, dtype=self.dtype)
        self.before = nn.RMSNorm(epsilon=self.config.norm_eps)
        self.after = nn.RMSNorm(epsilon=self.config.norm_eps)
        self.up = nn.Dense(self.config.inner_size, use_bias=False)
        self.down = nn.Dense(self.config.hidden_size, use_bias=False)

    def __call__(self, states, mask, positions, deterministic=True, first=False):
        residual = states
        attended, _ = self.attention(self.before(states), mask, positions, deterministic, first)
        states = residual + attended
        return states + self.down(nn.silu(self.up(self.after(states))))
