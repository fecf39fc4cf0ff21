"""What runs came to, in every format; reports are held to the letter by files in `golden`."""

import importlib.util
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from consistency_bot.cli import main
from consistency_bot.smoke.cells import Cell, Machine, RankError, Status
from consistency_bot.smoke.grid import grid_of
from consistency_bot.smoke.results import JobRun, RuleHeld, read_run, write_run
from consistency_bot.smoke.showing import RUN_FORMATS
from consistency_bot.smoke.wording import MARKS, MEANING

GOLDEN = Path(__file__).parent / "golden"
STATUSES = list(MEANING)
needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib (extra `smoke`) is missing"
)


def cell(tp: int, backend: str, dtype: str, status: Status = "pass", **more: object) -> Cell:
    settings: dict[str, str | int | bool] = {"tp": tp, "sp": tp > 1, "checkpointing": "wrapper", "backend": backend}
    settings["dtype"] = dtype
    outcome = "ok" if status == "pass" else "" if status in ("timeout", "crash", "skipped-needs-gpu") else "error"
    name = f"tp{tp}/{backend}/{dtype}"
    blank = Cell(name=name, settings=settings, outcome=outcome, status=status, seconds=0.1)
    return msgspec.structs.replace(blank, **more)


MACHINE = Machine(
    host="gpu-7",
    device="cuda",
    gpus=("NVIDIA H200", "NVIDIA H200"),
    python="3.11.7",
    torch="2.11.0",
    cuda="12.8",
    cudnn="9.15.1",
    nccl="2.27.5",
    world_size=2,
)
MATRIX = JobRun(
    job="tp2-sp",
    machine=MACHINE,
    seconds=31.0,
    cells=(
        cell(1, "default", "fp32"),
        cell(1, "default", "bf16"),
        cell(1, "CUDNN_ATTENTION", "fp32", "unsupported"),
        cell(1, "CUDNN_ATTENTION", "bf16", outcome="checkpoint-mismatch", expect="checkpoint-mismatch"),
        cell(
            2,
            "default",
            "fp32",
            "fail",
            outcome="wrong-numerics",
            loss_error=1e-3,
            gradient_error=2e-2,
            confirmed="wrong-numerics",
        ),
        cell(
            2,
            "default",
            "bf16",
            "crash",
            note="the processes ended with status 1",
            errors=(RankError(rank=1, type="ValueError", message="shape\nof it", site="model.py:7 in forward"),),
        ),
        cell(2, "CUDNN_ATTENTION", "fp32", "flaky", confirmed="ok"),
        cell(2, "CUDNN_ATTENTION", "bf16", "skipped-needs-gpu"),
    ),
    rules=(
        RuleHeld(rule="cudnn-off", verdict="too-lax", note="CUDNN_ATTENTION where cp: it ends in error"),
        RuleHeld(rule="cudnn-off", verdict="confirmed", note="MATH where cp: it works"),
    ),
)
COMMAND = JobRun(
    job="own",
    machine=Machine(host="vm", device="cpu", python="3.11.7", torch=""),
    cells=(
        Cell(
            name="own",
            settings={},
            outcome="error",
            status="fail",
            note="ended with status 3",
            errors=(RankError(rank=0, type="Output", message="first\n::error::<b>@all</b> `x` | y"),),
        ),
    ),
)
NOT_RUN = JobRun(
    job="elsewhere", problem="the launcher ended with status 1 before the command began\nno such partition"
)
HERE = msgspec.structs.replace(
    MATRIX,
    machine=msgspec.structs.replace(MACHINE, host="gpu-8", torch="2.13.0"),
    cells=tuple(
        msgspec.structs.replace(each, outcome="ok", status="pass", note="", errors=()) for each in MATRIX.cells
    ),
    rules=(),
)
RUNS = (MATRIX, HERE, COMMAND, NOT_RUN)


@pytest.mark.parametrize(("name", "file"), [("text", "smoke.txt"), ("markdown", "smoke.md"), ("json", "smoke.json")])
def test_reports_come_out_to_the_letter(name: str, file: str) -> None:
    assert RUN_FORMATS[name](RUNS) == (GOLDEN / file).read_text("utf-8")


def test_a_run_that_is_written_is_read_as_it_was(tmp_path: Path) -> None:
    for run in RUNS:
        write_run(str(tmp_path / "x.jsonl"), run)
        assert read_run(str(tmp_path / "x.jsonl")) == run


def test_the_command_reports_files_and_ends_as_the_runs_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / f"{number}.jsonl") for number in range(len(RUNS))]
    for path, run in zip(paths, RUNS, strict=True):
        write_run(path, run)
    assert main(["smoke", "report", *paths]) == 1
    assert capsys.readouterr().out == (GOLDEN / "smoke.txt").read_text("utf-8")
    assert main(["smoke", "report", paths[1], "--format", "json"]) == 0
    assert main(["smoke", "report", paths[3]]) == 5


