"""The whole rules file, version 1, as types: the decoder, the messages and the JSON Schema all come from these.

A key of the file is a field here, and a field without a default must be given. To add a kind of rule, add a struct with
its own keys and put it in `AnyRule`; a key that no kind had before is a field of `model.RuleKeys` too.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec

from consistency_bot.jobs import Option
from consistency_bot.model import Mode
from consistency_bot.rules import faults


class Kind(msgspec.Struct, frozen=True):
    """What a text has to be: in words for a message, and the question that finds the fault (None: no fault)."""

    takes: str
    fault: Callable[[str], str | None]
    is_also_number: bool = False
    """Whether what YAML takes for a number may stand there without quotes."""


Id = Annotated[str, Kind("a word without spaces", faults.fault_of_word)]
JobName = Annotated[str, Kind("letters, digits, `.`, `_` and `-`, as in a file's name", faults.fault_of_job_name)]
Variable = Annotated[str, Kind("letters, digits and `_`, no digit first", faults.fault_of_variable)]
Text = Annotated[str, Kind("some text", faults.fault_of_text)]
Pattern = Annotated[
    str, Kind("a path from the repository's root, where `*` and `**` may stand for names", faults.fault_of_pattern)
]
Symbol = Annotated[str, Kind("`path.py::name`", faults.fault_of_symbol)]
Date = Annotated[str, Kind("a day such as 2026-12-31", faults.fault_of_date)]
Where = Annotated[
    str,
    Kind(
        "a path from the repository's root, perhaps with `*` and `**`, perhaps `::Class.method`", faults.fault_of_where
    ),
]
Fingerprint = Annotated[
    str, Kind("8 to 16 hex digits of a finding's fingerprint", faults.fault_of_fingerprint, is_also_number=True)
]
Requirement = Annotated[str, Kind("a package and its versions such as `torch>=2.9,<2.10`", faults.fault_of_requirement)]
Link = Annotated[str, Kind("a web address", faults.fault_of_link)]
Condition = Annotated[
    str, Kind("a condition in Python's words, such as `activation_checkpointing and not cp`", faults.fault_of_condition)
]
Spelling = Annotated[
    str, Kind("one condition as code spells it, such as `cfg['cp_size'] > 1`", faults.fault_of_spelling)
]
Backend = Annotated[
    str,
    Kind(
        "`FLASH_ATTENTION`, `EFFICIENT_ATTENTION`, `MATH` or `CUDNN_ATTENTION`, or an `attn_implementation` such as `eager`",
        faults.fault_of_backend,
    ),
]
Code = Annotated[
    str,
    Kind(
        "one expression or statement of Python, where `$NAME` stands for any one and `$$$` for any number",
        faults.fault_of_code,
    ),
]
Regex = Annotated[str, Kind("a regular expression in the words of Python's `re`", faults.fault_of_regex)]
Texts = Text | tuple[Text, ...]
Patterns = Pattern | tuple[Pattern, ...]


class Status(msgspec.Struct, frozen=True):
    """The end of one side: `frozen` takes no more changes, `retired` must not come back. One of the two is given."""

    frozen: Id | None = None
    retired: Id | None = None


class TwinsEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `twins`."""

    id: Id
    sides: dict[Id, Patterns]
    why: Text = ""
    same: tuple[tuple[Text, ...], ...] = ()
    comments: Literal["ignore", "compare"] = "ignore"
    status: Literal["active"] | Status = "active"
    mode: Mode = "block"
    expires: Date | None = None


class Rule(msgspec.Struct, frozen=True, kw_only=True, tag_field="check"):
    """The keys that every entry of `rules` has. `only` is side, then what that side alone may do, then the reason.

    Without a `mode` that of its twins counts. `expires` is the last day on which `only` counts.
    """

    id: Id
    twins: Id
    why: Text = ""
    mode: Mode | None = None
    smoke: tuple[Id, ...] = ()
    only: dict[Id, dict[Text, Text]] = {}
    expires: Date | None = None


class PatchCalls(Rule, frozen=True, kw_only=True, tag="patch_calls"):
    """Which patches each side applies, where, and before or after what."""

    names: Texts
    before: Texts = ()
    after: Texts = ()
    in_: Texts = msgspec.field(default=(), name="in")


class SdpaBackends(Rule, frozen=True, kw_only=True, tag="sdpa_backends"):
    """Which attention backends a side may choose; `forbid` and `require` map a backend to a condition."""

    forbid: dict[Backend, Condition] = {}
    require: dict[Backend, Condition] = {}
    arguments: Texts = ()


