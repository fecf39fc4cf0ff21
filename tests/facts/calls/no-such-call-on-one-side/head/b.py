def load(cfg):
    name = cfg["model_name"]
    return Model.build(name)
