def apply_alias_patch():
    pass
