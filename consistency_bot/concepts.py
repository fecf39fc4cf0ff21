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
    "constant",
    "continue",
    "decorator",
    "default",
    "definition",
    "delete",
    "dictionary entry",
    "element",
    "except",
    "expression",
    "file",
    "finally",
    "function",
    "guard",
    "import",
    "loop",
    "match",
    "raise",
    "return",
    "sdpa_backends",
    "signature",
    "while_statement",
    "with",
)
"""As reports spell them, in the order of the alphabet."""


def spelt(word: str) -> str:
    """One spelling of a concept: people write `base class`, `base-class` and `base_class`, and mean the same."""
    return word.replace("_", " ").replace("-", " ").lower()
