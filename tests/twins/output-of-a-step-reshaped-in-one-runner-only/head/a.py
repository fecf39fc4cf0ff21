"""Runs a model on GPUs, one step of the scheduler at a time."""

import cuda
from outputs import EMPTY_OUTPUT, RunnerOutput, TransferOutput
from sampling import RejectionSampler, Sampler
from transfer import has_transfer_group, transfer_group


class GpuRunner:
    """The model, its caches and the requests that are under way."""

    def __init__(self, config, device):
        self.config = config
        self.device = device
        self.requests = {}
        self.batch = None
        self.sampler = Sampler()
        self.rejection_sampler = RejectionSampler()
        self.graphs = cuda.GraphPool(config.graph_sizes)

    def load(self):
        with cuda.memory_profile() as profile:
            self.model = self.config.loader.load(self.config.model, self.device)
            if self.config.adapters:
                self.model = self.config.adapters.wrap(self.model)
        self.weights_size = profile.consumed

    def update_states(self, plan):
        for name in plan.finished:
            self.requests.pop(name, None)
            self.batch.remove(name)
        for new in plan.new:
            self.requests[new.name] = new.to_state()
        for cached in plan.cached:
            state = self.requests[cached.name]
            state.computed = cached.computed
            state.blocks.extend(cached.new_blocks)
        self.batch.condense()

    def execute(self, plan, intermediate=None):
        self.update_states(plan)
        if not plan.total_tokens:
            if not has_transfer_group():
                return EMPTY_OUTPUT
            return self.only_transfer(plan)
        inputs, positions, metadata, logits_at = self.prepare_inputs(plan)
        padded = self.graphs.pad(plan.total_tokens)
        with self.forward_context(metadata, padded):
            self.start_loading(plan)
            hidden = self.model(inputs[:padded], positions[:padded], intermediate)
            sent, received = self.finish_transfer(plan)
        logits = self.model.compute_logits(hidden[logits_at])
        sampled = self.sampler(logits, self.batch.sampling)
        if metadata.drafts is not None:
            sampled = self.rejection_sampler(metadata.drafts, logits, self.batch.sampling)
        tokens = self.accept(sampled.tokens, plan)
        return RunnerOutput(
            names=self.batch.names,
            tokens=tokens,
            logprobs=sampled.logprobs,
            transfer=TransferOutput(sent, received),
        )

    def only_transfer(self, plan):
        with self.forward_context(None, 0):
            self.start_loading(plan)
            sent, received = self.finish_transfer(plan)
        if not sent and not received:
            return EMPTY_OUTPUT
        return RunnerOutput(transfer=TransferOutput(sent, received))

    def start_loading(self, plan):
        if has_transfer_group():
            transfer_group().bind(plan.transfer)
            transfer_group().start_load()

    def finish_transfer(self, plan):
        if not has_transfer_group():
            return None, None
        transfer_group().wait_for_save()
        return transfer_group().finished(plan.finished)
