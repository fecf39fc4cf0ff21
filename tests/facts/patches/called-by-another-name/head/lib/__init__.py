from lib.patches import apply_alias_patch
