"""Mutation bench: does `check` say the right thing about edits whose right answer is known?

    python benchmarks/mutation.py --mirrors DIR [--pairs tuned|untouched|all] [--trials 200] [--seed 1] [--jobs 2] [-v]

DIR holds clones (bare ones are enough) as DIR/<owner>+<name>/repo; pairs without a clone are left out and named. Each
pair of real twins is read at a pinned commit, and so many trials are made of each way:

one-sided   what both sides say alike is changed on one side (`mutants.drifts`): must alarm
both-sided  the same change on both sides: must not alarm
rewrite     one side is rewritten without changing what it does (`mutants.*_rewrites`): must not alarm

The base of a trial is the pair as it is, the head the pair after the edit. An alarm is a blocking `missed`, `diverged`
or `broken`; trials with an `undecided` or `unknown` finding are counted apart. `named` counts the one-sided alarms in
which a finding names the function that was edited. Kinds of edits take turns, so that rare ones count as much as common
ones. Only functions that say half or more alike take part, in them only what stands once on each side. The same seed
makes the same trials. `--way`, `--kind` and `--only` choose what to run; `-v` shows each trial that went wrong.
"""

import argparse
import ast
import difflib
import random
import subprocess
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from mutants.drifts import DRIFTS
from mutants.function_rewrites import FUNCTION_REWRITES, MODULE_REWRITES
from mutants.places import Agreement, agreements
from mutants.statement_rewrites import STATEMENT_REWRITES
from mutants.text import Edits, Text

from consistency_bot.check import check_change
from consistency_bot.model import PLAIN_FILE, Change, ChangedPath, Entry, Report, Rules, RulesSource, Side, Twins

Way = Literal["one-sided", "both-sided", "rewrite"]
WAYS: tuple[Way, ...] = ("one-sided", "both-sided", "rewrite")
DRIFT_VERDICTS = ("missed", "diverged", "broken")


@dataclass(frozen=True, slots=True)
class Pair:
    """Real twins at a commit of a public repository."""

    repository: str
    commit: str
    one: str
    other: str
    untouched: bool = False
    """Left alone until the judgement was final; reported apart."""


NEMO_RL = partial(Pair, "NVIDIA-NeMo/RL", "7ea279abfbeb698b092856d0dab61e7cf39bc909")
REDIS = partial(Pair, "redis/redis-py", "34817ce2a2accc893a81180fe737e0c4f5ac6b0c")
TORCHTUNE = partial(Pair, "pytorch/torchtune", "bd2a0fc7c31430972728494fa01aaeeb0ebf1ba1")
PSYCOPG = partial(Pair, "psycopg/psycopg", "c079c37c959a89a8684a3d3858cbaff7e5543e71", untouched=True)
SLACK = partial(Pair, "slackapi/python-slack-sdk", "ae87985e2c3811ead978f31ea5a1e4a7ca5c3515", untouched=True)
VERL = partial(Pair, "volcengine/verl", "b178a3cd56f58b2d502255daba591e92833930a7", untouched=True)
WORKERS = "nemo_rl/models/policy/workers"

