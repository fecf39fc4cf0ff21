"""What a finding can be about: the words of its `concept`, which waivers may name."""

CONCEPTS = (
    "argument",
    "assignment",
    "augmented assignment",
    "await",
    "base class",
    "break",
    "call",
    "case_clause",
    "comment",
    "commit",
    "condition",
    "constant",
    "continue",
    "decorator",
    "default",
    "definition",
    "delete",
    "dictionary entry",
    "docstring",
    "element",
    "except",
    "expires",
    "expression",
    "file",
    "finally",
    "function",
    "guard",
    "import",
    "line",
    "loop",
    "match",
    "nesting",
    "order",
    "raise",
    "return",
    "signature",
    "symbol",
    "while_statement",
    "with",
)
"""As reports spell them, in the order of the alphabet."""


def spelt(word: str) -> str:
    """One spelling of a concept: people write `base class`, `base-class` and `base_class`, and mean the same."""
    return word.replace("_", " ").replace("-", " ").lower()
