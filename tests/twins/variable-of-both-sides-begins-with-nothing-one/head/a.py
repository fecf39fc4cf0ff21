class Client:
    def tell(self, event, *args):
        reply = None
        if event in self.handlers:
            try:
                reply = self.handlers[event](*args)
            except self.expected:
                self.log.warning("a handler failed")
            else:
                return reply
        return self.nothing
