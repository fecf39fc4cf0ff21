"""Fingerprints: stable names of findings, that survive moved lines and change when what is said changes."""

import hashlib


def fingerprint(said: str) -> str:
    """16 hex digits of the text that identifies a finding."""
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]