@pytest.mark.parametrize("text", ["", "{}\n", "x\n", '{"kind":"machine"}\n'])
def test_a_file_that_is_no_results_file_is_refused(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").write_text(text)
    assert main(["smoke", "report", str(tmp_path / "x")]) == 2
    assert "expected a results file" in capsys.readouterr().err


def test_nothing_that_a_run_printed_is_a_command_to_a_runner_or_markup() -> None:
    text, markdown = RUN_FORMATS["text"](RUNS), RUN_FORMATS["markdown"](RUNS)
    assert not any(line.lstrip().startswith("::") for line in (text + markdown).splitlines())
    assert "@all" not in markdown
    assert "<b>" not in markdown.replace("\\<b>", "")


def test_a_comment_never_gets_too_long() -> None:
    cells = tuple(cell(tp, "default", "fp32", name=f"{'x' * 90}{tp}") for tp in range(1, 500))
    runs = [JobRun(job=f"job{number}", cells=cells) for number in range(20)]
    text = RUN_FORMATS["markdown"](runs)
    assert len(text) <= 60_000
    assert "did not fit here" in text


def test_every_cell_has_its_place_in_the_grid_even_where_settings_do_not_tell_them_apart() -> None:
    same = [Cell(name=str(number), settings={"tp": 1}, outcome="ok", status="pass") for number in range(4)]
    for cells in (MATRIX.cells, same, COMMAND.cells):
        assert sorted(each.name for each in grid_of(cells).cells.values()) == sorted(each.name for each in cells)


def test_every_status_has_a_mark_of_its_own() -> None:
    assert MARKS.keys() == MEANING.keys()
    assert len(set(MARKS.values())) == len(MARKS)


def test_every_status_has_a_colour_and_a_sign_of_its_own() -> None:
    from consistency_bot.smoke.picture import COLOURS, SIGNS

    for told in (COLOURS, SIGNS):
        assert told.keys() == MEANING.keys()
        assert len(set(told.values())) == len(told)
    # Two colours that look alike in grey tell nothing to some: neighbours in meaning must differ in lightness.
    light = {status: _luminance(colour) for status, colour in COLOURS.items()}
    assert abs(light["pass"] - light["crash"]) > 0.1
    assert abs(light["fail"] - light["flaky"]) > 0.3
    assert abs(light["pass"] - light["unsupported"]) > 0.3


def _luminance(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@needs_matplotlib
def test_a_picture_has_every_cell_with_its_sign_and_the_versions(tmp_path: Path) -> None:
    from consistency_bot.smoke.picture import draw

    draw(RUNS, str(tmp_path / "m.svg"))
    draw(RUNS, str(tmp_path / "m.png"))
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    words = [element.text for element in ET.parse(tmp_path / "m.svg").iter() if element.text]
    assert {"tp1", "tp2 sp", "default fp32", "CUDNN bf16"} <= set(words)
    assert any("cuDNN 9.15.1, NCCL 2.27.5" in word for word in words)
    assert words.count("ok") == 2 + 8
    first = (tmp_path / "m.svg").read_bytes()
    draw(RUNS, str(tmp_path / "m.svg"))
    assert (tmp_path / "m.svg").read_bytes() == first


@pytest.mark.parametrize("path", ["x.pdf", "x"])
def test_a_picture_of_another_kind_is_refused(tmp_path: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(str(tmp_path / "1.jsonl"), HERE)
    assert main(["smoke", "report", str(tmp_path / "1.jsonl"), "--picture", str(tmp_path / path)]) == 2
    assert "ends in .png or .svg" in capsys.readouterr().err


HOSTILE = "\x1b[31m$\\foo{$^_ @team <img src=x> `x`\n::error::x"


@needs_matplotlib
def test_names_in_a_picture_are_no_formulas_and_no_control_characters(tmp_path: Path) -> None:
    from consistency_bot.smoke.picture import draw

    cells = tuple(cell(tp, HOSTILE, "fp32", name=f"{HOSTILE}{tp}" * 20) for tp in (1, 2))
    run = JobRun(job=HOSTILE, cells=cells, machine=msgspec.structs.replace(MACHINE, host=HOSTILE))
    draw([run], str(tmp_path / "m.svg"))
    draw([run], str(tmp_path / "m.png"))
    assert any("$\\foo{$^_" in (element.text or "") for element in ET.parse(tmp_path / "m.svg").iter())


@needs_matplotlib
def test_more_cells_than_a_picture_holds_are_refused(tmp_path: Path) -> None:
    from consistency_bot.errors import UsageError
    from consistency_bot.smoke.picture import draw

    run = JobRun(job="many", cells=tuple(cell(tp, "default", "fp32") for tp in range(1, 2000)))
    with pytest.raises(UsageError, match="1999 cells are too many to draw"):
        draw([run], str(tmp_path / "m.png"))


def test_a_file_that_is_nested_too_deeply_is_read_as_far_as_it_can_be(tmp_path: Path) -> None:
    deep = '{"kind":"cell","more":' + "[" * 100_000 + "]" * 100_000 + "}\n"
    (tmp_path / "x").write_text('{"kind":"job","job":"j","tool":"t"}\n' + deep)
    assert read_run(str(tmp_path / "x")).problem == "it did not come to its end"
    assert main(["smoke", "plan", "--report", str(tmp_path / "x")]) == 2


def test_a_job_of_any_name_puts_no_html_into_a_comment() -> None:
    text = RUN_FORMATS["markdown"]([JobRun(job=HOSTILE, cells=(cell(1, "default", "fp32"),))])
    (fold,) = (line for line in text.splitlines() if line.startswith("<details>"))
    assert fold == "<details><summary>a job: 1 pass</summary>"
    assert "<details><summary>tp2_sp.x: 1 pass</summary>" in RUN_FORMATS["markdown"](
        [JobRun(job="tp2_sp.x", cells=(cell(1, "default", "fp32"),))]
    )


def test_a_file_that_cannot_be_written_leaves_nothing_beside_it(tmp_path: Path) -> None:
    from consistency_bot.errors import UsageError

    (tmp_path / "j.jsonl").mkdir()
    with pytest.raises(UsageError, match="expected a file that can be written"):
        write_run(str(tmp_path / "j.jsonl"), HERE)
    assert [each.name for each in tmp_path.iterdir()] == ["j.jsonl"]
