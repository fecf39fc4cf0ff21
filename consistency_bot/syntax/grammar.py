"""The grammar of Python, loaded without what comes with it."""

from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec

from tree_sitter import Language


def _python() -> Language:
    """Python's grammar, from the extension module of `tree_sitter_python`.

    The package itself imports `importlib.resources`, and so a dozen modules of the standard library, for query files
    that nobody here asks for: 8 ms, where a whole check takes 100. It is asked only where its extension is not found.
    """
    package = find_spec("tree_sitter_python")
    folders = package.submodule_search_locations if package is not None else None
    spec = PathFinder.find_spec("tree_sitter_python._binding", folders)
    if spec is None or spec.loader is None:
        import tree_sitter_python

        return Language(tree_sitter_python.language())
    binding = module_from_spec(spec)
    spec.loader.exec_module(binding)
    return Language(binding.language())


PYTHON = _python()
