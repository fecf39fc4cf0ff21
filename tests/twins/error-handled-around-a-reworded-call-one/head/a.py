class Request:
    def scheme(self):
        if "forwarded" in self.env:
            first = self.forwarded[0]
            scheme = first.scheme or self.own_scheme
        else:
            scheme = self.env["x-scheme"]
        return scheme

    def drop(self, peer):
        if peer in self.peers:
            try:
                line = self.line_of(peer)
            except KeyError:
                pass
            else:
                line.close()
                del self.lines[peer]
