class Client:
    def fetch(self, url):
        reply = self.session.get(url)
        if not self._failed(reply) and not self.patient:
            return None
        if self._is_large(reply) or reply.kind == "stream":
            raise TooLarge(url)
        return reply.body

    def _failed(self, reply):
        return reply.status >= 500

    def _is_large(self, answer):
        """Whether it is more than anybody wants."""
        return answer.size > self.most
