"""A client of the cluster for event loops."""

import asyncio

from cluster_config import load_config
from cluster_core import AsyncCore
from cluster_errors import Conflict, ResourceGone
from cluster_objects import kind_of, selector


class AsyncClient:
    """Reads and changes the cluster's objects."""

    def __init__(self, config=None, namespace=None, timeout=None, trust_env=True, dry_run=False):
        config = config or load_config()
        self.core = AsyncCore(config, namespace=namespace, timeout=timeout, trust_env=trust_env, dry_run=dry_run)

    @property
    def namespace(self):
        return self.core.namespace

    async def get(self, kind, name, namespace=None):
        """The object of that name; it must exist."""
        return await self.core.request("get", kind=kind, name=name, namespace=namespace)

    async def list(self, kind, namespace=None, labels=None, fields=None, chunk_size=None):
        async for each in self.core.list(
            "list",
            kind=kind,
            namespace=namespace,
            params={"labelSelector": selector(labels), "fieldSelector": selector(fields), "limit": chunk_size},
        ):
            yield each

    async def watch(self, kind, namespace=None, labels=None, version=None, timeout=None):
        params = {"labelSelector": selector(labels), "resourceVersion": version, "timeoutSeconds": timeout}
        pause = 0
        while True:
            try:
                async for change in self.core.watch(kind=kind, namespace=namespace, params=params):
                    params["resourceVersion"] = change.version
                    pause = 0
                    yield change.kind, change.object
            except ResourceGone:
                params["resourceVersion"] = None
            pause = min(pause + 1, 10)
            await asyncio.sleep(pause)

    async def apply(self, wanted, manager, force=False):
        """Creates the object or changes it into what is wanted."""
        return await self.core.request(
            "patch",
            kind=kind_of(wanted),
            name=wanted.metadata.name,
            namespace=wanted.metadata.namespace,
            body=wanted,
            params={"fieldManager": manager, "force": force},
        )

    async def delete(self, kind, name, namespace=None, grace=None, cascade="Background"):
        params = {"gracePeriodSeconds": grace, "propagationPolicy": cascade}
        return await self.core.request("delete", kind=kind, name=name, namespace=namespace, params=params)
