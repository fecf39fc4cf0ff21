"""What the demo tells: five pull requests, what each does to the twins, and what must be said about it.

The changes themselves are patches in `examples/policy_workers/pull_requests/`, readable as any pull request is.
"""

import msgspec

from consistency_bot.model import Verdict

RULES = """\
version: 1
twins:
  - id: dtensor-policy-worker
    why: Two implementations of one training worker; a fix in one is owed to the other.
    sides:
      v1: examples/policy_workers/dtensor_policy_worker.py
      v2: examples/policy_workers/dtensor_policy_worker_v2.py
    same: [[DTensorPolicyWorker, DTensorPolicyWorkerV2]]
"""
"""The throw-away repository's rules file: the twins that this project's own `rules.yaml` declares for the example."""


class Told(msgspec.Struct, frozen=True):
    """A finding that has to come out: in which function, and text that stands at its two places ("": any or none)."""

    verdict: Verdict
    blocks: bool
    function: str
    changed: str = ""
    counterpart: str = ""


class PullRequest(msgspec.Struct, frozen=True):
    """One pull request: its patch, what it does to the twins, and all findings that it must lead to, none else."""

    patch: str
    about: str
    told: tuple[Told, ...]


CATCH_UP = "4-catch-up.patch"
"""This one repairs a difference that was there before, so the repository starts without its lines."""

PULL_REQUESTS = (
    PullRequest(
        "1-condition-widened.patch",
        "A condition is widened in v2. v1 decides by the same condition, and keeps the old one.",
        (
            Told(
                "missed",
                True,
                "__init__",
                changed="elif activation_checkpointing or sequence_parallel:",
                counterpart="elif activation_checkpointing:",
            ),
        ),
    ),
    PullRequest(
        "2-guard-removed.patch",
        "A guard goes from both workers. The sides still agree.",
        (),
    ),
    PullRequest(
        "3-refactor.patch",
        "v2's train() is taken apart into methods, with other names and another order, and one statement is lost on the"
        " way. On one rank nothing shows; on more, the gradients are too small.",
        (Told("missed", True, "train", counterpart="loss *= self.dp_size * self.cp_size"),),
    ),
    PullRequest(
        CATCH_UP,
        "v2 gets what v1 has had all along. A check that asks for both files in the diff would warn.",
        (Told("repaired", False, "score", changed="self.model.eval()", counterpart="self.model.eval()"),),
    ),
    PullRequest(
        "5-feature.patch",
        "v2 gets a feature that v1 does not have, and may not need.",
        (Told("one_sided", False, "get_topk_logits", changed="def get_topk_logits"),),
    ),
)
