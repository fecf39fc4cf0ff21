def run():
    apply_alias_patch()
    set_device(0)
