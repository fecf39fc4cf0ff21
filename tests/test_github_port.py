"""`/consistency port`, and the button of the same name: the answer is a patch that git takes."""

import re

import msgspec
import pytest
from checks import CODE, MOVED
from fake_github import Account
from github_scene import WRITES, Scene
from payloads import PAYLOADS, report_of
from test_github_hostile import acts

from consistency_bot.github.command import command
from consistency_bot.github.ported import BUDGET, ported
from consistency_bot.model import Port


def answers(scene: Scene, login: str = "github-actions[bot]") -> list[str]:
    """Below their marks."""
    return [body.partition("\n")[2] for body in scene.hub.bodies(login) if "answer=" in body.partition("\n")[0]]


def patch(answer: str) -> bytes:
    found = re.search(r"```diff\n(.*?\n)```", answer, re.DOTALL)
    assert found is not None, answer
    return found[1].encode()


def test_the_answer_is_a_patch_that_git_takes_and_that_brings_the_sides_in_step(scene: Scene) -> None:
    name = scene.fingerprint()
    scene.comment("alice", f"/consistency port {name[:8]}")
    (answer,) = answers(scene)
    assert answer.startswith(f"Port of `{name}` to `b.py`, for `{scene.pull.head[:12]}`.")
    scene.repository.git("apply", "-", stdin=patch(answer))
    scene.push()
    assert scene.report().judged[0].report.conclusion == "in_step"
    assert (scene.repository.folder / "b.py").read_text() == MOVED
    assert [content for _, content in scene.hub.reactions] == ["+1"]


def test_without_a_fingerprint_all_ports_are_told_and_once(scene: Scene) -> None:
    comment = scene.hub.add_comment(7, "alice", "/consistency port")
    scene.command(comment)
    scene.command(comment)
    (answer,) = answers(scene)
    assert answer.count("```diff") == 1


def test_of_many_findings_the_first_get_ports_unasked_and_each_gets_one_when_asked(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consistency_bot.github.judging.MOST_PORTED", 2)
    functions = "".join(f"def f{n}(a):\n    if a > {n}:\n        raise ValueError(a)\n\n\n" for n in range(4))
    scene.repository.git("checkout", "-q", "main")
    scene.pull.base = scene.repository.commit(a=functions, b=functions)
    scene.repository.git("checkout", "-q", "-B", "topic", "main")
    scene.push(a=functions.replace("a > ", "a >= "))
    scene.report()
    assert scene.hub.bodies()[0].count("<summary>Port (") == 2
    written = scene.hub.bodies()[0]
    scene.comment("alice", "/consistency port")
    (answer,) = answers(scene)
    assert answer.count("```diff") == 2
    found = re.search(r"2 more can be asked for, such as `/consistency port ([0-9a-f]{16})`", answer)
    assert found is not None
    scene.comment("alice", f"/consistency port {found[1]}")
    assert answers(scene)[1].startswith(f"Port of `{found[1]}`")
    assert scene.hub.bodies()[0] == written


def test_the_comment_shows_the_port_too(scene: Scene) -> None:
    scene.report()
    (body,) = scene.hub.bodies()
    assert "<details><summary>Port (" in body


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (" deadbeef", "deadbeef: no finding has that fingerprint now there are: "),
        (" `x` @o/team", "expected the first digits of a fingerprint"),
    ],
)
def test_what_cannot_be_ported_is_told(scene: Scene, said: str, told: str) -> None:
    scene.comment("alice", f"/consistency port{said}")
    (answer,) = answers(scene)
    assert told in answer
    assert acts(answer) == []


def test_nothing_to_port_is_told(scene: Scene) -> None:
    scene.push(a=CODE)
    scene.comment("alice", "/consistency port")
    assert answers(scene) == ["There is nothing to port."]


def test_a_reader_gets_none_and_the_author_does(scene: Scene) -> None:
    scene.comment("mallory", "/consistency port")
    assert scene.hub.bodies() == []
    assert [content for _, content in scene.hub.reactions] == ["-1"]
    scene.pull.author = "mallory"
    scene.comment("mallory", "/consistency port")
    assert len(answers(scene)) == 1


def test_the_button_answers_in_the_pull_request(scene: Scene) -> None:
    scene.hub.add_token("app", Account("consistency-bot[bot]", "Bot", "write", {**WRITES, "checks": "write"}))
    event = scene.check_event("requested_action", "port")
    command(scene.given("check_run", event, token="app", app="consistency-bot"))
    (answer,) = answers(scene, "consistency-bot[bot]")
    assert "```diff" in answer


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_no_text_acts_in_the_answer(text: str) -> None:
    report = report_of(text)
    ports = (Port(text, f"--- a\n+++ b\n+{text}\n", "needs_review", text), None)
    findings = tuple(
        msgspec.structs.replace(report.findings[0], port=port, port_declined=text, waived=None) for port in ports
    )
    assert acts(ported(msgspec.structs.replace(report, findings=findings), "")) == []


def test_signs_that_do_not_show_are_spelt_out_and_that_is_said() -> None:
    report = report_of("x")
    said = [
        ported(msgspec.structs.replace(report, findings=(each,)), "")
        for each in (
            msgspec.structs.replace(report.findings[0], port=Port("x", f"+\ta{sign}b\n", "safe"))
            for sign in ("", "\u202e")
        )
    ]
    assert "+\tab\n" in said[0]
    assert "\\u202e" in said[1]
    assert ["spelt out here" in each for each in said] == [False, True]


def test_ports_that_would_be_too_long_are_left_out_whole() -> None:
    report = report_of("x")
    long = msgspec.structs.replace(report.findings[0], port=Port("x", "+line\n" * 4000, "safe"))
    said = ported(msgspec.structs.replace(report, findings=(long,) * 4), "")
    assert len(said) < BUDGET + 200
    assert said.count("```diff") == 2
    assert said.endswith("2 more did not fit here: `consistency-bot port --all` prints them.")
