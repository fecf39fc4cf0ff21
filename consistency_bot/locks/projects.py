"""`pyproject.toml`: which versions a project allows. A bound and no lock, even where it is a pin."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from consistency_bot.locks.requirements import requirement
from consistency_bot.locks.toml import Mistake, Table, decode, is_table, parse, table, texts
from consistency_bot.locks.values import Bound, Locked, Said, Unreadable
from consistency_bot.packages import normalised


def read_pyproject(path: str, data: bytes, package: str) -> Iterator[Said]:
    """What a project asks of the package: dependencies, extras, groups, and what uv and Poetry have of their own."""
    text, parsed = _parsed(data)
    if isinstance(parsed, Mistake) or isinstance(text, Mistake):
        mistake = parsed if isinstance(parsed, Mistake) else Mistake(1, "cannot be read")
        yield Unreadable(path, mistake.line, mistake.reason)
        return
    for wanted in dict.fromkeys(_requirements(parsed)):
        said = requirement(wanted, package, path, 1)
        if said is None:
            continue
        line = _line_of(text, wanted)  # few are of this package, and to look for a line takes a pattern of its own
        if isinstance(said, Locked):  # what a project asks for is locked elsewhere, perhaps in a build of its own
            yield Bound(path, line, f"=={said.version}", said.marker)
        else:
            yield replace(said, line=line)
    for name, version, marker in _poetry(parsed):
        if normalised(name) == package:
            specifier = _of_poetry(version)
            line = _line_of(text, version, re.escape(name) + r"[\"']?[ \t]*=[^\n]*?")
            unreadable = Unreadable(path, line, f"asks for a version that is not understood: `{version[:60]}`")
            yield unreadable if specifier is None else Bound(path, line, specifier, marker)


@lru_cache(maxsize=16)  # asked once for each package
def _parsed(data: bytes) -> tuple[str | Mistake, Table | Mistake]:
    text = decode(data)
    return text, parse(text) if isinstance(text, str) else text


def _requirements(project: Table) -> Iterator[str]:
    """Every requirement in the words of PEP 508, those of the build left out: nothing runs against them."""
    yield from texts(table(project, "project").get("dependencies"))
    for extra in table(project, "project", "optional-dependencies").values():
        yield from texts(extra)
    for group in table(project, "dependency-groups").values():
        yield from texts(group)
    for key in ("constraint-dependencies", "override-dependencies", "dev-dependencies"):
        yield from texts(table(project, "tool", "uv").get(key))


def _poetry(project: Table) -> Iterator[tuple[str, str, str]]:
    """(name, version, marker) of every dependency in Poetry's own tables."""
    poetry = table(project, "tool", "poetry")
    groups = [table(group, "dependencies") for group in table(poetry, "group").values()]
    for dependencies in (table(poetry, "dependencies"), table(poetry, "dev-dependencies"), *groups):
        for name, value in dependencies.items():
            for each in value if isinstance(value, list) else [value]:
                version = each.get("version") if is_table(each) else each
                marker = each.get("markers") if is_table(each) else None
                if isinstance(version, str):
                    yield name, version, marker if isinstance(marker, str) else ""


def _of_poetry(version: str) -> str | None:
    """A PEP 440 specifier for one of Poetry's: `^2.9` is `>=2.9,<3`, `~2.9` is `>=2.9,<2.10`, `2.9` is `==2.9`."""
    clauses = [_of_clause(clause.strip()) for clause in version.split(",")]
    return None if None in clauses else ",".join(clause for clause in clauses if clause)


def _of_clause(clause: str) -> str | None:
    if clause in ("*", ""):
        return ""
    if clause[:1] not in "^~" or clause.startswith("~="):
        return clause if clause[:1] in "=!<>~" else f"=={clause}"
    low = clause[1:].strip()
    found = re.match(r"\d{1,9}(?:\.\d{1,9})*", low)
    if found is None:
        return None
    parts = [int(part) for part in found[0].split(".")]
    # `^` lets everything behind the first part that is not zero grow, `~` everything behind the second.
    fixed = next((at for at, part in enumerate(parts) if part), len(parts) - 1) if clause[0] == "^" else 1
    at = min(fixed, len(parts) - 1)
    high = ".".join(map(str, [*parts[:at], parts[at] + 1]))
    return f">={low},<{high}"


def _line_of(text: str, words: str, before: str = "") -> int:
    """The first line that holds the words between quotes, behind what `before` matches; 1 where none does."""
    found = re.search(rf"{before}[\"']{re.escape(words)}[\"']", text)
    return text.count("\n", 0, found.start()) + 1 if found else 1
