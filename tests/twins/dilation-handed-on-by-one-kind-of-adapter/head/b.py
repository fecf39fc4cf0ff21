"""Low-rank adapters on convolutions."""

import tensors as tt
from adapters import AdapterLayer, adapters_of
from tensors import nn


class LowRankConvolution(nn.Module, AdapterLayer):
    """Adds a narrow convolution and a pointwise one to a frozen convolution."""

    def __init__(self, base_layer, name, rank=0, alpha=1, dropout=0.0):
        super().__init__()
        AdapterLayer.__init__(self, base_layer)
        self.lora_a = nn.ModuleDict()
        self.lora_b = nn.ModuleDict()
        self.scaling = {}
        self.dropout = nn.ModuleDict()
        self.update_layer(name, rank, alpha, dropout)

    def update_layer(self, name, rank, alpha, dropout):
        if rank <= 0:
            raise ValueError(f"the rank must be positive, not {rank}")
        base_layer = self.base_layer
        self.dropout[name] = nn.Dropout(p=dropout) if dropout > 0 else nn.Identity()
        self.lora_a[name] = nn.Convolution(
            base_layer.in_channels,
            rank,
            base_layer.kernel_size,
            bias=False,
            stride=base_layer.stride,
            padding=base_layer.padding,
        )
        self.lora_b[name] = nn.Convolution(rank, base_layer.out_channels, 1, bias=False)
        self.scaling[name] = alpha / rank
        nn.init.zeros_(self.lora_b[name].weight)
        self.set_adapter(self.active_adapters)

    def delta(self, name):
        first, second = self.lora_a[name].weight, self.lora_b[name].weight
        product = tt.mm(second.flatten(start_dim=1), first.flatten(start_dim=1))
        return product.reshape(self.base_layer.weight.shape) * self.scaling[name]

    def merge(self, names=None):
        for name in adapters_of(self, names):
            self.base_layer.weight.data += self.delta(name)
            self.merged.append(name)

    def forward(self, x):
        result = self.base_layer(x)
        if self.merged:
            return result
        for name in self.active_adapters:
            if name not in self.lora_a:
                continue
            inner = self.dropout[name](x.to(self.lora_a[name].weight.dtype))
            result = result + self.lora_b[name](self.lora_a[name](inner)) * self.scaling[name]
        return result
