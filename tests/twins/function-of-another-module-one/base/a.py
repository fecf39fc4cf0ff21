"""What goes over the wire."""

import slowjson


class Reader:
    def read(self, data):
        if not data:
            return None
        said = slowjson.loads(data)
        return said.get("result")
