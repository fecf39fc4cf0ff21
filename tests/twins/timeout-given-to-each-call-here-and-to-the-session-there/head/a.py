"""Calls a chain's nodes, blocking."""

import os

import plainweb
from chain_methods import method_call
from chain_replies import RpcFailure, decoded

DEFAULT_NODE = "http://localhost:8899"


class NodeProvider:
    """Posts calls to one node."""

    def __init__(self, node=None, headers=None, timeout=10.0):
        self.node = node or os.environ.get("CHAIN_NODE", DEFAULT_NODE)
        self.headers = headers or {}
        self.timeout = timeout
        self.count = 0
        self.session = plainweb.Session()

    def call(self, method, *params):
        """What the node answers, decoded."""
        self.count += 1
        body = method_call(method, params, number=self.count)
        reply = self.session.post(self.node, headers=self.headers, data=body, timeout=self.timeout)
        reply.raise_for_status()
        return decoded(reply.content)

    def call_many(self, calls):
        bodies = []
        for method, params in calls:
            self.count += 1
            bodies.append(method_call(method, params, number=self.count))
        data = "[" + ",".join(bodies) + "]"
        reply = self.session.post(self.node, headers=self.headers, data=data, timeout=self.timeout)
        reply.raise_for_status()
        return [decoded(each) for each in reply.json()]

    def is_connected(self):
        try:
            reply = self.session.get(f"{self.node}/health", timeout=self.timeout)
            reply.raise_for_status()
        except (OSError, plainweb.HTTPError):
            return False
        return reply.ok

    def close(self):
        self.session.close()


class ChainClient:
    """What one may ask a chain."""

    def __init__(self, node=None, commitment="finalized", headers=None, timeout=10.0):
        self.commitment = commitment
        self.provider = NodeProvider(node, headers=headers, timeout=timeout)

    def balance(self, account):
        return self.provider.call("getBalance", str(account), {"commitment": self.commitment})["value"]

    def send(self, transaction, skip_check=False):
        options = {"encoding": "base64", "skipPreflight": skip_check, "commitment": self.commitment}
        reply = self.provider.call("sendTransaction", transaction.encoded(), options)
        if "error" in reply:
            raise RpcFailure(reply["error"])
        return reply["result"]
