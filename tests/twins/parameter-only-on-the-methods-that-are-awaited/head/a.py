"""Groups of chunked arrays, for code that waits."""

import chunked_group_async as waiting
from chunked_array import ChunkedArray
from chunked_sync import wait_for


class Group:
    """A folder of arrays and further groups."""

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def open(cls, store, path="", zarr_format=3):
        return cls(wait_for(waiting.Group.open(store, path=path, zarr_format=zarr_format)))

    def __getitem__(self, name):
        found = wait_for(self.inner.getitem(name))
        if isinstance(found, waiting.Group):
            return Group(found)
        return ChunkedArray(found)

    def __delitem__(self, name):
        wait_for(self.inner.delitem(name))

    def create_group(self, name, overwrite=False, attributes=None):
        return Group(wait_for(self.inner.create_group(name, overwrite=overwrite, attributes=attributes)))

    def create_array(
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
        created = self.inner.create_array(
            name,
            shape=shape,
            dtype=dtype,
            chunks=chunks,
            shards=shards,
            filters=filters,
            compressors=compressors,
            fill_value=fill_value,
            overwrite=overwrite,
            attributes=attributes,
        )
        return ChunkedArray(wait_for(created))

    def members(self, depth=0):
        found = wait_for(self.inner.members(depth=depth))
        return tuple((name, Group(each) if isinstance(each, waiting.Group) else ChunkedArray(each)) for name, each in found)

    def update_attributes(self, attributes):
        self.inner = wait_for(self.inner.update_attributes(attributes))
        return self
