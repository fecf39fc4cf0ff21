"""Policy training worker, second version: a manager owns the mesh and shards the model."""

import os
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from patches import apply_torch_aten_alias_patch, apply_transformer_engine_patch, configure_dynamo_cache
from tiny_decoder import TinyDecoder, tensor_parallel_plan
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.distributed.checkpoint.state_dict import (
    get_model_state_dict,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy, fully_shard
from torch.distributed.tensor import DTensor
from torch.distributed.tensor.experimental import context_parallel
from torch.distributed.tensor.experimental._attention import context_parallel_unshard
from torch.distributed.tensor.parallel import parallelize_module
from torch.nn.attention import SDPBackend, sdpa_kernel

Batch = dict[str, torch.Tensor]
LossFunction = Callable[[torch.Tensor, Batch, torch.Tensor, torch.Tensor], tuple[torch.Tensor, dict[str, float]]]


def to_full(tensor: torch.Tensor) -> torch.Tensor:
    """Return the whole tensor on every rank, sharded or not."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


class ParallelManager:
    """Owns the device mesh, and knows how a model is laid out on it. `dp_replicate` copies share no memory."""

    def __init__(self, device_type: str, dp_size: int, cp_size: int, tp_size: int, dp_replicate: int = 1) -> None:
        self.mesh = init_device_mesh(
            device_type,
            (dp_replicate, dp_size // dp_replicate, cp_size, tp_size),
            mesh_dim_names=("dp_replicate", "dp_shard", "cp", "tp"),
        )
        self.dp = self.mesh[("dp_replicate", "dp_shard")]._flatten("dp")
        self.dp_cp = self.mesh[("dp_replicate", "dp_shard", "cp")]._flatten("dp_cp")
        self.shard_mesh = self._shard_mesh(dp_replicate)

    def _shard_mesh(self, dp_replicate: int) -> DeviceMesh:
        dp_shard_cp = self.mesh[("dp_shard", "cp")]._flatten("dp_shard_cp")
        return dp_shard_cp if dp_replicate == 1 else self.mesh[("dp_replicate", "dp_shard_cp")]

    def parallelize(
        self,
        model: TinyDecoder,
        sequence_parallel: bool,
        activation_checkpointing: bool,
        mp_policy: MixedPrecisionPolicy,
        offload_policy: OffloadPolicy,
    ) -> nn.Module:
        """Split the model over tp, recompute layers if asked to, then shard it over the rest of the mesh."""
        if self.mesh["tp"].size() > 1:
            parallelize_module(model, self.mesh["tp"], tensor_parallel_plan(len(model.layers), sequence_parallel))
        if activation_checkpointing:
            for index, layer in enumerate(model.layers):
                model.layers[index] = checkpoint_wrapper(layer)
        for layer in model.layers:
            fully_shard(layer, mesh=self.shard_mesh, mp_policy=mp_policy, offload_policy=offload_policy)
        return fully_shard(model, mesh=self.shard_mesh, mp_policy=mp_policy, offload_policy=offload_policy)


class DTensorPolicyWorkerV2:
    """One rank of a policy under training. `data` is always this rank's own part of the global batch."""

    def __init__(
        self,
        config: dict[str, Any],
        weights_path: str | None = None,
        optimizer_path: str | None = None,
        init_optimizer: bool = True,
        init_reference_model: bool = True,
    ) -> None:
        self.cfg = config
        self.is_generation_colocated = config["generation"]["colocated"]["enabled"]
        if not self.is_generation_colocated:
            # Weights then travel between two NCCL worlds, which needs memory that both can map.
            os.environ["NCCL_CUMEM_ENABLE"] = "1"

        configure_dynamo_cache()
        apply_torch_aten_alias_patch()
        apply_transformer_engine_patch()

        use_cuda = torch.cuda.is_available()
        dist.init_process_group(backend="nccl" if use_cuda else "gloo")
        self.rank = dist.get_rank()
        self.device = torch.device("cuda", self.rank % torch.cuda.device_count()) if use_cuda else torch.device("cpu")

        self.max_grad_norm = self.cfg["max_grad_norm"]
        self.cpu_offload = self.cfg["dtensor_cfg"]["cpu_offload"]
        self.offload_optimizer_for_logprob = self.cfg["offload_optimizer_for_logprob"]
        if self.cfg["precision"] == "float32":
            self.dtype = torch.float32
        elif self.cfg["precision"] == "bfloat16":
            self.dtype = torch.bfloat16
        else:
            raise ValueError(f"unknown precision {self.cfg['precision']!r}")

        tp_size = self.cfg["dtensor_cfg"]["tensor_parallel_size"]
        cp_size = self.cfg["dtensor_cfg"]["context_parallel_size"]
        sequence_parallel = self.cfg["dtensor_cfg"]["sequence_parallel"]
        activation_checkpointing = self.cfg["dtensor_cfg"]["activation_checkpointing"]
        self.is_reward_model = self.cfg["reward_model_cfg"]["enabled"]
        if sequence_parallel and tp_size == 1:
            warnings.warn("sequence_parallel has no effect while tensor_parallel_size is 1", stacklevel=2)
        if cp_size > 1:
            if self.device.type == "cpu":
                raise ValueError("context parallel needs a GPU: its attention has no CPU kernel")
            if sequence_parallel:
                raise ValueError("context parallel and sequence parallel split the same dimension: use one of them")
            assert not self.is_reward_model, "a reward model reads the last token, which only one cp rank holds"

        world_size = dist.get_world_size()
        dp_size = world_size // (tp_size * cp_size)
        if dp_size * cp_size * tp_size != world_size:
            raise ValueError(f"{world_size} ranks cannot be split into tp {tp_size} x cp {cp_size}")
        self.manager = ParallelManager(
            self.device.type, dp_size, cp_size, tp_size, dp_replicate=self.cfg["dtensor_cfg"]["dp_replicate_size"]
        )
        self.dp_cp_mesh = self.manager.dp_cp
        self.dp_mesh, self.cp_mesh, self.tp_mesh = self.manager.dp, self.manager.mesh["cp"], self.manager.mesh["tp"]
        self.dp_size, self.cp_size, self.tp_size = dp_size, cp_size, tp_size

        if cp_size > 1:
            # Ring attention merges partial results, which only these two kernels hand out.
            sdpa_method = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        elif activation_checkpointing:
            # cuDNN saves other shapes in the recomputed forward than in the first one.
            sdpa_method = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
        else:
            sdpa_method = [
                SDPBackend.CUDNN_ATTENTION,
                SDPBackend.FLASH_ATTENTION,
                SDPBackend.EFFICIENT_ATTENTION,
                SDPBackend.MATH,
            ]
        self.sdpa_method = sdpa_method

        model = TinyDecoder.from_pretrained(self.cfg["model_name"], outputs=1 if self.is_reward_model else None)
        self.model = self.manager.parallelize(
            model.to(self.device),
            sequence_parallel,
            activation_checkpointing,
            mp_policy=MixedPrecisionPolicy(param_dtype=self.dtype, reduce_dtype=torch.float32),
            offload_policy=CPUOffloadPolicy(pin_memory=False) if self.cpu_offload else OffloadPolicy(),
        )

        self.optimizer = None
        self.scheduler = None
        if init_optimizer:
            self.optimizer = torch.optim.AdamW(self.model.parameters(), **self.cfg["optimizer"]["kwargs"])
            self.scheduler = torch.optim.lr_scheduler.LinearLR(self.optimizer, **self.cfg["scheduler"]["kwargs"])
        self.reference_model_state_dict = self._cpu_state_dict() if init_reference_model else None
        self.model_update_group: Any = None
        if weights_path:
            self.load_checkpoint(weights_path, optimizer_path)

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}[rank={self.rank}]"

    def init_collective(self, ip: str, port: int, world_size: int) -> None:
        """Join the group in which rank 0 of the trainers sends weights to the generation workers."""
        if self.rank == 0:
            store = dist.TCPStore(ip, port, world_size, is_master=True)
            self.model_update_group = dist.ProcessGroupGloo(store, 0, world_size, timedelta(minutes=5))

    @contextmanager
    def train_context(self, buffers: list[torch.Tensor]) -> Iterator[None]:
        """Choose the attention kernels and split `buffers` over cp; to be held until the backward pass is through."""
        with ExitStack() as stack:
            stack.enter_context(sdpa_kernel(self.sdpa_method))
            if self.cp_size > 1:
                stack.enter_context(
                    context_parallel(
                        self.cp_mesh,
                        buffers=buffers,
                        buffer_seq_dims=[1] * len(buffers),
                        no_restore_buffers=set(buffers),
                    )
                )
            yield

    def _apply_temperature_scaling(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.float() / self.cfg["generation"]["temperature"]

    def _check_sequence_dim(self, data: Batch) -> None:
        length = data["input_ids"].shape[1]
        for name, tensor in data.items():
            if tensor.ndim > 1 and tensor.shape[1] != length:
                raise ValueError(f"{name} has length {tensor.shape[1]} in dimension 1, input_ids has {length}")
        if self.cp_size > 1 and length % (2 * self.cp_size) != 0:
            raise ValueError(f"length {length} cannot be split into {2 * self.cp_size} equal chunks")

    def train(
        self,
        data: Batch,
        loss_fn: LossFunction,
        eval_mode: bool = False,
        gbs: int | None = None,
        mbs: int | None = None,
    ) -> dict[str, Any]:
        """Take one optimizer step per global batch in `data`. With `eval_mode` only the losses are computed."""
        if gbs is None:
            gbs = self.cfg["train_global_batch_size"]
        if mbs is None:
            mbs = self.cfg["train_micro_batch_size"]
        if gbs % (self.dp_size * mbs) != 0:
            raise ValueError(f"global batch {gbs} is no multiple of {self.dp_size} ranks x micro batch {mbs}")
        local_gbs = gbs // self.dp_size
        self._check_sequence_dim(data)
        total_size = torch.tensor(data["input_ids"].shape[0], device=self.device)
        dist.all_reduce(total_size, group=self.dp_mesh.get_group())
        num_global_batches = int(total_size.item()) // gbs

        if eval_mode:
            self.model.eval()
        else:
            self.model.train()

        losses = []
        all_mb_metrics = defaultdict(list)
        grad_norm = None
        with torch.set_grad_enabled(not eval_mode):
            for gb_idx in range(num_global_batches):
                gb_start = gb_idx * local_gbs
                batch = {name: tensor[gb_start : gb_start + local_gbs].to(self.device) for name, tensor in data.items()}

                # The loss is a mean over the whole global batch, so every rank needs the global counts.
                local_valid_seqs = batch["sample_mask"].sum()
                local_valid_toks = (batch["token_mask"][:, 1:] * batch["sample_mask"].unsqueeze(-1)).sum()
                to_reduce = torch.stack([local_valid_seqs, local_valid_toks])
                dist.all_reduce(to_reduce, group=self.dp_mesh.get_group())
                global_valid_seqs, global_valid_toks = to_reduce[0], to_reduce[1]
                if global_valid_toks == 0:
                    warnings.warn(f"global batch {gb_idx} has no valid token and is skipped", stacklevel=2)
                    continue

                if not eval_mode:
                    self.optimizer.zero_grad()
                mb_losses = []
                for mb_start in range(0, local_gbs, mbs):
                    mb = {name: tensor[mb_start : mb_start + mbs] for name, tensor in batch.items()}
                    input_ids = mb["input_ids"].clone()
                    position_ids = torch.arange(input_ids.shape[1], device=self.device).repeat(input_ids.shape[0], 1)
                    targets = input_ids.roll(-1, dims=1)
                    weights = mb["token_mask"].roll(-1, dims=1) * mb["sample_mask"].unsqueeze(-1)
                    weights[:, -1] = 0
                    with self.train_context([input_ids, position_ids, targets, weights]):
                        logits = self.model(input_ids, position_ids)
                        logits = self._apply_temperature_scaling(logits)
                        logprobs = torch.log_softmax(logits, dim=-1)
                        logprobs = logprobs.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
                        del logits

                        loss, loss_metrics = loss_fn(
                            logprobs, {**mb, "weights": weights}, global_valid_seqs, global_valid_toks
                        )
                        mb_losses.append(loss.item())
                        for name, value in loss_metrics.items():
                            all_mb_metrics[name].append(value)
                        if not eval_mode:
                            # FSDP averages gradients over dp and cp; the loss is divided by the global count already.
                            loss *= self.dp_size * self.cp_size
                            loss.backward()

                if not eval_mode:
                    grad_norm = self._grad_norm()
                    if self.max_grad_norm is not None:
                        torch.nn.utils.clip_grads_with_norm_(
                            self.model.parameters(), self.max_grad_norm, grad_norm, foreach=False
                        )
                    self.optimizer.step()
                losses.append(sum(mb_losses))

        if not eval_mode:
            self.optimizer.zero_grad()
            self.scheduler.step()

        global_loss = torch.tensor(losses, device=self.device)
        dist.all_reduce(global_loss, group=self.dp_cp_mesh.get_group())
        return {
            "global_loss": global_loss.cpu(),
            "grad_norm": None if grad_norm is None else grad_norm.item(),
            "rank": self.rank,
            "model_dtype": self.dtype,
            "all_mb_metrics": dict(all_mb_metrics),
        }

    @torch.no_grad()
    def _grad_norm(self) -> torch.Tensor:
        # Parameters live on meshes of one and two dimensions, which no operator takes together.
        norms = [
            to_full(torch.linalg.vector_norm(p.grad.float())) for p in self.model.parameters() if p.grad is not None
        ]
        return torch.linalg.vector_norm(torch.stack(norms))

    @torch.no_grad()
    def get_logprobs(self, data: Batch, micro_batch_size: int | None = None) -> Batch:
        """Return `logprobs` in the shape of `input_ids`: of each token given those before it, 0 for the first one."""
        if micro_batch_size is None:
            micro_batch_size = self.cfg["logprob_batch_size"]
        self._check_sequence_dim(data)
        self.model.eval()

        all_logprobs = []
        for mb_start in range(0, data["input_ids"].shape[0], micro_batch_size):
            input_ids = data["input_ids"][mb_start : mb_start + micro_batch_size].to(self.device, copy=True)
            position_ids = torch.arange(input_ids.shape[1], device=self.device).repeat(input_ids.shape[0], 1)
            targets = input_ids.roll(-1, dims=1)
            with self.train_context([input_ids, position_ids, targets]):
                logits = self.model(input_ids, position_ids)
                logits = self._apply_temperature_scaling(logits)
                logprobs = torch.log_softmax(logits, dim=-1)
                logprobs = logprobs.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
            if self.cp_size > 1:
                (logprobs,) = context_parallel_unshard(self.cp_mesh, [logprobs], [1])
            # Position i holds the token after it; shift back, as the first token is never predicted.
            all_logprobs.append(torch.cat([torch.zeros_like(logprobs[:, :1]), logprobs[:, :-1]], dim=1))
        return {"logprobs": torch.cat(all_logprobs).cpu()}

    @torch.no_grad()
    def score(self, data: Batch) -> Batch:
        """Return one `scores` value per sequence: the reward at its last valid token."""
        assert self.is_reward_model, "score needs a reward model"
        micro_batch_size = self.cfg["logprob_batch_size"]
        self._check_sequence_dim(data)
        self.model.eval()

        all_scores = []
        for mb_start in range(0, data["input_ids"].shape[0], micro_batch_size):
            input_ids = data["input_ids"][mb_start : mb_start + micro_batch_size].to(self.device, copy=True)
            input_lengths = data["token_mask"][mb_start : mb_start + micro_batch_size].sum(dim=1).to(self.device)
            position_ids = torch.arange(input_ids.shape[1], device=self.device).repeat(input_ids.shape[0], 1)
            with self.train_context([input_ids, position_ids]):
                rewards = self.model(input_ids, position_ids).squeeze(-1).float()
            last = (input_lengths.long() - 1).clamp(min=0)
            all_scores.append(rewards.gather(1, last.unsqueeze(-1)).squeeze(-1))
        return {"scores": torch.cat(all_scores).cpu()}

    @contextmanager
    def use_reference_model(self) -> Iterator[None]:
        """Hold the weights of the start in place of the trained ones."""
        if self.reference_model_state_dict is None:
            raise RuntimeError("the worker was started with init_reference_model=False")
        trained = self._cpu_state_dict()
        try:
            self._copy_into_model(self.reference_model_state_dict)
            yield
        finally:
            self._copy_into_model(trained)

    @torch.no_grad()
    def _cpu_state_dict(self) -> dict[str, torch.Tensor]:
        return {
            name: (tensor.to_local() if isinstance(tensor, DTensor) else tensor).to("cpu", copy=True)
            for name, tensor in self.model.state_dict().items()
        }

    @torch.no_grad()
    def _copy_into_model(self, state_dict: dict[str, torch.Tensor]) -> None:
        for name, tensor in self.model.state_dict().items():
            (tensor.to_local() if isinstance(tensor, DTensor) else tensor).copy_(state_dict[name])

    def return_model_config(self) -> dict[str, int]:
        """Return the sizes that a generation worker needs to build the same model."""
        return {
            "vocab": self.model.embed.num_embeddings,
            "hidden": self.model.embed.embedding_dim,
            "layers": len(self.model.layers),
        }

    @torch.no_grad()
    def prepare_refit_info(self) -> dict[str, tuple[torch.Size, torch.dtype]]:
        """Return shape and type of every weight as `broadcast_weights_for_collective` sends it."""
        return {name: (tensor.shape, self.dtype) for name, tensor in self.model.state_dict().items()}

    @torch.no_grad()
    def broadcast_weights_for_collective(self, kv_scales: dict[str, float] | None = None) -> None:
        """Send every weight to the generation workers, in the order of `prepare_refit_info`."""
        if kv_scales is not None:
            raise NotImplementedError("scales for an 8-bit key/value cache are not supported")
        for tensor in self.model.state_dict().values():
            # Every rank takes part in gathering a weight; rank 0 alone sends it.
            full = to_full(tensor.to(self.device)).to(self.dtype).cpu()
            if self.model_update_group is not None:
                self.model_update_group.broadcast(full, 0).wait()

    def prepare_for_lp_inference(self) -> None:
        """Get ready for `get_logprobs` and `score`."""
        self._move_model(self.device)
        self.model.eval()
        if self.optimizer is not None and self.offload_optimizer_for_logprob:
            self._move_optimizer("cpu")

    def prepare_for_training(self) -> None:
        """Get ready for `train`."""
        self._move_model(self.device)
        self.model.train()
        if (
            self.optimizer is not None
            and not self.cpu_offload
            and (self.offload_optimizer_for_logprob or self.is_generation_colocated)
        ):
            self._move_optimizer(self.device)

    def offload_before_refit(self) -> None:
        """Make room for the generation worker's cache: the optimizer's state goes to the CPU."""
        if self.optimizer is not None:
            self._move_optimizer("cpu")

    def offload_after_refit(self) -> None:
        """Leave the device to the generation worker."""
        self._move_model("cpu")
        self.model.eval()
        self.offload_before_refit()

    def _move_model(self, device: torch.device | str) -> None:
        if not self.cpu_offload:
            self.model.to(device)

    def _move_optimizer(self, device: torch.device | str) -> None:
        for state in self.optimizer.state.values():
            for name, value in state.items():
                if isinstance(value, torch.Tensor):
                    state[name] = value.to(device)

    def save_checkpoint(self, weights_path: str, optimizer_path: str | None = None) -> None:
        """Save the weights, and the state of optimizer and scheduler where a path for it is given."""
        dcp.save({"model": get_model_state_dict(self.model)}, checkpoint_id=weights_path)
        if optimizer_path is not None:
            dcp.save(
                {
                    "optimizer": get_optimizer_state_dict(self.model, self.optimizer),
                    "scheduler": self.scheduler.state_dict(),
                },
                checkpoint_id=optimizer_path,
            )

    def load_checkpoint(self, weights_path: str, optimizer_path: str | None = None) -> None:
        """Load what `save_checkpoint` saved; the number of ranks may have changed since."""
        model_state = {"model": get_model_state_dict(self.model)}
        dcp.load(model_state, checkpoint_id=weights_path)
        set_model_state_dict(self.model, model_state["model"])
        if optimizer_path is not None:
            state = {
                "optimizer": get_optimizer_state_dict(self.model, self.optimizer),
                "scheduler": self.scheduler.state_dict(),
            }
            dcp.load(state, checkpoint_id=optimizer_path)
            set_optimizer_state_dict(self.model, self.optimizer, state["optimizer"])
            self.scheduler.load_state_dict(state["scheduler"])

    def shutdown(self) -> None:
        """Leave the process groups, all ranks at once: one that left early would look like a crash to the others."""
        self.model_update_group = None
        dist.barrier()
        dist.destroy_process_group()
