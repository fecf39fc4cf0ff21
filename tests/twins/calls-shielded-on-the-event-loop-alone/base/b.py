class Tap:
    def close(self):
        self.valve.shut()
        drops = self.pipe.drain(self.bucket)
        return drops
