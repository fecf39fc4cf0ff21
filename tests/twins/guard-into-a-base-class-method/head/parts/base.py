"""What every worker of this side does alike."""


class WorkerBase:
    """Saves itself."""

    def save(self, path, with_optimizer=True):
        state = {"model": self.model.state(), "rank": self.rank}
        if with_optimizer:
            state["optimizer"] = self.optimizer.state()
        if path.exists():
            raise FileExistsError(path)
        path.write(state)
