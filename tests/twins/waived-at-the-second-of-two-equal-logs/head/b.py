class Client:
    def send(self, job):
        logger.info("job %s is ready", job.name)
        payload = {
            "name": job.name,
            "size": job.size,
        }
        return self.post(payload)
