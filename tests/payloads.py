"""Texts that try to leave their place in a report, and a report that is made of one such text."""

from consistency_bot.model import (
    Finding,
    Place,
    Port,
    Report,
    RulesSource,
    SmokeRequest,
    TwinsChecked,
    UnitsChanged,
    Verdict,
    Waived,
)

PAYLOADS = {
    "backticks": "a`b``c```d",
    "backtick at the end": "x`",
    "a fence": "```\n# PASSED\n```",
    "a heading": "x\n\n## PASSED\n",
    "mentions": "@octocat @org/team",
    "references": "#1 GH-2 o/r#3 o/r@0123456",
    "a link": "[ok](https://evil.example)",
    "a link of a reference": "[ok][1]\n\n[1]: https://evil.example",
    "an address": "https://evil.example/x www.evil.example a@evil.example",
    "an autolink": "<https://evil.example>",
    "an image": "![x](https://evil.example/x.png)",
    "a tag": "<img src=x onerror=alert(1)>",
    "closing tags": "</td></tr></table></details></sub><b>x</b>",
    "a comment": "<!-- consistency-bot:v1 --> x",
    "an open comment": "<!--",
    "entities": "&lt;b&gt; &#64;octocat &amp;",
    "cells": "a|b\\|c||",
    "a row": "x |\n| fail | fail | fail |",
    "backslashes": "x\\",
    "emphasis": "**x** _y_ ~~z~~ *",
    "a formula": "$x$ $$y$$ \\(z\\)",
    "an emoji": ":+1: :smile:",
    "a list": "- x\n1. y\n+ z",
    "a quote": "> [!NOTE]\n> x",
    "an underline": "x\n===",
    "a command": "x\n::error file=a.py::owned",
    "a command's own signs": "x,line=9::owned%0A::error::y%25",
    "an old command": "##[error]x ##[add-mask]y",
    "a placeholder": "{0} {12} {{1}} {x}",
    "colours": "\x1b[31mred\x1b[0m \x07\x08\x7f",
    "line ends": "a\rb\nc\r\nd\x0be\x0cf\x85g\u2028h\u2029i",
    "bidirectional": "\u202egnp.exe\u202c \u2066x\u2069",
    "no width": "a\u200bb\u200dc\ufeffd\u00ade",
    "lone surrogates": "\udcff\ud800x",
    "not ASCII": "größe 漢字 🙂",
    "a NUL": "x\0y",
    "long": "very/" * 400 + "long.py",
    "spaces": "  x  ",
    "nothing": "",
    "white space": " \n\t ",
}


def report_of(text: str, verdict: Verdict = "missed") -> Report:
    """A report whose every text is this one: paths, names, messages, reasons, commits."""
    place = Place(text, text, 1, 1, text)
    line = " ".join(text.splitlines())
    findings = (
        Finding(text, text, verdict, True, text, text, f"`{text}` and {text} ({text}:1).", place, place),
        Finding("bodies", text, "undecided", False, text, text, text, place, None),
        Finding(
            *("bodies", text, verdict, False, text, text, f"{text} `x`.", place, place),
            Port(text, f"--- {line}\n+++ {line}\n", "safe"),
            Waived("code", text, text),
        ),
    )
    checked = TwinsChecked(text, {text: (text, "x")}, (text,), 2, 2, {text: UnitsChanged(1, 1, 1)}, text, "warn")
    smoke = (SmokeRequest(text, text),)
    return Report(
        1, "consistency-bot 0.1.0", text, text, RulesSource(text, "base"), "drift", findings, (checked,), smoke
    )
