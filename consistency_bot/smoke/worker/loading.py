"""The code under check, where a probe is to run it: functions of a repository, by `path.py::function`."""

import importlib.util
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from consistency_bot.errors import UsageError
from consistency_bot.smoke.cells import Order


@cache
def load_function(named: str, repository: Path) -> Callable[..., object]:
    """The function, its file run as a module. The file's folder and the repository can be imported from.

    Raises UsageError where there is no such file or function; what the file itself raises comes through.
    """
    path, _, name = named.partition("::")
    file = (repository / path).resolve()
    if not file.is_file():
        raise UsageError(f"{named}: expected a file {path} in {repository}; there is none")
    for folder in (str(repository), str(file.parent)):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    found = getattr(_module(file), name, None)
    if not callable(found):
        raise UsageError(f"{named}: expected a function `{name}` at the top of {path}; there is none")
    return found


@cache
def apply_once(patch: Callable[..., object]) -> None:
    """Calls a patch function the first time that it is wanted."""
    patch()


def apply_patches(named: Iterable[str], order: Order) -> None:
    """Calls patches of an order by their ids, each once in this process. Raises UsageError for one that it does not have."""
    for name in named:
        apply_once(load_function(patch_function(name, order), Path(order.repository).resolve()))


def patch_function(name: str, order: Order) -> str:
    """`path.py::function` of a patch. Raises UsageError for one that the order does not have."""
    if name not in order.patches:
        there = ", ".join(order.patches) or "none"
        raise UsageError(f"job {order.job}: rules.yaml has no patch `{name}`; there are: {there}")
    return order.patches[name]


@cache
def _module(file: Path) -> object:
    """One file as a module, run once for all functions that are wanted of it."""
    name = f"_smoke_{file.stem}_{abs(hash(file)):x}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickling look a module up by its name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
