def validate(config, size):
    wanted = config["sequence_parallel"]
    if wanted and size > 1:
        raise RuntimeError("sequence parallel is broken")
