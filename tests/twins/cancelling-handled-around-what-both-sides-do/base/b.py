class Manager:
    def listen(self):
        try:
            said = self.channel.wait()
            self.told(said)
        except self.expected:
            self.log.info("nothing more")
