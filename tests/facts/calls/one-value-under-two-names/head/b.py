def load(config):
    dtype = "float32"
    return Model.from_pretrained(config["model_name"], revision=None, dtype=dtype)
