class Client:
    def fetch(self, url):
        reply = self.session.get(url)
        if self._failed(reply):
            return None
        if self._may_wait() and url:
            self.wait(reply)
        if self._is_closed:
            raise Closed(url)
        return reply.body

    def _failed(self, reply):
        return reply.status >= 500 or reply.is_broken

    def _may_wait(self):
        return self.left > 0 and self.patient

    @property
    def _is_closed(self):
        return self.session is None
