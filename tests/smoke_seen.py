"""Who looks on while tests run smoke jobs."""

from consistency_bot.smoke.cells import Cell


class Seen:
    """Remembers what a run tells."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.over: list[tuple[str, str]] = []
        self.failures: list[tuple[str, str]] = []

    def started(self, job: str, cell: str, at: int, total: int) -> None:
        self.begun.append(cell)

    def failed(self, job: str, cell: Cell) -> None:
        self.failures.append((cell.name, cell.status))

    def ended(self, job: str, cell: Cell) -> None:
        self.over.append((cell.name, cell.status))
