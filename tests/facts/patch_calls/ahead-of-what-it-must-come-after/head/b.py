def run():
    set_device(0)
    apply_alias_patch()
