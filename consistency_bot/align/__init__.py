"""Which units, definitions and names on two sides play the same part."""
