"""How a package's name is spelt."""

import re


def normalised(name: str) -> str:
    """The one spelling of a package's name (PEP 503): `Flash_Attn` and `flash.attn` are `flash-attn`."""
    return re.sub(r"[-_.]+", "-", name).lower()
