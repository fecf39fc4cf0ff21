"""Calls a chain's nodes from an event loop."""

import os

import modernweb
from chain_methods import method_call
from chain_replies import RpcFailure, decoded

DEFAULT_NODE = "http://localhost:8899"


class AsyncNodeProvider:
    """Posts calls to one node."""

    def __init__(self, node=None, headers=None, timeout=10.0):
        self.node = node or os.environ.get("CHAIN_NODE", DEFAULT_NODE)
        self.headers = headers or {}
        self.count = 0
        self.session = modernweb.AsyncClient(timeout=timeout)

    async def call(self, method, *params):
        """What the node answers, decoded."""
        self.count += 1
        body = method_call(method, params, number=self.count)
        reply = await self.session.post(self.node, headers=self.headers, content=body)
        reply.raise_for_status()
        return decoded(reply.content)

    async def call_many(self, calls):
        bodies = []
        for method, params in calls:
            self.count += 1
            bodies.append(method_call(method, params, number=self.count))
        reply = await self.session.post(self.node, headers=self.headers, content="[" + ",".join(bodies) + "]")
        reply.raise_for_status()
        return [decoded(each) for each in reply.json()]

    async def is_connected(self):
        try:
            reply = await self.session.get(f"{self.node}/health")
            reply.raise_for_status()
        except (OSError, modernweb.HTTPStatusError):
            return False
        return reply.status_code == 200

    async def __aenter__(self):
        await self.session.__aenter__()
        return self

    async def __aexit__(self, kind, error, trace):
        await self.session.aclose()


class AsyncChainClient:
    """What one may ask a chain."""

    def __init__(self, node=None, commitment="finalized", headers=None, timeout=10.0):
        self.commitment = commitment
        self.provider = AsyncNodeProvider(node, headers=headers, timeout=timeout)

    async def balance(self, account):
        reply = await self.provider.call("getBalance", str(account), {"commitment": self.commitment})
        return reply["value"]

    async def send(self, transaction, skip_check=False):
        options = {"encoding": "base64", "skipPreflight": skip_check, "commitment": self.commitment}
        reply = await self.provider.call("sendTransaction", transaction.encoded(), options)
        if "error" in reply:
            raise RpcFailure(reply["error"])
        return reply["result"]
