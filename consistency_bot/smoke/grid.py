"""Cells as a grid for the eye: what varies least becomes rows, what varies fastest becomes columns."""

from collections.abc import Iterator, Sequence

import msgspec

from consistency_bot.smoke.cells import Cell, Settings

WIDEST = 16
"""Columns that a grid may have; more are rows."""

OUTCOME = "outcome"
"""The name of the column where there is only one."""


class Grid(msgspec.Struct, frozen=True):
    """Names of rows and columns, and the cell at each (row, column) that there is one for."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[int, int], Cell]

    def lines(self) -> Iterator[tuple[str, list[Cell | None]]]:
        """Each row by its name, with None where there is no cell."""
        for at, name in enumerate(self.rows):
            yield name, [self.cells.get((at, column)) for column in range(len(self.columns))]


def grid_of(cells: Sequence[Cell]) -> Grid:
    """The grid of all cells. Settings that are the same in all of them are left out; see `shared_settings`.

    Cells that have no setting in common that tells them apart are a list: one column, each cell by its name.
    """
    keys = list(dict.fromkeys(key for cell in cells for key in cell.settings))
    if not _axes(cells):
        return _list_of(cells)
    varying = [key for key in keys if len({cell.settings.get(key, "") for cell in cells}) > 1]
    split = _split(cells, varying)
    rows: dict[str, int] = {}
    columns: dict[str, int] = {}
    placed: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        row = _label(cell.settings, varying[:split]) or cell.name
        column = _label(cell.settings, varying[split:]) or OUTCOME
        at = rows.setdefault(row, len(rows)), columns.setdefault(column, len(columns))
        if at in placed:  # settings do not tell all: then the name does
            at = rows.setdefault(cell.name, len(rows)), at[1]
        placed[at] = cell
    return Grid(tuple(rows), tuple(columns), placed)


def _axes(cells: Sequence[Cell]) -> list[str]:
    """The settings that every cell has and that are not the same in all."""
    common = [key for key in cells[0].settings if all(key in cell.settings for cell in cells)] if cells else []
    return [key for key in common if len({cell.settings[key] for cell in cells}) > 1]


def _list_of(cells: Sequence[Cell]) -> Grid:
    """One column, and a row for each cell by its name: nothing else puts them in order."""
    return Grid(tuple(cell.name for cell in cells), (OUTCOME,), {(at, 0): cell for at, cell in enumerate(cells)})


def shared_settings(cells: Sequence[Cell]) -> str:
    """What all cells have in common, as words; empty for one cell alone, which has all in common with itself."""
    keys = dict.fromkeys(key for cell in cells for key in cell.settings)
    same = [key for key in keys if len({cell.settings.get(key, "") for cell in cells}) == 1]
    return _told(cells[0].settings, same) if cells else ""


def _split(cells: Sequence[Cell], keys: Sequence[str]) -> int:
    """How many of the settings make rows: as few as leave a grid that is not too wide."""
    for split in range(1, len(keys)):
        columns = {tuple(cell.settings.get(key, "") for key in keys[split:]) for cell in cells}
        if len(columns) <= min(WIDEST, max(4, len(cells) // len(columns))):
            return split
    return len(keys)


def _label(settings: Settings, keys: Sequence[str]) -> str:
    """What stands at a row or a column: never nothing where there is a setting, since that is told from its opposite."""
    return _told(settings, keys) or " ".join(
        f"no {key.replace('_', '-')}" for key in keys if settings.get(key) is False
    )


def _told(settings: Settings, keys: Sequence[str]) -> str:
    return " ".join(word for key in keys if key in settings and (word := spoken(key, settings[key])))


def spoken(key: str, value: str | int | bool) -> str:
    """One setting as people say it: `tp2`, `sp`, `wrapper checkpointing`, `FLASH`, `bf16`."""
    if isinstance(value, bool):
        return key.replace("_", "-") if value else ""
    if isinstance(value, int):
        return f"{key.replace('_', '-')}{value}"
    if key == "checkpointing":
        return f"{'no' if value == 'none' else value} checkpointing"
    return value.removesuffix("_ATTENTION") if value not in ("none", "no", "") else f"{value or 'no'} {key}"
