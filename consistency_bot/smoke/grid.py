"""Cells as a grid for the eye: what varies least becomes rows, what varies fastest becomes columns."""

from collections.abc import Mapping, Sequence

import msgspec

from consistency_bot.smoke.cells import Cell

WIDEST = 16
"""Columns that a grid may have; more are rows."""

Settings = Mapping[str, str | int | bool]


class Grid(msgspec.Struct, frozen=True):
    """Names of rows and columns, and the cell at each (row, column) that there is one for."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[int, int], Cell]


def grid_of(cells: Sequence[Cell]) -> Grid:
    """The grid of all cells. Settings that are the same in all of them are left out; see `shared_settings`."""
    keys = list(dict.fromkeys(key for cell in cells for key in cell.settings))
    varying = [key for key in keys if len({cell.settings.get(key, "") for cell in cells}) > 1]
    split = _split(cells, varying)
    rows: dict[str, int] = {}
    columns: dict[str, int] = {}
    placed: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        row = _told(cell.settings, varying[:split]) or "cell"
        column = _told(cell.settings, varying[split:]) or ("outcome" if varying else cell.name)
        at = rows.setdefault(row, len(rows)), columns.setdefault(column, len(columns))
        if at in placed:  # settings do not tell all: then the name does
            at = rows.setdefault(cell.name, len(rows)), at[1]
        placed[at] = cell
    return Grid(tuple(rows), tuple(columns), placed)


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
