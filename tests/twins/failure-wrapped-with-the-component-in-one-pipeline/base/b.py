"""Runs a graph of components, as many at a time as do not wait for each other."""

import asyncio
import contextvars
import logging

from pipeline_base import PipelineBase, PipelineStuck, deep_copies
from pipeline_errors import BlockedPipeline, ComponentFailed
from tracing import tracer

log = logging.getLogger(__name__)


class AsyncPipeline(PipelineBase):
    """Awaits components that can be awaited and sends the others to a thread."""

    async def run_component(self, name, component, inputs, visits, parent):
        """The outputs of one component, checked."""
        instance = component["instance"]
        with tracer.span("component", tags={"name": name, "type": type(instance).__name__}, parent=parent) as span:
            span.set_content("input", deep_copies(inputs))
            log.info("running %s", name)
            if component["is_async"]:
                outputs = await instance.run_async(**inputs)
            else:
                loop = asyncio.get_running_loop()
                context = contextvars.copy_context()
                outputs = await loop.run_in_executor(None, lambda: context.run(instance.run, **inputs))
            visits[name] += 1
            if not isinstance(outputs, dict):
                raise ComponentFailed(name, f"expected a dict, got {type(outputs).__name__}")
            span.set_tag("visits", visits[name])
            span.set_content("output", deep_copies(outputs))
            return outputs

    async def run(self, data, wanted=None, at_once=4):
        """The outputs of the leaves, and of what is `wanted`."""
        self.warm_up()
        self.check_input(data)
        wanted = wanted or set()
        collected = {}
        visits = dict.fromkeys(self.graph.nodes, 0)
        inputs = self.spread(data)
        running = {}
        ready = asyncio.Semaphore(at_once)
        with tracer.span("pipeline", tags={"runs_left": self.most_runs}) as span:
            while True:
                queue = self.priority_queue(inputs, visits)
                candidate = self.next_runnable(queue, visits)
                if candidate is None and not running:
                    break
                priority, name, component = candidate
                if priority.is_blocked and not running and not collected:
                    raise BlockedPipeline(self.explain_block(inputs, visits))
                if priority.waits_for_others and running:
                    await self.wait_for_one(running)
                    continue
                arguments = self.consume(name, inputs)
                async with ready:
                    task = self.run_component(name, component, arguments, visits, span)
                    running[asyncio.create_task(task)] = name
                for done in await self.wait_for_one(running):
                    leftovers = self.hand_on(running.pop(done), done.result(), inputs, wanted)
                    if leftovers:
                        collected[name] = leftovers
        return collected
