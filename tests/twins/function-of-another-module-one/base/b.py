"""What goes over the wire."""

import slowjson


class AsyncReader:
    async def read(self, data):
        if not data:
            return None
        said = slowjson.loads(data)
        return said.get("result")
