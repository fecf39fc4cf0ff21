"""Where a whole tree names a patch's function."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from consistency_bot.model import Patch, Tree
from consistency_bot.patches.faults import Found
from consistency_bot.patches.known import Known
from consistency_bot.syntax.mentions import Mention, Wanted, importing_module, is_test

_MOST_HOPS = 4
"""Modules that hand a function on to one another, one after the other."""


class Mentions:
    """Looks for functions in the Python files of one tree. `near` are those of all sides, where nearly all calls are."""

    def __init__(self, tree: Tree, near: Sequence[str], names: Sequence[str], known: Known) -> None:
        """`names` are the functions' names: a search of the whole tree looks for all of them at once."""
        self._tree = tree
        self._near = near
        self._names = names
        self._known = known

    def on_sides(self, patch: Patch) -> Found:
        """The mentions of the patch's function on the sides, and in its own file but not in itself."""
        return self._in(patch, dict.fromkeys([*self._near, patch.path]))

    def anywhere(self, patch: Patch) -> Found:
        """The mentions in all of the tree."""
        return self._in(patch, self._tree.holding(self._names, "**/*.py"))

    def _in(self, patch: Patch, paths: Iterable[str]) -> Found:
        wanted = Wanted.at(patch.path, patch.symbol)
        name = wanted.name.encode()
        files = {path: data for path in paths if (data := self._tree.read(path)) and name in data}
        found: dict[str, list[Mention]] = {}
        for _ in range(_MOST_HOPS):
            found = {path: self._known.mentions(path, data, wanted) for path, data in files.items()}
            modules = {module for path, each in found.items() if (module := importing_module(path, each))}
            wider = tuple(sorted({*wanted.modules, *modules}))
            if wider == wanted.modules:
                break
            wanted = msgspec.structs.replace(wanted, modules=wider)
        outside = [each for path in sorted(found) if not is_test(path) for each in found[path]]
        tests = [each for path in sorted(found) if is_test(path) for each in found[path]]
        return Found(
            tuple(each for each in outside if each.kind != "import"),
            tuple(each for each in outside if each.kind == "import"),
            tuple(dict.fromkeys(self._of_tests(tests, files))),
        )

    def _of_tests(self, mentions: list[Mention], files: dict[str, bytes]) -> Iterator[Mention]:
        """The mentions in tests, and the tests that call what stands around one of them in the same file."""
        for each in mentions:
            yield each
            name = each.function.rpartition(".")[2]
            if each.kind == "call" and name and not name.startswith("test"):
                yield from self._known.mentions(each.path, files[each.path], Wanted.at(each.path, each.function))
