"""What every worker of this side does alike."""


class WorkerBase:
    """Saves itself."""

    def save(self, path, with_optimizer=True):
        state = {"model": self.model.state()}
        if with_optimizer:
            state["optimizer"] = self.optimizer.state()
        path.write(state)
