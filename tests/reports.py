"""Reports and sources that the tests of every format share."""

from msgspec.structs import replace

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

V1, V2 = "workers/worker.py", "workers/worker_v2.py"
SOURCES = {
    V1: tuple(f"line_{number} = 'v1'" for number in range(1, 31)),
    V2: (
        "",
        "class WorkerV2:",
        "\tdef train(self):",
        "\t\tif cp_size > 1:",
        "\t\t\tself.fail()",
        f"x = '{'long ' * 40}'",
    ),
}


def lines(path: str) -> tuple[str, ...]:
    """The lines of one of `SOURCES`, none for other paths."""
    return SOURCES.get(path, ())


def finding(verdict: Verdict, changed: Place | None, counterpart: Place | None, **others: str) -> Finding:
    """A finding of the rule that is always on, blocking where its verdict is `missed`."""
    concept, message = others.get("concept", "condition"), others.get("message", f"What is {verdict} is told here.")
    rule = others.get("rule", "bodies")
    return Finding(
        rule, "worker", verdict, verdict == "missed", "0123456789abcdef", concept, message, changed, counterpart
    )


PORT = Port(
    V1,
    f"diff --git a/{V1} b/{V1}\n--- a/{V1}\n+++ b/{V1}\n@@ -9,3 +9,5 @@\n line_9 = 'v1'\n line_10 = 'v1'\n"
    "+if cp_size > 1:\n+\tself.fail()\n line_11 = 'v1'\n@@ -29,2 +31,2 @@\n line_29 = 'v1'\n-line_30 = 'v1'\n"
    "+line_30 = 'v2'\n",
    "needs_review",
    "the rows around its place are no neighbours there; it takes something away: see that it was meant to go",
)
"""Adds two lines and replaces one."""

REPORT = Report(
    version=1,
    tool="consistency-bot 0.1.0",
    base="0123456789abcdef0123456789abcdef01234567",
    head="WORKTREE",
    rules=RulesSource("rules.yaml", "worktree", changed_by_head=True),
    conclusion="drift",
    findings=(
        replace(
            finding("missed", Place("v2", V2, 4, 5, "WorkerV2.train"), Place("v1", V1, 11, 10, "Worker.train")),
            also=(Place("v2", V2, 6, 6),),
            port=PORT,
        ),
        replace(
            finding("missed", Place("v2", V2, 6, 5), Place("v1", V1, 2, 20), concept="patch_call"),
            port_declined="the other side does not know a name",
        ),
        finding("diverged", Place("v1", V1, 1, 1), Place("v2", V2, 6, 6)),
        finding("one_sided", Place("v2", V2, 2, 2, "WorkerV2"), None),
        finding("repaired", Place("v2", V2, 2, 2), Place("v1", "workers/no_such_file.py", 3, 3)),
        finding("standing", Place("v2", V2, 2, 99), Place("v1", V1, 30, 40)),
        finding("broken", Place("v2", V2, 2, 2), None, rule="startup-patches"),
        finding("unknown", Place("v2", V2, 1, 1), None, message="v2 could not be read: line 3 is not Python."),
        finding("undecided", None, Place("v1", V1, 1, 0)),
        Finding(
            "aten-alias",
            None,
            "broken",
            False,
            "fedcba9876543210",
            "patch",
            "The patch is no longer needed.",
            Place("v1", V1, 1, 1),
            None,
            Port(V1, "--- a\n+++ b\n@@ -1 +0,0 @@\n-line_1 = 'v1'\n", "needs_review"),
            Waived("comment", "ada", "Until the next release."),
        ),
    ),
    twins_checked=(
        TwinsChecked(
            "worker",
            {"v1": (V1,), "v2": (V2, "workers/helper.py")},
            ("v2",),
            30,
            28,
            {"v2": UnitsChanged(3, 1, 0)},
            "Two implementations of one worker; a fix in one is owed to the other.",
        ),
        TwinsChecked("clients", {"a": ("a.py",), "b": ("b.py",)}, ("a", "b"), mode="warn"),
    ),
    smoke=(SmokeRequest("tp2-sp", "startup-patches: twins worker changed"),),
)
"""One finding of every verdict."""

NOTHING = Report(1, "consistency-bot 0.1.0", "0" * 40, "1" * 40, RulesSource("rules.yaml", "base"), "in_step", (), ())
"""The report on a change that touches no twins."""

HOSTILE_PATH = "a\n\x1b[31m\u202e`|<b>@x\udcff.py"
HOSTILE = Report(
    version=1,
    tool="consistency-bot 0.1.0",
    base="0" * 40,
    head="1" * 40,
    rules=RulesSource(HOSTILE_PATH, "base"),
    conclusion="drift",
    findings=(
        replace(
            finding(
                "missed",
                Place(HOSTILE_PATH, HOSTILE_PATH, 1, 1, HOSTILE_PATH),
                Place("v1", V1, 1, 1, "Wörker.größe"),
                concept=HOSTILE_PATH,
                message=f"The path {HOSTILE_PATH} is told.",
                rule=HOSTILE_PATH,
            ),
            port=Port(
                HOSTILE_PATH,
                "--- a\n+++ b\n@@ -1,1 +1,4 @@\n-old\r\n+```\n+</details><b>@x #1\x1b[31m\u202e\x00\r\n+::error::x\n+::endgroup::\n",
                "needs_review",
                f"judged again with it, there would be a new finding: missed, {HOSTILE_PATH}",
            ),
        ),
        replace(
            finding("missed", Place("v2", V2, 4, 4), Place("v1", V1, 1, 1)),
            port_declined=f"</details>::warning::{HOSTILE_PATH}",
        ),
    ),
    twins_checked=(TwinsChecked(HOSTILE_PATH, {HOSTILE_PATH: (HOSTILE_PATH,)}, (HOSTILE_PATH,)),),
)
"""A report whose every text tries to leave its place."""
