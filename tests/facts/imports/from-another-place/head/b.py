from compat import sdpa_kernel
