class Client:
    def send(self, job):
        logger.info("job %s is ready", job.name)
        # consistency: differs(call) The other client says it when it is done.
        logger.info("job %s goes out", job.name)
        payload = {
            "name": job.name,
            "size": job.size,
        }
        return self.post(payload)
