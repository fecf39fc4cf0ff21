def run(self):
    self.lock.release()
