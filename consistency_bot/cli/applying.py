"""Ports made in the working tree."""

from collections.abc import Sequence

from consistency_bot.errors import UsageError
from consistency_bot.git.writing import Replacement, WorkingTree
from consistency_bot.porting import Written
from consistency_bot.porting.rewriting import Unwritable, rewritten
from consistency_bot.syntax import Undecodable
from consistency_bot.syntax.text import utf8


def refuse_uncommitted(files: Sequence[Written], repo: str) -> None:
    """Raises UsageError where one of the files is not as HEAD has it: a person could not tell the two apart any more."""
    if not files:
        return
    found = WorkingTree(repo).uncommitted()
    mixed = [each.path for each in files if each.path in found]
    if mixed:
        raise UsageError(
            f"{', '.join(mixed)}: expected no changes that are not committed; commit or stash them first,"
            " print the port without --apply, or say --allow-dirty: then it is written into the file as it is now"
        )


def apply(files: Sequence[Written], repo: str) -> None:
    """Writes the files into the working tree, all of them or none. Raises UsageError where that cannot be done."""
    tree = WorkingTree(repo)
    replacements = {}
    for each in files:
        old = tree.read(each.path)
        try:
            # A checkout may have put in other line ends than git stores: what counts is the text.
            if utf8(old) != utf8(each.old):
                raise UsageError(
                    f"{each.path}: expected the file as git stores it; print the port and `git apply` it instead"
                )
            replacements[each.path] = Replacement(old, rewritten(old, each.text))
        except (Undecodable, Unwritable) as error:
            raise UsageError(f"{each.path}: {error}; print the port and `git apply` it instead") from None
    tree.replace(replacements)
