"""The pages that describe contracts name every part of them."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from consistency_bot import model
from consistency_bot.explained import find_docs
from consistency_bot.rules import schema

DOCS = Path(find_docs())
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))

REPORTED = (
    model.Report,
    model.RulesSource,
    model.Finding,
    model.Place,
    model.Port,
    model.Waived,
    model.Table,
    model.TwinsChecked,
    model.UnitsChanged,
    model.RuleChecked,
    model.NotTaken,
    model.SmokeRequest,
)


def _keys(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    return struct.__struct_encode_fields__


def _structs(root: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    yield root
    for module_name in vars(schema):
        value = getattr(schema, module_name)
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value not in (root, schema.Kind):
            yield value


def _words(page: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]+", (DOCS / page).read_text("utf-8")))


@pytest.mark.parametrize("struct", REPORTED, ids=lambda struct: struct.__name__)
def test_the_page_of_the_report_names_every_key(struct: type[msgspec.Struct]) -> None:
    assert set(_keys(struct)) <= _words("report.md")


@pytest.mark.parametrize("struct", list(_structs(schema.RulesFile)), ids=lambda struct: struct.__name__)
def test_the_page_of_the_rules_file_names_every_key(struct: type[msgspec.Struct]) -> None:
    assert set(_keys(struct)) <= _words("rules-file.md")


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_links_to_is_there(page: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", (DOCS / page).read_text("utf-8"))
    missing = [link for link in links if not (DOCS / page).parent.joinpath(link).exists()]
    assert not missing
