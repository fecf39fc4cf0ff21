"""The examples of the page about attention backends are judged as the page says."""

import re
from pathlib import Path

from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Finding
from consistency_bot.report import View, render
from consistency_bot.rules import RulesText, load_rules

PAGE = (Path(__file__).parent.parent / "docs" / "rules" / "sdpa_backends.md").read_text("utf-8")
RULES = b"""
version: 1
twins: [{id: workers, sides: {v1: v1.py, v2: v2.py}}]
atoms: {activation_checkpointing: "cfg['activation_checkpointing']", cp: ["cp_size > 1"]}
rules:
  - {id: cudnn-off, twins: workers, check: sdpa_backends, forbid: {CUDNN_ATTENTION: activation_checkpointing}}
"""
NAMES = {"FLASH": "FLASH_ATTENTION", "EFFICIENT": "EFFICIENT_ATTENTION", "MATH": "MATH", "CUDNN": "CUDNN_ATTENTION"}


def blocks(heading: str) -> list[str]:
    """The code blocks below a heading."""
    text = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)


def sides(block: str) -> dict[str, bytes]:
    """The two columns of an example as files, with the page's short names of backends written out."""
    rows = block.splitlines()
    at = rows[0].index("# v2")
    out = {}
    for name, part in (("v1", slice(None, at)), ("v2", slice(at, None))):
        lines = [row[part].rstrip() for row in rows[1:]]
        body = "\n".join(
            "    " + re.sub(r"\b[A-Z]{4,}\b", lambda found: f"SDPBackend.{NAMES[found[0]]}", line) for line in lines
        )
        head = "from torch.nn.attention import SDPBackend, sdpa_kernel\n\n\ndef train(cfg, model, batch, name):\n"
        out[f"{name}.py"] = f"{head}{body}\n".encode()
    return out


def findings(files: dict[str, bytes]) -> list[Finding]:
    change = change_between({**files, "v1.py": files["v1.py"] + b"# touched\n"}, files)
    report = check_change(load_rules(change, RulesText("rules.yaml", RULES)), change, True)
    return [each for each in report.findings if each.rule == "cudnn-off"]


def test_the_good_example_keeps_the_rule() -> None:
    assert findings(sides(blocks("Good")[0])) == []


def test_the_bad_example_is_told_as_the_page_tells_it() -> None:
    code, told = blocks("Bad")
    files = sides(code)
    change = change_between({**files, "v1.py": files["v1.py"] + b"# touched\n"}, files)
    report = check_change(load_rules(change, RulesText("rules.yaml", RULES)), change, True)
    text = render(report, "text", View())
    sentence, *table = told.rstrip().splitlines()
    assert sentence in re.sub(r" \(v\d\.py:\d+\)", "", text)
    for row in table:
        assert row.strip() in text
