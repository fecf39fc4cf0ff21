"""Talks to renderers of another make."""

import requests

from queues import JobQueue


class BlueRenderers:
    """Renderers that are billed by the minute."""

    def __init__(self, addresses, grace=2.0):
        self.addresses = addresses
        self.grace = grace
        self.queue = JobQueue()

    def hold(self):
        """Takes no new jobs, and lets the renderers rest."""
        for address in self.addresses:
            reply = requests.post(f"http://{address}/rest", timeout=self.grace)
            reply.raise_for_status()
        return self.queue.hold()

    def go_on(self):
        for address in self.addresses:
            reply = requests.post(f"http://{address}/wake", timeout=self.grace)
            reply.raise_for_status()
        return self.queue.go_on()

    def submit(self, job):
        if not self.addresses:
            raise LookupError("no renderer is known")
        return self.queue.put(job, to=self.addresses[job.number % len(self.addresses)])
