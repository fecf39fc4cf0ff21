class Request:
    def scheme(self):
        if "forwarded" in self.env:
            forwarded = self.forwarded
            if forwarded:
                scheme = forwarded[0].scheme or self.own_scheme
            else:
                scheme = self.own_scheme
        else:
            scheme = self.env["x-scheme"]
        return scheme

    def drop(self, peer):
        if peer in self.peers:
            self.line_of(peer).close()
            del self.lines[peer]
