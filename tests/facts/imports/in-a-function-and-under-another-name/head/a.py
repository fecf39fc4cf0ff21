from torch.nn.attention import SDPBackend
from workers.patches import alias_patch
