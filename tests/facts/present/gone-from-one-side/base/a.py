def run(self):
    self.lock.acquire()
