"""Train a worker for a few steps on random tokens.

`python run.py v1`, or with two ranks `torchrun --nproc-per-node 2 run.py v2 --tp 2 --sp`.
"""

import argparse
import os
from typing import Any

import torch

Batch = dict[str, torch.Tensor]


def make_config(tp: int = 1, cp: int = 1, sp: bool = False, activation_checkpointing: bool = False) -> dict[str, Any]:
    """Return a complete configuration, in the layout that both workers read."""
    return {
        "model_name": "tiny-decoder",
        "precision": "float32",
        "train_global_batch_size": 8,
        "train_micro_batch_size": 2,
        "logprob_batch_size": 4,
        "max_grad_norm": 1.0,
        "offload_optimizer_for_logprob": False,
        "generation": {"temperature": 1.0, "colocated": {"enabled": True}},
        "reward_model_cfg": {"enabled": False},
        "dtensor_cfg": {
            "tensor_parallel_size": tp,
            "context_parallel_size": cp,
            "sequence_parallel": sp,
            "activation_checkpointing": activation_checkpointing,
            "cpu_offload": False,
            "clear_cache_every_n_steps": None,
            "custom_parallel_plan": None,
            "dp_replicate_size": 1,
        },
        # One tensor at a time: parameters that tp does not split live on another mesh than the others.
        "optimizer": {"kwargs": {"lr": 1e-2, "weight_decay": 0.01, "betas": (0.9, 0.98), "foreach": False}},
        "scheduler": {"kwargs": {"start_factor": 0.5, "total_iters": 2}},
    }


def make_batch(size: int, length: int = 16, seed: int = 0, vocab: int = 128) -> Batch:
    """Return random sequences, the second half of each shorter by a few tokens of padding."""
    generator = torch.Generator().manual_seed(seed)
    token_mask = torch.ones(size, length)
    token_mask[size // 2 :, -3:] = 0
    return {
        "input_ids": torch.randint(0, vocab, (size, length), generator=generator),
        "token_mask": token_mask,
        "sample_mask": torch.ones(size),
    }


def nll_loss(
    logprobs: torch.Tensor, mb: Batch, global_valid_seqs: torch.Tensor, global_valid_toks: torch.Tensor
) -> tuple[torch.Tensor, dict[str, float]]:
    """Return the negative log-likelihood of the valid tokens, as their share of the global batch's mean."""
    loss = -(logprobs * mb["weights"]).sum() / global_valid_toks
    return loss, {"num_valid_samples": mb["sample_mask"].sum().item()}


def make_worker(name: str, config: dict[str, Any]) -> Any:
    """Start worker `v1` or `v2` in the process group that the launcher describes, or alone."""
    for variable, value in {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29511"}.items():
        os.environ.setdefault(variable, value)
    if name == "v1":
        from dtensor_policy_worker import DTensorPolicyWorker

        return DTensorPolicyWorker(config)
    from dtensor_policy_worker_v2 import DTensorPolicyWorkerV2

    return DTensorPolicyWorkerV2(config)


def main() -> None:
    """Train and print one line per step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker", choices=["v1", "v2"])
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--tp", type=int, default=1, help="tensor-parallel size")
    parser.add_argument("--cp", type=int, default=1, help="context-parallel size (GPU only)")
    parser.add_argument("--sp", action="store_true", help="sequence parallel")
    parser.add_argument("--activation-checkpointing", action="store_true")
    args = parser.parse_args()
    worker = make_worker(args.worker, make_config(args.tp, args.cp, args.sp, args.activation_checkpointing))
    for step in range(args.steps):
        batch = make_batch(
            worker.cfg["train_global_batch_size"] // worker.dp_size, seed=worker.dp_mesh.get_local_rank()
        )
        result = worker.train(batch, nll_loss)
        if worker.rank == 0:
            print(
                f"{args.worker} step {step}: loss {result['global_loss'][0]:.6f}, grad norm {result['grad_norm']:.6f}"
            )
    worker.shutdown()


if __name__ == "__main__":
    main()
