"""Facts: one question about a side per file."""
