"""Groups of chunked arrays, for code that awaits."""

import asyncio

from chunked_array_async import ChunkedArray, create_array
from chunked_metadata import GroupMetadata, read_metadata
from chunked_store import StorePath, delete_folder


class Group:
    """A folder of arrays and further groups."""

    def __init__(self, metadata, path):
        self.metadata = metadata
        self.path = path

    @classmethod
    async def open(cls, store, path="", zarr_format=3):
        where = StorePath(store) / path
        metadata = await read_metadata(where, zarr_format)
        if metadata is None:
            raise FileNotFoundError(f"no group at {where}")
        return cls(metadata, where)

    async def getitem(self, name):
        where = self.path / name
        metadata = await read_metadata(where, self.metadata.zarr_format)
        if metadata is None:
            raise KeyError(name)
        if isinstance(metadata, GroupMetadata):
            return Group(metadata, where)
        return ChunkedArray(metadata, where)

    async def delitem(self, name):
        await delete_folder(self.path / name)

    async def create_group(self, name, overwrite=False, attributes=None):
        metadata = GroupMetadata(attributes=attributes or {}, zarr_format=self.metadata.zarr_format)
        if overwrite:
            await delete_folder(self.path / name)
        await metadata.save(self.path / name)
        return Group(metadata, self.path / name)

    async def create_array(
        self,
        name,
        shape,
        dtype,
        chunks="auto",
        shards=None,
        filters="auto",
        compressors="auto",
        fill_value=0,
        overwrite=False,
        attributes=None,
    ):
        """A new array below this group."""
        return await create_array(
            self.path / name,
            shape=shape,
            dtype=dtype,
            chunks=chunks,
            shards=shards,
            filters=filters,
            compressors=compressors,
            fill_value=fill_value,
            overwrite=overwrite,
            attributes=attributes,
            zarr_format=self.metadata.zarr_format,
        )

    async def members(self, depth=0):
        found = []
        for name in await self.path.list_folder():
            each = await self.getitem(name)
            found.append((name, each))
            if depth and isinstance(each, Group):
                found += [(f"{name}/{inner}", below) for inner, below in await each.members(depth=depth - 1)]
        return found

    async def update_attributes(self, attributes):
        self.metadata.attributes.update(attributes)
        await asyncio.shield(self.metadata.save(self.path))
        return self
