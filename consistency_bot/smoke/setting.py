"""Where and how jobs run."""

from fnmatch import fnmatchcase

import msgspec

from consistency_bot.model import Patch, Rule
from consistency_bot.smoke.launchers import Launcher
from consistency_bot.smoke.supervising import Limits


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how jobs run. `repository` is the checkout of the code under check, `commit` its commit, `out` a folder.

    `rules` are those that measured cells are held against. `cells` are patterns of the names of cells to run, none for all. `device` is `auto`, `cpu` or `cuda`. `limits` replaces the bounds that follow from each job.
    """

    repository: str
    commit: str
    out: str
    device: str
    launcher: Launcher
    patches: tuple[Patch, ...] = ()
    rules: tuple[Rule, ...] = ()
    cells: tuple[str, ...] = ()
    limits: Limits | None = None

    def wants(self, cell: str) -> bool:
        """Whether the cell of this name is to run."""
        return not self.cells or any(fnmatchcase(cell, pattern) for pattern in self.cells)