class Guards(Rule, frozen=True, kw_only=True, tag="guards"):
    """What every side has to refuse, as conditions."""

    refuse: Condition | tuple[Condition, ...] = ()


class ConfigKeys(Rule, frozen=True, kw_only=True, tag="config_keys"):
    """Configuration keys that every side reads, below the names in `under`."""

    under: Texts = ()


class Signature(Rule, frozen=True, kw_only=True, tag="signature"):
    """Parameters of public methods: of all (`true`) or of those named."""

    public: bool | tuple[Text, ...] = True


class Calls(Rule, frozen=True, kw_only=True, tag="calls"):
    """Arguments of the named calls."""

    names: Texts


class Present(Rule, frozen=True, kw_only=True, tag="present"):
    """A pattern (Python) or a regular expression (other files) that stands on every side; with `absent`, on none."""

    pattern: Code | None = None
    regex: Regex | None = None
    absent: bool = False


class Cochange(Rule, frozen=True, kw_only=True, tag="cochange"):
    """Files one of which has to change whenever a side does."""

    any_of: Patterns


class Tests(Rule, frozen=True, kw_only=True, tag="tests"):
    """A test that names the configuration `match`, in the test file of every side."""

    files: dict[Id, Patterns]
    match: Texts = ()
    mode: Mode | None = "warn"


class Imports(Rule, frozen=True, kw_only=True, tag="imports"):
    """Names that every side imports."""

    names: Texts


class Environment(Rule, frozen=True, kw_only=True, tag="environment"):
    """Environment variables that every side reads or sets."""

    names: Texts


AnyRule = (
    PatchCalls
    | SdpaBackends
    | Guards
    | ConfigKeys
    | Signature
    | Calls
    | Present
    | Cochange
    | Tests
    | Imports
    | Environment
)


class Patch(msgspec.Struct, frozen=True, kw_only=True):
    """A monkey-patch with a life: where it is, and for which versions it is `needed` (a PEP 440 requirement).

    `upstream` is where the real fix is, `test` the test that goes with it. `expires` is the last day of its life.
    `probe` is what fails without it: a probe's name and its options. `smoke` names jobs that meet it.
    """

    function: Symbol
    needed: Requirement
    upstream: Link | None = None
    test: Text | None = None
    probe: dict[Id, Option] = {}
    smoke: tuple[Id, ...] = ()
    mode: Mode = "warn"
    expires: Date | None = None


class When(msgspec.Struct, frozen=True):
    """When a smoke job runs though no rule asked for it."""

    paths: Patterns = ()
    label: Text | None = None
    always: bool = False


class SmokeJob(msgspec.Struct, frozen=True, kw_only=True):
    """A short run on real hardware: a `probe` by name with its options, or a `command`.

    A command finds the values of `parallel` in its environment, `tp: 2` as `CONSISTENCY_BOT_TP=2`, and runs once for
    each combination of them. `gpus` is how many ranks there are on a machine without GPUs.
    """

    probe: dict[Id, Option] | None = None
    command: Text | None = None
    parallel: dict[Variable, Option] = {}
    gpus: int = 0
    minutes: int = 10
    runs_on: Texts = ()
    env: dict[Variable, str] = {}
    when: When = When()


class Waiver(msgspec.Struct, frozen=True, kw_only=True):
    """A reason why one `finding` does not block, or those of a `rule` at the place `where`.

    `finding` is a fingerprint; its first eight digits are enough while no other finding begins with them. It counts for
    what the sides say now, and lapses when one of them says something else.

    `rule` is a rule's id (`bodies` for the one that is always on), the id of twins, or a concept such as `condition`:
    what may stand in `# consistency: differs(…)` in the code. `where` is a path, in which `*` and `**` may stand for
    names, or `path::Class.method` for one function, `path::Class` for all of a class; either place of a finding may be
    there. It counts for whatever will differ there. What cannot be read (`unknown`) has to be named by its fingerprint.

    `expires` is the last day on which it counts.
    """

    reason: Text
    finding: Fingerprint | None = None
    rule: Text | None = None
    where: Where | None = None
    by: Text | None = None
    expires: Date | None = None


class RulesFile(msgspec.Struct, frozen=True, kw_only=True):
    """A rules file as written."""

    version: Literal[1]
    twins: tuple[TwinsEntry, ...]
    atoms: dict[Id, Spelling | tuple[Spelling, ...]] = {}
    rules: tuple[AnyRule, ...] = ()
    patches: dict[Id, Patch] = {}
    smoke: dict[JobName, SmokeJob] = {}
    waivers: tuple[Waiver, ...] = ()
