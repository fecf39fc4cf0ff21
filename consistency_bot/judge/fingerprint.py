"""Fingerprints: stable names of findings, that survive moved lines and change when what is said changes."""

import sys


def fingerprint(said: str) -> str:
    """16 hex digits of the text that identifies a finding."""
    # Python's own SHA-256, as `random` takes it: `hashlib` loads OpenSSL first, 3 ms and 4 MiB for one short text.
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]
        else:
            from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from hashlib import sha256
    digest: str = sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:16]
