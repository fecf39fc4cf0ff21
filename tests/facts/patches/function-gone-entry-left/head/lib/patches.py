"""What was patched here is upstream."""
