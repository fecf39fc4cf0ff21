class Client:
    def fetch(self, url):
        reply = self.session.get(url)
        if reply.status >= 500 or reply.is_broken:
            return None
        if self.left > 0 and self.patient and url:
            self.wait(reply)
        if self.session is None:
            raise Closed(url)
        return reply.body
