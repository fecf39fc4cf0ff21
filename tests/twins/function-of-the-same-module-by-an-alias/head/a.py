"""What goes over the wire."""

import slowjson as codec


class Reader:
    def read(self, data):
        if not data:
            return None
        said = codec.loads(data)
        return said.get("result")
