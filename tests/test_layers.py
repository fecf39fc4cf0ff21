"""The layers of docs/architecture.md are written down once, as import-linter contracts in pyproject.toml."""

import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_imports_go_down_only() -> None:
    lint = Path(sysconfig.get_path("scripts")) / "lint-imports"
    done = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_change_is_read_without_loading_anything_slow() -> None:
    slow = {"dataclasses", "logging", "pathlib", "requests", "rich", "shutil", "socket", "tempfile", "torch"}
    program = f"import sys, consistency_bot.git; print(*sorted({slow!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not done.stdout.split()
