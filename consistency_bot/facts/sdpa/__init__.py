"""Which attention backends the code of one side may choose: what it hands to PyTorch, where, and under which condition."""
