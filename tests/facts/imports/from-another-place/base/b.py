from torch.nn.attention import sdpa_kernel
