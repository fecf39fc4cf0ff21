class Client:
    def fetch(self, url):
        reply = self.session.get(url)
        if reply.status >= 500 and not self.patient:
            return None
        if reply.size > self.most or reply.kind == "stream":
            raise TooLarge(url)
        return reply.body
