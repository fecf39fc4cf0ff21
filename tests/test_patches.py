"""Patches with a life: versions, mentions, version checks and silence, each as a table; the folders are `facts/patches`."""

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_tree import MemoryTree, change_between
from packaging.requirements import Requirement

from consistency_bot.check import check_change
from consistency_bot.locks.values import Bound, Locked, Locks
from consistency_bot.model import Change, ChangedPath, Report
from consistency_bot.patches.needs import is_needed
from consistency_bot.patches.versions import answer, read_range, read_version, samples
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.rules.faults import fault_of_requirement
from consistency_bot.syntax import Readings, Source
from consistency_bot.syntax.claims import empty_claims
from consistency_bot.syntax.mentions import Wanted, find_mentions, is_test
from consistency_bot.syntax.swallowing import swallowing_handlers
from consistency_bot.syntax.version_tests import VersionCheck, version_checks

ROOT = Path(__file__).parent.parent
LOCK = '[[package]]\nname = "torch"\nversion = "VERSION"\n'
PATCH = "def fix():\n    import torch\n\n    torch.fixed = True\n"
RULES = """\
version: 1
twins: []
patches:
  fix: {function: "lib/patches.py::fix", needed: "torch>=2.9,<2.10"}
"""


def lock(version: str) -> str:
    return LOCK.replace("VERSION", version)


def tree(**files: str) -> dict[str, bytes]:
    named = {"patches": "lib/patches.py", "worker": "lib/worker.py", "lock": "uv.lock", "rules": "rules.yaml"}
    return {named.get(name, name): text.encode() for name, text in files.items()}


BASE = tree(patches=PATCH, worker="from lib.patches import fix\n\nfix()\n", lock=lock("2.9.0"))


def report_of(change: Change, rules: str = RULES, today: date | None = None) -> Report:
    return check_change(load_rules(change, RulesText("rules.yaml", rules.encode())), change, False, today)


# Versions


@pytest.mark.parametrize(
    ("needed", "versions", "need"),
    [
        ("torch>=2.9,<2.10", ["2.9.0", "2.9.1+cu129"], "needed"),
        ("torch>=2.9,<2.10", ["2.10.0"], "not_needed"),
        ("torch>=2.9,<2.10", ["2.10.0rc1"], "not_needed"),
        ("torch>=2.9,<2.10", ["2.10.0.dev20260101"], "not_needed"),
        ("torch>=2.9.0,<2.10", ["2.9.0rc1"], "not_needed"),
        ("torch>=2.9,<2.10", ["2.9.0", "2.10.0"], "undecided"),
        ("torch==2.9.0", ["2.9.0+cpu"], "needed"),
        ("torch!=2.9.1", ["2.9.1"], "not_needed"),
        ("torch==2.9.*", ["2.9.7"], "needed"),
        ("torch~=2.9.1", ["2.10"], "not_needed"),
        ("torch<2.10", ["1!2.9"], "not_needed"),
        ("torch<2.10", ["nightly"], "undecided"),
    ],
)
def test_locked_versions_tell_whether_a_patch_is_needed(needed: str, versions: list[str], need: str) -> None:
    wanted = read_range(needed)
    assert wanted is not None
    assert is_needed(wanted, Locks(tuple(Locked("uv.lock", 1, each) for each in versions))).need == need


@pytest.mark.parametrize(
    ("needed", "bounds", "need"),
    [
        ("torch>=2.9,<2.10", ["==2.9.0"], "needed"),
        ("torch>=2.9,<2.10", ["~=2.9.1"], "needed"),
        ("torch>=2.9,<2.10", [">=2.9,<2.9.5"], "needed"),
        ("torch>=2.9,<2.10", [">=2.10"], "not_needed"),
        ("torch>=2.9,<2.10", ["<2.9"], "not_needed"),
        ("torch>=2.9,<2.10", [">=2.9"], "undecided"),
        ("torch>=2.9,<2.10", [""], "undecided"),
        ("torch>=2.9,<2.10", ["", "==2.9.*"], "needed"),
        ("torch>=2.9,<2.10", ["==2.9.0", "==2.10.0"], "undecided"),
        ("torch>=2.9,<2.10", ["==2.9.0", ">=2 <3"], "undecided"),
        ("torch>=2.9,<2.10", [">=3,<2"], "undecided"),
        ("torch>=2.9,<2.10,!=2.9.3", [">=2.9,<2.10"], "undecided"),
    ],
)
def test_bounds_decide_where_all_that_they_allow_is_alike(needed: str, bounds: list[str], need: str) -> None:
    wanted = read_range(needed)
    assert wanted is not None
    assert is_needed(wanted, Locks(bounds=tuple(Bound("pyproject.toml", 1, each) for each in bounds))).need == need


