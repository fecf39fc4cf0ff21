import os
from torch.nn.attention import SDPBackend
