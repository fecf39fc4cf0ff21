def run(self):
    self.lock.acquire( timeout = 2 )
