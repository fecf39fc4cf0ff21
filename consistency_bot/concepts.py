"""What a finding can be about: the words of its `concept`, which waivers may name."""

CONCEPTS = (
    "argument",
    "assignment",
    "augmented assignment",
    "base class",
    "break",
    "call",
    "case_clause",
    "condition",
    "config_key",
    "constant",
    "continue",
    "decorator",
    "default",
    "definition",
    "delete",
    "dictionary entry",
    "element",
    "environment",
    "except",
    "expression",
    "file",
    "finally",
    "function",
    "guard",
    "import",
    "loop",
    "match",
    "patch",
    "patch_call",
    "pattern",
    "raise",
    "return",
    "sdpa_backends",
    "signature",
    "test",
    "while_statement",
    "with",
)
"""As reports spell them, in the order of the alphabet."""


def spelt(word: str) -> str:
    """One spelling of a concept: people write `base class`, `base-class` and `base_class`, and mean the same."""
    return word.replace("_", " ").replace("-", " ").lower()