PAIRS = (
    NEMO_RL(f"{WORKERS}/dtensor_policy_worker.py", f"{WORKERS}/dtensor_policy_worker_v2.py"),
    REDIS("redis/client.py", "redis/asyncio/client.py"),
    REDIS("redis/connection.py", "redis/asyncio/connection.py"),
    REDIS("redis/cluster.py", "redis/asyncio/cluster.py"),
    REDIS("redis/sentinel.py", "redis/asyncio/sentinel.py"),
    TORCHTUNE("recipes/full_finetune_distributed.py", "recipes/qat_distributed.py"),
    TORCHTUNE("recipes/lora_finetune_distributed.py", "recipes/lora_finetune_single_device.py"),
    TORCHTUNE("recipes/lora_dpo_distributed.py", "recipes/full_dpo_distributed.py"),
    TORCHTUNE("recipes/knowledge_distillation_distributed.py", "recipes/knowledge_distillation_single_device.py"),
    PSYCOPG("psycopg/psycopg/connection.py", "psycopg/psycopg/connection_async.py"),
    PSYCOPG("psycopg/psycopg/cursor.py", "psycopg/psycopg/cursor_async.py"),
    SLACK("slack_sdk/web/client.py", "slack_sdk/web/async_client.py"),
    SLACK("slack_sdk/webhook/client.py", "slack_sdk/webhook/async_client.py"),
    SLACK("slack_sdk/scim/v1/client.py", "slack_sdk/scim/v1/async_client.py"),
    VERL("verl/workers/fsdp_workers.py", "verl/workers/megatron_workers.py"),
    VERL(
        "verl/models/llama/megatron/modeling_llama_megatron.py", "verl/models/qwen2/megatron/modeling_qwen2_megatron.py"
    ),
    VERL(
        "verl/experimental/one_step_off_policy/fsdp_workers.py", "verl/experimental/fully_async_policy/fsdp_workers.py"
    ),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One edit: its kind, the function it is made in (None for the whole module), and the edits of each side."""

    way: Way
    kind: str
    function: str | None
    edits: tuple[Edits, Edits]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the product said to a trial."""

    pair: Pair
    way: Way
    kind: str
    function: str | None
    alarm: bool
    named: bool
    undecided: bool
    error: str
    detail: str

    @property
    def wrong(self) -> bool:
        """Whether it is not the right answer."""
        return bool(self.error) or self.alarm != (self.way == "one-sided")


class Files:
    """A tree of two files in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def read(self, path: str) -> bytes | None:
        """The bytes of one of the files, or None."""
        return self._files.get(path)

    def find(self, patterns: Sequence[str]) -> list[str]:
        """Those of the files that are named; the patterns of this bench have no wildcards."""
        return sorted(path for path in self._files if path in patterns)

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        """None: no bench asks."""
        return []

    def entry(self, path: str) -> Entry | None:
        """A plain file for one of the files, or None."""
        return Entry(PLAIN_FILE, "") if path in self._files else None


def judge(pair: Pair, before: tuple[str, str], after: tuple[str, str]) -> Report:
    """What the product says to a change of a pair, with the rules that a new user would write."""
    paths = (pair.one, pair.other)
    sides = (Side("x", (pair.one,)), Side("y", (pair.other,)))
    rules = Rules(
        twins=(Twins("pair", sides, "Two implementations of one thing.", line=2),),
        source=RulesSource("rules.yaml", "file"),
    )
    change = Change(
        base_name="0" * 40,
        head_name="1" * 40,
        base=Files(dict(zip(paths, (each.encode() for each in before), strict=True))),
        head=Files(dict(zip(paths, (each.encode() for each in after), strict=True))),
        paths=tuple(ChangedPath(path, path) for path, b, a in zip(paths, before, after, strict=True) if a != b),
    )
    return check_change(rules, change, False)


def drift_trials(texts: tuple[Text, Text], agreed: list[Agreement], both: bool) -> Iterator[Trial]:
    """Every drift of what both sides say alike: on both sides, or on each side alone."""
    for agreement in agreed:
        function = agreement.sides[0].name
        for drift in DRIFTS:
            for parts in agreement.parts:
                one, other = (list(drift(text, part)) for text, part in zip(texts, parts, strict=True))
                for here, there in zip(one, other, strict=False):
                    if here is None or there is None:
                        continue
                    if both:
                        yield Trial("both-sided", drift.__name__, function, (here, there))
                    else:
                        yield Trial("one-sided", drift.__name__, function, (here, ()))
                        yield Trial("one-sided", drift.__name__, function, ((), there))


def rewrite_trials(texts: tuple[Text, Text], agreed: list[Agreement]) -> Iterator[Trial]:
    """Every rewrite of one side, where the sides agree."""

    def on(side: int, kind: str, function: str | None, edits: Edits) -> Trial:
        return Trial("rewrite", kind, function, (edits, ()) if side == 0 else ((), edits))

    for side, text in enumerate(texts):
        for rewrite_module in MODULE_REWRITES:
            for edits in rewrite_module(text):
                yield on(side, rewrite_module.__name__, None, edits)
        for agreement in agreed:
            scope = agreement.sides[side]
            for rewrite_function in FUNCTION_REWRITES:
                for edits in rewrite_function(text, scope):
                    yield on(side, rewrite_function.__name__, scope.name, edits)
            for parts in agreement.parts:
                for rewrite in STATEMENT_REWRITES:
                    for edits in rewrite(text, parts[side]):
                        yield on(side, rewrite.__name__, scope.name, edits)


def chosen(trials: Iterator[Trial], number: int, chance: random.Random, kind: str) -> Iterator[Trial]:
    """Trials in an order in which kinds take turns, about as many as asked for and a few to spare."""
    by_kind: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        if kind in trial.kind:
            by_kind[trial.kind].append(trial)
    waiting = [by_kind[name] for name in sorted(by_kind)]
    chance.shuffle(waiting)
    for each in waiting:
        chance.shuffle(each)
    given = 0
    while given < 3 * number and (waiting := [each for each in waiting if each]):
        for each in waiting:
            yield each.pop()
        given += len(waiting)


def applied(texts: tuple[Text, Text], trial: Trial) -> tuple[str, str] | None:
    """Both texts after a trial; None where the edit makes no Python, or says the same text as before."""
    one, other = (text.edited(edits) for text, edits in zip(texts, trial.edits, strict=True))
    if (one, other) == (texts[0].text, texts[1].text):
        return None
    try:
        ast.parse(one)
        ast.parse(other)
    except SyntaxError:
        return None
    return one, other


def run(task: tuple[Pair, Way, int], mirrors: Path, seed: int, kind: str) -> list[Outcome]:
    """The outcomes of one way of a pair's trials."""
    pair, way, number = task
    texts = read(pair, mirrors)
    if texts is None:
        return []
    agreed = agreements(*texts)
    possible = rewrite_trials(texts, agreed) if way == "rewrite" else drift_trials(texts, agreed, way == "both-sided")
    chance = random.Random(f"{seed} {pair.one} {way}")
    outcomes: list[Outcome] = []
    before = (texts[0].text, texts[1].text)
    for trial in chosen(possible, number, chance, kind):
        after = applied(texts, trial)
        if after is not None:
            outcomes.append(outcome(pair, trial, before, after))
        if len(outcomes) == number:
            break
    return outcomes


def outcome(pair: Pair, trial: Trial, before: tuple[str, str], after: tuple[str, str]) -> Outcome:
    """Judges a trial. What the product could not survive is an error, counted apart and wrong."""
    error, said, alarm, named, undecided = "", "", False, False, False
    try:
        report = judge(pair, before, after)
    except Exception:  # noqa: BLE001  a bench reports whatever the product throws
        error = traceback.format_exc()
    else:
        drifts = [each for each in report.findings if each.blocks and each.verdict in DRIFT_VERDICTS]
        alarm = bool(drifts)
        own = (trial.function or "").rpartition(".")[2]
        places = [place.function or "" for each in drifts for place in (each.changed, each.counterpart) if place]
        named = own in {part for place in places for part in place.split(".")}
        undecided = any(each.verdict in ("undecided", "unknown") for each in report.findings)
        said = "\n".join(f"    {each.verdict} {each.concept}: {each.message}" for each in report.findings)
    detail = ""
    if error or alarm != (trial.way == "one-sided"):
        paths = zip((pair.one, pair.other), before, after, strict=True)
        detail = "\n".join(line for path, old, new in paths for line in _diff(path, old, new)) + "\n" + (said or error)
    return Outcome(pair, trial.way, trial.kind, trial.function, alarm, named, undecided, error, detail)


def _diff(path: str, old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), path, path, n=1, lineterm="")
    return [f"    {line}" for line in lines]