def test_where_nothing_is_known_it_is_told_what_was_looked_at() -> None:
    wanted = read_range("torch<2")
    assert wanted is not None
    assert is_needed(wanted, Locks(looked_at=("uv.lock",))).reason.endswith("none of uv.lock names it")
    assert "there is no lock file" in is_needed(wanted, Locks()).reason


_RELEASES = st.lists(st.integers(0, 12), min_size=1, max_size=4).map(lambda numbers: ".".join(map(str, numbers)))
_CLAUSES = st.tuples(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), _RELEASES).map("".join)
_RANGES = st.lists(_CLAUSES, min_size=1, max_size=3).map(",".join)


@given(_RANGES, _RANGES, _RELEASES)
def test_two_ranges_that_look_alike_in_samples_are_alike_everywhere(one: str, other: str, version: str) -> None:
    first, second = read_range(f"x{one}"), read_range(f"x{other}")
    found = read_version(version)
    assert first is not None
    assert second is not None
    assert found is not None
    points = samples([one, other])
    if all(first.has(each) == second.has(each) for each in points):
        assert first.has(found) == second.has(found)


@given(st.text(st.sampled_from("torch >=<!~*.,+-_0129rcadevpost[];@()v!"), max_size=20))
def test_what_the_rules_file_takes_for_a_requirement_is_one(text: str) -> None:
    if fault_of_requirement(text) is None:
        found = Requirement(text)
        wanted = read_range(text)
        assert wanted is not None
        assert wanted.specifiers == found.specifier
        assert wanted.package == found.name


@pytest.mark.parametrize(
    "text",
    ["torch>=2.9,<2.10", "Flash_Attn [x,y] ~= 2.8.1", "torch==2.9.*", "torch==2.9.0+cu129", "torch!=2.9rc1", "a<1!2.0"],
)
def test_a_requirement_is_taken_as_pip_takes_it(text: str) -> None:
    assert fault_of_requirement(text) is None
    assert read_range(text) is not None


@pytest.mark.parametrize(
    "text",
    ["torch", "", ">=2", "torch>=two", "torch=2", "torch^2", "torch>=2.*", "torch>=2+cu", "torch>=2;x", "t @ http://x"],
)
def test_what_is_no_requirement_is_refused(text: str) -> None:
    assert fault_of_requirement(text) is not None


# A function's own version check


def checks_of(body: str, top: str = "") -> list[VersionCheck]:
    text = f"import torch\n{top}\ndef fix():\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    source = Source("patches.py", text.encode(), Readings())
    return version_checks(source, source.definitions[-1].node, "torch")


