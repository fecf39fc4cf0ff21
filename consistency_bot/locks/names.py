"""Which files lock or bound versions, by their names."""

from consistency_bot.paths import compile_pattern

LOCKS = ("uv.lock", "poetry.lock", "pylock.toml", "pylock.*.toml", "pyproject.toml")
REQUIREMENTS = ("requirements*.txt", "*requirements.txt", "requirements/*.txt")

PATTERNS = (*LOCKS, *REQUIREMENTS)
"""Every file that is looked at, as patterns below a folder; what these include is looked at too."""

_LOCKS = tuple(map(compile_pattern, LOCKS))


def may_lock(path: str) -> bool:
    """Whether a change to this path can change what is locked. Files that others include count by their ending."""
    name = path.rpartition("/")[2]
    is_named = any(matches(name) for matches in _LOCKS)
    return is_named or (path.endswith(".txt") and ("require" in path or "constraint" in path))
