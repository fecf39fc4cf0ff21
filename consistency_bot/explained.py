"""The pages behind `explain`: what kinds of rules, verdicts and concepts mean, from the project's documentation."""

import os
from collections.abc import Iterator

from consistency_bot.concepts import spelt
from consistency_bot.errors import UsageError


def explain(word: str) -> str:
    """What a word of reports and rules files means, as markdown that reads well in a terminal.

    Raises UsageError for a word that nothing is known about.
    """
    folder = find_docs()
    pages = dict(_pages(folder))
    found = [page for known, page in pages.items() if spelt(known) == spelt(word)]
    if not found:
        from difflib import get_close_matches  # only a mistake pays for it

        near = get_close_matches(word, list(pages), 1)
        hint = f" (did you mean `{near[0]}`?)" if near else ""
        raise UsageError(f"explain: there is no word `{word}`{hint}; it takes: {', '.join(pages)}")
    return "\n\n".join(found)


def find_docs() -> str:
    """The folder of the documentation: in the clone that this package runs from, else the copy in the installed package.

    Raises UsageError where there is neither.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    places = (os.path.join(os.path.dirname(package), "docs"), os.path.join(package, "_docs"))
    for place in places:
        if os.path.isfile(os.path.join(place, "verdicts.md")):
            return place
    raise UsageError(f"explain needs the documentation, and neither {places[0]} nor {places[1]} is there: reinstall")


def _pages(folder: str) -> Iterator[tuple[str, str]]:
    """(word, what is said about it): kinds first, then verdicts, then concepts that are no kinds."""
    rules = os.path.join(folder, "rules")
    kinds = sorted(name for name in os.listdir(rules) if name.endswith(".md"))
    yield from ((name[:-3], _text(os.path.join(rules, name)).strip()) for name in kinds)
    for section in _text(os.path.join(folder, "verdicts.md")).split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        yield title.strip(), f"# {title.strip()}\n\n{body.strip()}"
    for line in _text(os.path.join(folder, "concepts.md")).split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 2 and cells[0] != "concept" and f"{cells[0]}.md" not in kinds:
            yield cells[0], f"# {cells[0]}\n\nA concept, what a finding is about: {cells[1]}."


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
