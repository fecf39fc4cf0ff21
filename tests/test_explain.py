"""`explain`: every word of reports and rules files has something to be said about it."""

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from consistency_bot import explained
from consistency_bot.cli import main
from consistency_bot.concepts import CONCEPTS
from consistency_bot.errors import UsageError
from consistency_bot.explained import explain
from consistency_bot.facts import KINDS
from consistency_bot.model import Conclusion, Verdict

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_explained_with_its_examples_and_its_keys(kind: str) -> None:
    text = explain(kind)
    assert text.startswith(f"# {kind}\n")
    assert "## Good" in text
    assert "## Bad" in text


@pytest.mark.parametrize("verdict", get_args(Verdict))
def test_every_verdict_is_explained(verdict: str) -> None:
    assert explain(verdict).startswith(f"# {verdict}\n")


@pytest.mark.parametrize("concept", CONCEPTS)
def test_every_concept_is_explained_however_it_is_spelt(concept: str) -> None:
    assert explain(concept) == explain(concept.replace(" ", "-").replace("_", "-"))


def test_a_word_that_nothing_is_known_about_is_an_error_that_suggests_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="did you mean `guards`"):
        explain("gards")
    assert main(["explain", "gards"]) == 2
    assert capsys.readouterr().err == (
        "consistency-bot: explain: there is no word `gards`; did you mean `guards`?"
        " `consistency-bot explain` without a word lists them\n"
    )
    with pytest.raises(UsageError, match="no word `xyzzy`; `consistency-bot explain` without"):
        explain("xyzzy")


WORDS = (
    "bodies waived waiver safe needs_review drift in_step twins side unit counterpart mode only atoms smoke port"
    " fingerprint acknowledgement"
).split()


@pytest.mark.parametrize("word", [*WORDS, *get_args(Conclusion)])
def test_the_other_words_of_reports_and_rules_files_are_explained(word: str) -> None:
    title, _, body = explain(word).partition("\n\n")
    assert title == f"# {word}"
    assert body.endswith(".")


def test_one_and_many_are_the_same_word() -> None:
    assert explain("sides") == explain("side")
    assert explain("atom") == explain("atoms")
    assert explain("calls") != explain("call")


def test_without_a_word_all_are_listed_by_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    told = capsys.readouterr().out
    groups = dict(each.split(":\n") for each in told.split("\n\n"))
    assert list(groups) == [
        "Kinds of rules",
        "Verdicts",
        "Concepts, what a finding is about",
        "What is compared",
        "What comes out",
        "What a rules file says",
    ]
    words = [word for group in groups.values() for word in " ".join(group.split()).split(", ")]
    assert set(words) >= {*KINDS, *get_args(Verdict), *CONCEPTS, *WORDS}
    assert len(set(words)) == len(words)
    assert not [word for word in words if word not in explain(word)]


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "patch_calls"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs/rules/patch_calls.md").read_text("utf-8")


def test_an_installed_package_has_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"]["docs"] == "consistency_bot/_docs"
    package = tmp_path / "site-packages" / "consistency_bot"
    monkeypatch.setattr(explained, "__file__", str(package / "explained.py"))
    with pytest.raises(UsageError, match="reinstall"):
        explain("missed")
    (package / "_docs" / "rules").mkdir(parents=True)
    for name in ("verdicts.md", "concepts.md", "words.md"):
        (package / "_docs" / name).write_text((ROOT / "docs" / name).read_text("utf-8"), "utf-8")
    assert explain("missed").startswith("# missed")


@pytest.mark.parametrize("words", [["needs", "review"], ["augmented", "assignment"], ["Needs-Review"]])
def test_a_word_of_several_parts_is_explained_as_reports_print_it(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *words]) == 0
    assert capsys.readouterr().out == explain("_".join(words)) + "\n"


def test_words_that_are_no_word_together_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "needs", "revew"]) == 2
    assert "there is no word `needs revew`; did you mean `needs_review`?" in capsys.readouterr().err
