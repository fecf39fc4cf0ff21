"""The pages behind `explain`: what words of reports and rules files mean, from the project's documentation."""

import os
from collections.abc import Iterator

from consistency_bot.concepts import spelt
from consistency_bot.errors import UsageError

_Page = tuple[str, str, str]
"""The group that a word belongs to, the word, and what is said about it."""


def explain(word: str) -> str:
    """What a word of reports and rules files means, as markdown that reads well in a terminal.

    One and many are the same word where only one of them is known. Raises UsageError for a word that nothing is known about.
    """
    pages = list(_pages(find_docs()))
    asked = spelt(word)
    for each in (asked, f"{asked}s", asked.removesuffix("s")):
        if found := [page for _, known, page in pages if spelt(known) == each]:
            return "\n\n".join(found)
    from difflib import get_close_matches  # only a mistake pays for it

    known_words = {spelt(known): known for _, known, _ in pages}
    near = get_close_matches(asked, list(known_words), 1)
    hint = f"did you mean `{known_words[near[0]]}`? " if near else ""
    raise UsageError(f"explain: there is no word `{word}`; {hint}`consistency-bot explain` without a word lists them")


def list_words() -> str:
    """All words that `explain` knows, by group, each once."""
    from textwrap import fill

    groups: dict[str, list[str]] = {}
    listed: set[str] = set()
    for group, word, _ in _pages(find_docs()):
        if word not in listed:
            listed.add(word)
            groups.setdefault(group, []).append(word)
    said = (
        f"{group}:\n{fill(', '.join(words), 96, initial_indent='  ', subsequent_indent='  ')}"
        for group, words in groups.items()
    )
    return "\n\n".join(said)


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


def _pages(folder: str) -> Iterator[_Page]:
    """Kinds first, then verdicts, then concepts that are no kinds, then the other words."""
    rules = os.path.join(folder, "rules")
    kinds = sorted(name for name in os.listdir(rules) if name.endswith(".md"))
    yield from (("Kinds of rules", name[:-3], _text(os.path.join(rules, name)).strip()) for name in kinds)
    for title, body in _sections(folder, "verdicts.md"):
        yield "Verdicts", title, f"# {title}\n\n{body}"
    for concept, meaning in _rows(_text(os.path.join(folder, "concepts.md"))):
        if f"{concept}.md" not in kinds:
            yield (
                "Concepts, what a finding is about",
                concept,
                f"# {concept}\n\nA concept, what a finding is about: {meaning}.",
            )
    for title, body in _sections(folder, "words.md"):
        for word, meaning in _rows(body):
            yield title, word, f"# {word}\n\n{meaning[0].upper()}{meaning[1:]}."


def _sections(folder: str, page: str) -> Iterator[tuple[str, str]]:
    """(title, what stands below it) for each part of a page."""
    for section in _text(os.path.join(folder, page)).split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        yield title.strip(), body.strip()


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """(first cell, second cell) for each row of tables with two columns, without their heads."""
    is_head = True
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        is_row = line.startswith("|") and len(cells) == 2
        if is_row and not is_head and set(cells[0]) != {"-"}:
            yield cells[0], cells[1]
        is_head = not is_row


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
