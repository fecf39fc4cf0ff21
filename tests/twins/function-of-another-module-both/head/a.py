"""What goes over the wire."""

import fastjson


class Reader:
    def read(self, data):
        if not data:
            return None
        said = fastjson.loads(data)
        return said.get("result")
