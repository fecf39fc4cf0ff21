class Manager:
    def listen(self):
        for said in self.channel.listen():
            self.log.info("a message")
            if said["kind"] == "emit":
                self.emitted(said)
            elif said["kind"] == "close":
                self.closed(said)
