"""The magnitude part of an adapter on a convolution."""

import tensors as tt
from tensors import functional as F
from tensors import nn


class MagnitudeConvolution(nn.Module):
    """Splits a convolution into direction and magnitude, and scales the latter."""

    def __init__(self, fan_in_fan_out=False):
        super().__init__()
        self.fan_in_fan_out = fan_in_fan_out
        self.weight = None

    def update_layer(self, base_layer, lora_a, lora_b, scaling):
        weight = base_layer.weight
        delta = tt.mm(lora_b.flatten(start_dim=1), lora_a.flatten(start_dim=1)).reshape(weight.shape)
        norm = self.weight_norm(weight.to(lora_a.dtype), delta, scaling)
        self.weight = nn.Parameter(norm, requires_grad=True)

    def weight_norm(self, weight, delta, scaling):
        weight = weight + scaling * delta
        dimensions = tuple(range(1, weight.dim()))
        return weight.norm(p=2, dim=dimensions, keepdim=True).transpose(1, 0)

    def forward(self, x, lora_a, lora_b, scaling, base_layer, base_result=None):
        weight = base_layer.weight
        delta = tt.mm(lora_b.weight.flatten(start_dim=1), lora_a.weight.flatten(start_dim=1))
        norm = self.weight_norm(weight, delta.reshape(weight.shape).detach(), scaling).detach()
        factor = self.weight / norm
        if base_result is None:
            base_result = F.convolve(
                x,
                weight,
                bias=None,
                stride=base_layer.stride,
                padding=base_layer.padding,
                dilation=base_layer.dilation,
            )
        elif base_layer.bias is not None:
            base_result = base_result - base_layer.bias.view(1, -1, 1, 1)
        return (factor - 1) * base_result + factor * lora_b(lora_a(x)) * scaling
