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
from consistency_bot.model import Verdict

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
    assert "no word `gards`" in capsys.readouterr().err


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
    for name in ("verdicts.md", "concepts.md"):
        (package / "_docs" / name).write_text((ROOT / "docs" / name).read_text("utf-8"), "utf-8")
    assert explain("missed").startswith("# missed")