@pytest.mark.parametrize(
    ("body", "effect", "holds", "not_"),
    [
        ('assert torch.__version__.startswith("2.9.0")\ngo()', "stops", ["2.9.1", "2.10.0"], ["2.9.0", "2.9.0+cu129"]),
        ('assert torch.__version__.startswith(("2.8", "2.9")), "why"\ngo()', "stops", ["2.10"], ["2.9.1", "2.8.0"]),
        ('if Version(torch.__version__) >= Version("2.10"):\n    return\ngo()', "skips", ["2.10.0"], ["2.9.1"]),
        ('if not Version(torch.__version__) < Version("2.10"):\n    raise E()\ngo()', "stops", ["2.10.0"], ["2.9.1"]),
        (
            'if version.parse(torch.__version__) != version.parse("2.9"):\n    return\ngo()',
            "skips",
            ["2.9.1"],
            ["2.9.0"],
        ),
        ('if torch.__version__ >= "2.10":\n    return\ngo()', "skips", ["2.10.0"], ["2.9.1"]),
        ("if (2, 10) <= release(torch.__version__):\n    return\ngo()", "skips", ["2.10.0"], ["2.9.1"]),
        ('if Version(version("torch")) < Version("2.9"):\n    return\ngo()', "skips", ["2.8"], ["2.9.1"]),
        ('if torch.__version__ in ("2.9.0", "2.9.1"):\n    return\ngo()', "skips", ["2.9.1"], ["2.9.2"]),
        ('if torch.__version__ not in ("2.9.0",):\n    return\ngo()', "skips", ["2.9.1"], ["2.9.0"]),
        ('found = Version(torch.__version__)\nif found < Version("2.9"):\n    return\ngo()', "skips", ["2.8"], ["2.9"]),
        (
            'if Version(torch.__version__.split("+")[0]) > Version("2.9.0"):\n    return\ngo()',
            "skips",
            ["2.9.1"],
            ["2.9.0+x"],
        ),
        ('if Version(torch.__version__).base_version == "2.9.0":\n    return\ngo()', "skips", ["2.9.0+x"], ["2.9.1"]),
        (
            'if Version(torch.__version__) < Version("2.9") or Version(torch.__version__) >= Version("2.10"):\n    return\ngo()',
            "skips",
            ["2.8", "2.10"],
            ["2.9.1"],
        ),
        ('if Version(torch.__version__) < Version("2.10"):\n    go()', "skips", ["2.10"], ["2.9"]),
        ("if LATEST <= Version(torch.__version__):\n    return\ngo()", "skips", ["2.10.0"], ["2.9.1"]),
    ],
)
def test_a_version_check_is_read(body: str, effect: str, holds: list[str], not_: list[str]) -> None:
    (found,) = checks_of(body, 'LATEST = Version("2.10")')
    assert found.effect == effect
    for text in (*holds, *not_):
        version = read_version(text)
        assert version is not None
        assert answer(found.test, version, text) is (text in holds), text


@pytest.mark.parametrize(
    "body",
    [
        'assert triton.__version__.startswith("3")',
        "assert is_new_enough()",
        "if torch.cuda.is_available():\n    return",
        'if torch.__version__[:3] == "2.9":\n    return',
        'if Version(torch.__version__) < Version("2.10"):\n    go()\nelse:\n    come()',
        'if Version(torch.__version__) < Version("2.10"):\n    go()\ncome()',
        'for each in all:\n    if Version(torch.__version__) < Version("2.10"):\n        return',
    ],
)
def test_what_is_no_version_check_of_the_package_is_none(body: str) -> None:
    assert checks_of(body) == []


@pytest.mark.parametrize("operator", ["<=", ">", "==", "!="])
def test_how_many_numbers_a_function_compares_is_not_guessed(operator: str) -> None:
    (found,) = checks_of(f"if release(torch.__version__) {operator} (2, 10):\n    return\ngo()")
    version = read_version("2.10.1")
    assert version is not None
    assert answer(found.test, version, "2.10.1") is None


# What hides a failure, or tells success of nothing


def function(body: str) -> Source:
    return Source(
        "patches.py", ("def fix(text):\n" + "".join(f"    {line}\n" for line in body.split("\n"))).encode(), Readings()
    )


@pytest.mark.parametrize(
    "handler",
    [
        "except Exception:\n    pass",
        "except:\n    ...",
        'except Exception as e:\n    logger.warning("no patch: %s", e)',
        "except AttributeError:\n    return",
        "except (ImportError, AttributeError):\n    return None",
        "except* ValueError:\n    pass",
        'except Exception:\n    "nothing to do"\n    traceback.print_exc()',
    ],
)
def test_a_handler_that_goes_on_swallows(handler: str) -> None:
    (found,) = swallowing_handlers(function(f"try:\n    lib.f = g\n{handler}").definitions[-1].node)
    assert found.line == 4


