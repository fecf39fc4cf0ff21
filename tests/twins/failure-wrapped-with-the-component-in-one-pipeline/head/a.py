"""Runs a graph of components, one after the other."""

import logging

from pipeline_base import PipelineBase, PipelineStuck, deep_copies
from pipeline_errors import BlockedPipeline, ComponentFailed
from tracing import tracer

log = logging.getLogger(__name__)


class Pipeline(PipelineBase):
    """Blocks until the last component has run."""

    def run_component(self, name, component, inputs, visits, parent):
        """The outputs of one component, checked."""
        instance = component["instance"]
        with tracer.span("component", tags={"name": name, "type": type(instance).__name__}, parent=parent) as span:
            span.set_content("input", deep_copies(inputs))
            log.info("running %s", name)
            try:
                outputs = instance.run(**inputs)
            except Exception as error:
                raise ComponentFailed(name, str(error)) from error
            visits[name] += 1
            if not isinstance(outputs, dict):
                raise ComponentFailed(name, f"expected a dict, got {type(outputs).__name__}")
            span.set_tag("visits", visits[name])
            span.set_content("output", deep_copies(outputs))
            return outputs

    def run(self, data, wanted=None):
        """The outputs of the leaves, and of what is `wanted`."""
        self.warm_up()
        self.check_input(data)
        wanted = wanted or set()
        collected = {}
        visits = dict.fromkeys(self.graph.nodes, 0)
        inputs = self.spread(data)
        queue = self.priority_queue(inputs, visits)
        with tracer.span("pipeline", tags={"runs_left": self.most_runs}) as span:
            while True:
                candidate = self.next_runnable(queue, visits)
                if candidate is None:
                    break
                priority, name, component = candidate
                if priority.is_blocked and not collected:
                    raise BlockedPipeline(self.explain_block(inputs, visits))
                if priority.waits_for_others:
                    name, component = self.break_tie(queue, name, component)
                arguments = self.consume(name, inputs)
                outputs = self.run_component(name, component, arguments, visits, span)
                leftovers = self.hand_on(name, outputs, inputs, wanted)
                if leftovers:
                    collected[name] = leftovers
                if self.is_stale(queue):
                    queue = self.priority_queue(inputs, visits)
        return collected
