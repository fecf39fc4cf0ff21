def load(cfg):
    name = cfg["model_name"]
    return Model.from_pretrained(name)