@pytest.mark.parametrize(
    "body",
    [
        "try:\n    lib.f = g\nexcept Exception:\n    raise",
        "try:\n    lib.f = g\nexcept Exception:\n    return False",
        "try:\n    lib.f = g\nexcept AttributeError:\n    other.f = g",
        "try:\n    lib.f = g\nexcept Exception:\n    sys.exit(1)",
        "try:\n    import lib\nexcept Exception:\n    return",
        "try:\n    found = version(name)\nexcept Exception:\n    return",
        "try:\n    lib.enable()\nexcept ImportError:\n    return",
        "try:\n    lib.f = g\nfinally:\n    done()",
        "with suppress(ImportError):\n    lib.f = g",
        "def inner():\n    try:\n        lib.f = g\n    except Exception:\n        pass\nreturn inner",
    ],
)
def test_a_handler_that_tells_its_caller_does_not(body: str) -> None:
    assert swallowing_handlers(function(body).definitions[-1].node) == []


@pytest.mark.parametrize(
    "body",
    [
        'if hasattr(lib, "f"):\n    lib.f = g\nprint("patched")',
        'try:\n    lib.f = g\nexcept AttributeError:\n    pass\nprint("Patch applied")',
        'if a:\n    lib.f = g\nelif b:\n    lib.f = h\nlogger.info("Successfully patched lib")',
        'new = text.replace("a", "b")\nfile.write(new)\nprint(f"patched {file}")',
    ],
)
def test_success_is_told_of_nothing(body: str) -> None:
    assert len(list(empty_claims(function(body).definitions[-1].node))) == 1


@pytest.mark.parametrize(
    "body",
    [
        'lib.f = g\nprint("patched")',
        'if hasattr(lib, "f"):\n    lib.f = g\n    print("patched")',
        'if not hasattr(lib, "f"):\n    return\nlib.f = g\nprint("patched")',
        'if a:\n    lib.f = g\nelse:\n    lib.f = h\nprint("patched")',
        'with open(p, "w") as f:\n    f.write(text)\nprint("patched")',
        'try:\n    lib.f = g\nexcept AttributeError:\n    raise\nprint("patched")',
        'for each in libs:\n    each.f = g\nprint("patched")',
        'if a:\n    lib.f = g\nprint("not patched")',
        'if a:\n    lib.f = g\nprint("already patched, skipping")',
        'if a:\n    lib.f = g\nprint("starting")',
        'if "a" in text:\n    file.write(text.replace("a", "b"))\n    print("patched")',
        'new = text.replace("a", "b")\nassert new != text\nfile.write(new)\nprint("patched")',
        'apply(lib)\nprint("patched")',
        'done = False\nif a:\n    lib.f = g\n    done = True\nif done:\n    print("patched")',
    ],
)
def test_success_that_may_well_be_true_is_left_alone(body: str) -> None:
    assert list(empty_claims(function(body).definitions[-1].node)) == []


# Mentions


def mentions(path: str, text: str, symbol: str = "fix", home: str = "src/lib/patches.py") -> list[tuple[str, int, str]]:
    found = find_mentions(Source(path, text.encode(), Readings()), Wanted.at(home, symbol))
    return [(each.kind, each.line, each.function) for each in found]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("from lib.patches import fix\nfix()\n", 2),
        ("from src.lib.patches import fix\nfix()\n", 2),
        ("from .patches import fix\nfix()\n", 2),
        ("from . import patches\npatches.fix()\n", 2),
        ("from lib.patches import fix as mend\nmend()\n", 2),
        ("from lib.patches import *\nfix()\n", 2),
        ("from lib import fix\nfix()\n", 2),
        ("import lib.patches\nlib.patches.fix()\n", 2),
        ("import lib.patches as p\np.fix()\n", 2),
        ("from lib.patches import (\n    other,\n    fix,\n)\nfix()\n", 5),
    ],
)
def test_a_call_is_found_however_the_function_is_imported(text: str, line: int) -> None:
    calls = [each for each in mentions("src/lib/worker.py", text) if each[0] == "call"]
    assert calls == [("call", line, "")]