def read(pair: Pair, mirrors: Path) -> tuple[Text, Text] | None:
    """Both files at the pinned commit; None where there is no clone or it has no such commit."""
    folder = mirrors / pair.repository.replace("/", "+") / "repo"
    texts: list[Text] = []
    for path in (pair.one, pair.other):
        command = ["git", "-C", str(folder), "show", f"{pair.commit}:{path}"]
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
        if shown.returncode:
            return None
        texts.append(Text(shown.stdout))
    return texts[0], texts[1]


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """The figures: by way, then by kind of edit and by pair."""
    for way in WAYS:
        of_way = [each for each in outcomes if each.way == way]
        if not of_way:
            continue
        wrong = sum(each.wrong for each in of_way)
        share = 100 * (len(of_way) - wrong) / len(of_way)
        apart = f"undecided {sum(each.undecided for each in of_way)}, errors {sum(bool(e.error) for e in of_way)}"
        named = f"named {sum(each.named for each in of_way)}, " if way == "one-sided" else ""
        must = "must alarm" if way == "one-sided" else "must not alarm"
        yield f"{way} ({must}): {len(of_way) - wrong} of {len(of_way)} right, {share:.1f} %; {named}{apart}"
        for title, key in (("kind", "kind"), ("pair", "pair")):
            groups: dict[str, Counter[bool]] = defaultdict(Counter)
            for each in of_way:
                name = each.kind if key == "kind" else f"{each.pair.repository} {each.pair.one}"
                groups[name][each.wrong] += 1
            for name in sorted(groups):
                yield f"  {title} {name:<60} {groups[name][False]:>4} of {groups[name].total()}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the bench and prints its figures; 0 whatever they are, 2 where there is no clone at all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True, help="the folder of clones")
    parser.add_argument("--pairs", choices=["tuned", "untouched", "all"], default="all")
    parser.add_argument("--only", default="", help="pairs whose repository or path has this in it")
    parser.add_argument("--way", choices=WAYS, help="only these trials")
    parser.add_argument("--kind", default="", help="only edits whose name has this in it")
    parser.add_argument("--trials", type=int, default=200, help="trials of each way, over all pairs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", action="store_true", help="show every trial that went wrong")
    options = parser.parse_args(arguments)
    pairs = [
        pair
        for pair in PAIRS
        if options.only in f"{pair.repository} {pair.one}"
        and options.pairs in ("all", "untouched" if pair.untouched else "tuned")
    ]
    here = [pair for pair in pairs if read(pair, options.mirrors) is not None]
    for pair in pairs:
        if pair not in here:
            print(f"left out, no clone with commit {pair.commit[:12]}: {pair.repository} {pair.one}", file=sys.stderr)
    if not here:
        return 2
    started = time.perf_counter()
    ways = [options.way] if options.way else WAYS
    quotas = [options.trials // len(here) + (place < options.trials % len(here)) for place in range(len(here))]
    tasks = [(pair, way, quota) for pair, quota in zip(here, quotas, strict=True) for way in ways]
    with ProcessPoolExecutor(options.jobs) as pool:
        work = partial(run, mirrors=options.mirrors, seed=options.seed, kind=options.kind)
        outcomes = [each for found in pool.map(work, tasks) for each in found]
    for each in outcomes:
        if options.v and each.wrong:
            print(f"WRONG {each.way} {each.kind} in {each.function}, {each.pair.repository}\n{each.detail}")
    print("\n".join(table(outcomes)))
    print(f"{len(outcomes)} trials in {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
