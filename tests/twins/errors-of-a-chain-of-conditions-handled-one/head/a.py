class Manager:
    def listen(self):
        for said in self.channel.listen():
            self.log.info("a message")
            try:
                if said["kind"] == "emit":
                    self.emitted(said)
                elif said["kind"] == "close":
                    self.closed(said)
            except Exception:
                self.log.exception("a message was not handled")
