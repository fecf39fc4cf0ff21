"""Runs as a picture: one matrix for each, in colours that all eyes tell apart, and with a sign in every cell."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from consistency_bot.errors import SmokeError, UsageError
from consistency_bot.smoke.cells import Status
from consistency_bot.smoke.grid import Grid, grid_of, shared_settings
from consistency_bot.smoke.results import JobRun
from consistency_bot.smoke.wording import MEANING, counted, machine_line
from consistency_bot.visible import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette (jfly.uni-koeln.de/color); each differs from its neighbours in lightness, too.
COLOURS: dict[Status, str] = {
    "pass": "#009E73",
    "fail": "#D55E00",
    "flaky": "#F0E442",
    "timeout": "#CC79A7",
    "crash": "#000000",
    "unsupported": "#E3E3E3",
    "skipped-needs-gpu": "#FFFFFF",
}
SIGNS: dict[Status, str] = {
    "pass": "ok",
    "fail": "✗",
    "flaky": "~",
    "timeout": "T",
    "crash": "!",
    "unsupported": "-",
    "skipped-needs-gpu": "gpu",
}
_DARK = frozenset({"fail", "crash", "pass"})
ENDINGS = (".png", ".svg")
CELL_WIDTH, CELL_HEIGHT = 0.62, 0.34
"""Inches; a cell has room for a sign that can be read."""

LARGEST = 400.0
"""Inches, either way: what is larger cannot be drawn as a PNG, and not be looked at."""

LONGEST_LABEL = 80
"""Characters of a name; what is longer loses its middle."""

LONGEST_TITLE = 300
"""Characters of one of its lines."""


def draw(runs: Sequence[JobRun], path: str) -> None:
    """Write the picture; the path's ending tells its format.

    Raises UsageError for another ending, for a path that cannot be written, and for more cells than can be drawn;
    SmokeError without matplotlib.
    """
    if os.path.splitext(path)[1].lower() not in ENDINGS:
        raise UsageError(f"--picture {path}: expected a file that ends in {' or '.join(ENDINGS)}")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise SmokeError("--picture needs matplotlib: install it with `pip install 'consistency-bot[smoke]'`") from None
    shown = [run for run in runs if run.cells]
    if not shown:
        raise UsageError(f"--picture {path}: none of the runs has a cell to draw")
    # Text stays text in an SVG, which is smaller and can be searched; and the same runs are the same bytes. Dollars are
    # no formulas: values come from rules files and from whoever wrote the results.
    as_it_is = {"svg.fonttype": "none", "svg.hashsalt": "consistency-bot", "text.parse_math": False}
    with mpl.rc_context({**as_it_is, "font.size": 8.5}):
        figure = Figure()
        _fill(figure, shown)
        try:
            figure.savefig(path, dpi=160, bbox_inches="tight", pad_inches=0.15, metadata=_metadata(path))
        except OSError as error:
            raise UsageError(f"--picture {path}: expected a file that can be written: {error.strerror}") from None


def _metadata(path: str) -> dict[str, str | None]:
    return {"Date": None} if path.lower().endswith(".svg") else {}


def _fill(figure: "Figure", runs: Sequence[JobRun]) -> None:
    grids = [_labelled(grid_of(run.cells)) for run in runs]
    heights = [len(grid.rows) * CELL_HEIGHT for grid in grids]
    headers = [0.95 + 0.075 * max(map(len, grid.columns)) for grid in grids]
    width = max(len(grid.columns) for grid in grids) * CELL_WIDTH
    total = sum(heights) + sum(headers) + 0.6
    if max(width, total) > LARGEST:
        raise UsageError(
            f"--picture: {sum(len(grid.cells) for grid in grids)} cells are too many to draw: name fewer files"
        )
    figure.set_size_inches(max(width, 2.0), total)
    top = total
    for run, grid, height, header in zip(runs, grids, heights, headers, strict=True):
        top -= header + height
        share = len(grid.columns) * CELL_WIDTH / max(width, 2.0)
        axes = figure.add_axes((0.0, top / total, share, height / total))
        _matrix(axes, grid, _title(run))
    statuses = [status for status in MEANING if any(cell.status == status for run in runs for cell in run.cells)]
    figure.legend(
        handles=[_patch(status) for status in statuses],
        loc="upper left",
        bbox_to_anchor=(0.0, max(top - 0.1, 0.0) / total),
        frameon=False,
        borderaxespad=0.0,
    )


def _labelled(grid: Grid) -> Grid:
    """The same with names that an XML file can hold, and a picture has room for."""
    return msgspec.structs.replace(grid, rows=tuple(map(_label, grid.rows)), columns=tuple(map(_label, grid.columns)))


def _label(text: str) -> str:
    shown = visible(text)
    half = LONGEST_LABEL // 2
    return shown if len(shown) <= LONGEST_LABEL else f"{shown[:half]}…{shown[-half:]}"


def _title(run: JobRun) -> str:
    lines = [f"{_label(run.job)}: {run.outcome} ({counted(run.cells)})"]
    lines += [machine_line(run.machine)] if run.machine is not None else []
    return "\n".join(visible(line)[:LONGEST_TITLE] for line in [*lines, shared_settings(run.cells)] if line)


def _matrix(axes: "Axes", grid: Grid, title: str) -> None:
    from matplotlib.patches import Rectangle

    for (row, column), cell in grid.cells.items():
        colour = COLOURS[cell.status]
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, edgecolor="#8A8A8A", linewidth=0.6))
        ink = "white" if cell.status in _DARK else "black"
        sign = "exp" if cell.status == "pass" and cell.outcome != "ok" else SIGNS[cell.status]
        axes.text(column + 0.5, row + 0.5, sign, ha="center", va="center", color=ink, fontsize=8)
    axes.set_xlim(0, len(grid.columns))
    axes.set_ylim(len(grid.rows), 0)
    axes.set_xticks(
        [at + 0.5 for at in range(len(grid.columns))], grid.columns, rotation=45, ha="left", rotation_mode="anchor"
    )
    axes.set_yticks([at + 0.5 for at in range(len(grid.rows))], grid.rows)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(title, loc="left", fontsize=9, pad=6)


def _patch(status: Status) -> object:
    from matplotlib.patches import Patch

    also = ", exp: so is what does not work" if status == "pass" else ""
    label = f"{SIGNS[status]}  {status}: {MEANING[status]}{also}"
    return Patch(facecolor=COLOURS[status], edgecolor="#8A8A8A", label=label)