@pytest.mark.parametrize(
    "text",
    [
        "def fix(): ...\nfix()\n",
        "from elsewhere.fixes import fix\nfix()\n",
        "import elsewhere\nelsewhere.fix()\n",
        "self.fix()\n",
        "call(fix=1)\n",
        "# fix()\n'fix()'\n",
        "from lib.patches import prefix\nprefix()\n",
        "from ..patches import fix\nfix()\n",
    ],
)
def test_what_only_has_the_name_is_no_mention(text: str) -> None:
    assert mentions("src/lib/worker.py", text) == []


def test_a_function_that_is_handed_on_is_mentioned() -> None:
    text = "from lib.patches import fix\n\n\ndef start():\n    run_everywhere(fix)\n"
    assert mentions("lib/worker.py", text) == [("import", 1, ""), ("reference", 5, "start")]


def test_in_its_own_file_it_is_mentioned_outside_of_itself() -> None:
    text = "def fix(again=True):\n    if again:\n        fix(False)\n\n\ndef all_fixes():\n    fix()\n"
    assert mentions("src/lib/patches.py", text) == [("call", 7, "all_fixes")]


def test_a_method_is_mentioned_by_its_class() -> None:
    text = "from lib.patches import Fixes\n\nFixes.apply()\nother.unrelated()\n"
    assert mentions("a.py", text, "Fixes.apply", "lib/patches.py") == [("call", 3, "")]


@pytest.mark.parametrize("path", ["tests/a.py", "test_a.py", "lib/a_test.py", "lib/tests/b/c.py", "conftest.py"])
def test_files_with_tests_go_by_their_names(path: str) -> None:
    assert is_test(path)
    assert not is_test("lib/testing.py")


# Changes


def test_a_change_of_nothing_that_concerns_a_patch_says_nothing() -> None:
    change = change_between(BASE | {"x.py": b"1"}, tree(patches="nothing", lock=lock("3")) | {"x.py": b"2"})
    unconcerned = Change(change.base_name, change.head_name, change.base, change.head, (ChangedPath("x.py", "x.py"),))
    assert report_of(unconcerned).findings == ()


def test_an_entry_taken_out_with_its_function_is_no_stale_entry() -> None:
    rules = RULES.replace("twins: []", "twins:\n  - {id: pair, sides: {a: a.py, b: b.py}}")
    base = tree(patches=PATCH, worker="from lib.patches import fix\n\nfix()\n", lock=lock("2.10.0"), rules=rules)
    left = tree(patches="", worker="", lock=lock("2.10.0"), rules=rules.partition("patches:")[0])
    change = change_between(base, left)
    report = check_change(load_rules(change, None), change)
    assert [(each.verdict, each.rule) for each in report.findings] == [("repaired", "fix")]
    assert report.findings[0].message == "the patch fix is gone (lib/patches.py:1), as it was no longer needed."
    change = change_between(base, left | {"rules.yaml": rules.encode()})
    assert [each.verdict for each in check_change(load_rules(change, None), change).findings] == ["broken"]


def test_what_is_better_is_told_as_no_more_than_it_is() -> None:
    uncalled = BASE | tree(worker="")
    called = report_of(change_between(uncalled, BASE)).findings
    assert [each.message for each in called] == ["`fix` (lib/patches.py:1) is in order again: it is called."]
    swallowing = PATCH.replace(
        "    torch.fixed = True\n", "    try:\n        torch.fixed = True\n    except E:\n        pass\n"
    )
    half = report_of(change_between(uncalled | tree(patches=swallowing), BASE | tree(patches=swallowing))).findings
    assert [each.message for each in half] == ["`fix` (lib/patches.py:1) has one fault less: it is called."]
    torn = lock("2.9.0") + lock("2.10.0")
    doubtful = report_of(change_between(BASE | tree(lock=lock("2.10.0")), BASE | tree(lock=torn))).findings
    assert [each.verdict for each in doubtful] == ["undecided"]


