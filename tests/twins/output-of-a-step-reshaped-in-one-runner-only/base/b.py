"""Runs a model on tensor units, one step of the scheduler at a time."""

import units
from outputs import EMPTY_OUTPUT, RunnerOutput
from sampling import Sampler
from transfer import has_transfer_group, transfer_group


class UnitRunner:
    """The model, its caches and the requests that are under way."""

    def __init__(self, config, device):
        self.config = config
        self.device = device
        self.requests = {}
        self.batch = None
        self.sampler = units.compiled(Sampler())
        self.token_paddings = units.paddings(16, config.longest_step)
        self.request_paddings = units.paddings(8, config.most_requests)

    def load(self):
        self.model = self.config.loader.load(self.config.model, self.device)
        if self.config.adapters:
            self.model = self.config.adapters.wrap(self.model)
        units.mark_step()
        units.wait()

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
        names, tokens = [], []
        start = 0
        while start < len(self.batch.names):
            inputs, metadata, logits_at, requests, end = self.prepare_inputs(plan, start)
            with self.forward_context(metadata):
                self.start_loading(plan)
                hidden = self.model(inputs, intermediate)
                sent, received = self.finish_transfer(plan)
            hidden = units.take(hidden, logits_at, self.request_paddings)
            logits = self.model.compute_logits(hidden)
            sampled = self.sampler(logits, self.batch.sampling)
            names += self.batch.names[start:end]
            tokens += sampled.cpu()[:requests].tolist()
            start = end
        self.accept(tokens, plan)
        return RunnerOutput(
            names=names,
            tokens=tokens,
            logprobs=None,
            finished_sending=sent,
            finished_receiving=received,
        )

    def only_transfer(self, plan):
        with self.forward_context(None):
            self.start_loading(plan)
            sent, received = self.finish_transfer(plan)
        if not sent and not received:
            return EMPTY_OUTPUT
        return RunnerOutput(finished_sending=sent, finished_receiving=received)

    def start_loading(self, plan):
        if has_transfer_group():
            transfer_group().bind(plan.transfer)
            transfer_group().start_load()

    def finish_transfer(self, plan):
        if not has_transfer_group():
            return None, None
        transfer_group().wait_for_save()
        return transfer_group().finished(plan.finished)