def test_a_patch_that_moves_with_its_file_is_the_same_patch() -> None:
    swallowing = PATCH.replace(
        "    torch.fixed = True\n", "    try:\n        torch.fixed = True\n    except E:\n        pass\n"
    )
    base = {"old.py": swallowing.encode(), "uv.lock": lock("2.9.0").encode(), "w.py": b"from old import fix\nfix()\n"}
    head = {
        "lib/patches.py": base["old.py"],
        "uv.lock": base["uv.lock"],
        "w.py": b"from lib.patches import fix\nfix()\n",
    }
    paths = (ChangedPath("old.py", "lib/patches.py"), ChangedPath("w.py", "w.py"))
    change = Change("0" * 40, "1" * 40, MemoryTree(base), MemoryTree(head), paths)
    assert report_of(change).findings == ()


def test_a_patch_blocks_where_it_is_asked_to_and_can_be_waived() -> None:
    change = change_between(BASE, BASE | tree(lock=lock("2.10.0")))
    assert [each.blocks for each in report_of(change).findings] == [False]
    blocking = RULES.replace("}", ", mode: block}")
    report = report_of(change, blocking)
    assert ([each.blocks for each in report.findings], report.conclusion) == ([True], "drift")
    waived = blocking + "waivers:\n  - {rule: fix, where: lib/patches.py, reason: Next week.}\n"
    report = report_of(change, waived)
    assert [(each.blocks, each.waived is not None) for each in report.findings] == [(False, True)]
    fingerprint = report.findings[0].fingerprint
    by_name = blocking + f"waivers:\n  - {{finding: {fingerprint}, reason: Next week.}}\n"
    assert [each.blocks for each in report_of(change, by_name).findings] == [False]


def test_a_patch_that_is_switched_off_says_nothing() -> None:
    change = change_between(BASE, BASE | tree(lock=lock("2.10.0")))
    assert report_of(change, RULES.replace("}", ", mode: off}")).findings == ()


def test_a_fingerprint_survives_another_version_and_moved_lines() -> None:
    first = report_of(change_between(BASE, BASE | tree(lock=lock("2.10.0")))).findings
    moved = BASE | tree(lock="# more\n" + lock("2.11.0"), patches="# more\n" + PATCH)
    assert [each.fingerprint for each in first] == [
        each.fingerprint for each in report_of(change_between(BASE, moved)).findings
    ]


def test_a_patch_is_of_no_twins() -> None:
    (finding,) = report_of(change_between(BASE, BASE | tree(lock=lock("2.10.0")))).findings
    assert (finding.rule, finding.twins, finding.concept) == ("fix", None, "patch")
    assert finding.changed is not None
    assert finding.counterpart is not None
    assert (finding.changed.side, finding.changed.path, finding.changed.line) == ("patch", "lib/patches.py", 1)
    assert (finding.counterpart.side, finding.counterpart.path, finding.counterpart.line) == ("lock", "uv.lock", 3)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"def fix(:\n", b"(" * 20_000, b"", b"fix = 1\n"])
def test_a_patch_file_may_hold_anything(data: bytes) -> None:
    change = change_between(BASE, BASE | {"lib/patches.py": data})
    (finding,) = report_of(change).findings
    assert finding.verdict in ("undecided", "broken")


@pytest.mark.parametrize("data", [b"\xff\xfefix", b"from lib.patches import fix\n" + b"fix(" * 20_000, b"fix\0"])
def test_a_file_that_names_a_patch_may_hold_anything(data: bytes) -> None:
    report_of(change_between(BASE, BASE | {"x.py": data}))


def test_a_change_that_concerns_no_patch_loads_nothing_for_them() -> None:
    program = (
        "import sys; from consistency_bot.check import check_change; from consistency_bot.rules import *;"
        "from memory_tree import change_between;"
        f"change = change_between({BASE!r}, {BASE | {'x.py': b''}!r});"
        f"check_change(load_rules(change, RulesText('rules.yaml', {RULES.encode()!r})), change);"
        "print(*sys.modules)"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert not {"packaging", "tomllib", "tree_sitter", "consistency_bot.patches.judging"} & set(done.stdout.split())
