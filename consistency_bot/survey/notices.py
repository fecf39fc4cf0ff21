"""What a rules file says about nothing: sides, rules, patches and waivers that match nothing in one tree.

None of these is a mistake: a file may be there tomorrow, or on another branch.
"""

from collections.abc import Iterator, Sequence

import msgspec

from consistency_bot.attempts import Failure, attempt
from consistency_bot.model import Rules, Side, Tree, Waiver
from consistency_bot.patches.known import Known
from consistency_bot.patches.registry import Registry
from consistency_bot.patches.sides import Sides
from consistency_bot.paths import captures_as_wildcards, captures_in, is_python, split_symbol
from consistency_bot.survey.seen import RuleSeen, TwinsSeen, seen_twins
from consistency_bot.survey.unmet import is_spelt
from consistency_bot.syntax import Readings, Source


class Notice(msgspec.Struct, frozen=True):
    """Something that matches nothing: the line of its entry in the rules file, the entry, and a sentence about it."""

    line: int
    subject: str
    what: str


def notices_of(rules: Rules, tree: Tree) -> list[Notice]:
    """Every notice, by line."""
    seen = list(seen_twins(rules, tree))
    found = [*_of_twins(rules, seen, tree), *_of_rules(rules, seen, tree), *_of_patches(rules, tree)]
    found += _of_atoms(rules, seen)
    found += [notice for waiver in rules.waivers for notice in _of_waiver(waiver, tree)]
    return sorted(dict.fromkeys(found), key=lambda notice: notice.line)


def _of_twins(rules: Rules, seen: Sequence[TwinsSeen], tree: Tree) -> Iterator[Notice]:
    for twins in rules.twins:
        subject = f"twins {twins.id}"
        mine = [each for each in seen if each.twins.entry == twins.id]
        for side in twins.sides if not twins.retired else (each for each in twins.sides if each.name != twins.retired):
            for what in _nothing_on(side, mine, tree):
                yield Notice(twins.line, subject, f"side `{side.name}` {what}")
        if any(captures_in(pattern) for side in twins.sides for pattern in side.patterns) and not any(
            sum(bool(files) for _, files in each.sides) > 1 for each in mine
        ):
            yield Notice(twins.line, subject, "no name that its captures stand for is on two sides here")
        words = frozenset[bytes]().union(*(each.words for each in mine))
        for group in twins.same:
            for name in group:
                if name.rpartition(".")[2].encode() not in words:
                    yield Notice(twins.line, subject, f"`same`: no side has the name `{name}` here")


def _nothing_on(side: Side, seen: Sequence[TwinsSeen], tree: Tree) -> Iterator[str]:
    for pattern in side.patterns:
        path, symbol = split_symbol(pattern)
        if not tree.find([captures_as_wildcards(path)]):
            entry = tree.entry(path)
            if entry is None or not entry.is_submodule:
                yield f"names `{path}`, which matches no file here"
        elif symbol and not captures_in(path):
            files = [file for each in seen for name, files in each.sides if name == side.name for file in files]
            names = [name for file in files if file.path == path for name, _ in file.functions]
            if symbol not in names:
                yield f"names `{symbol}` in {path}, which has no such class or function here"


def _of_rules(rules: Rules, seen: Sequence[TwinsSeen], tree: Tree) -> Iterator[Notice]:
    for rule in rules.declared:
        subject = f"rule {rule.id}"
        asked = [each for twins in seen for each in twins.rules if each.rule.id == rule.id]
        # `cochange` sees what a change touches, and here nothing changes.
        if rule.check != "cochange" and all(each.is_empty for each in asked):
            yield Notice(rule.line, subject, f"`{rule.check}` sees nothing on any side here")
        yield from (Notice(rule.line, subject, what) for what in _unmet(asked))
        for pattern in (*rule.keys.any_of, *(each for files in rule.keys.files.values() for each in files)):
            if not tree.find([captures_as_wildcards(pattern)]) and tree.entry(pattern) is None:
                yield Notice(rule.line, subject, f"`{pattern}` matches no file here")


def _of_atoms(rules: Rules, seen: Sequence[TwinsSeen]) -> Iterator[Notice]:
    """Names of conditions that no code asks; of sides that cannot be read in full nobody can tell."""
    has_symbols = any(split_symbol(each)[1] for twins in rules.twins for side in twins.sides for each in side.patterns)
    if not seen or has_symbols or not all(each.is_clear for each in seen):
        return
    words = frozenset[bytes]().union(*(each.words for each in seen))
    for atom in rules.atoms:
        if not any(is_spelt(each, words) for each in atom.spellings):
            what = "no side has one of its spellings here: correct them, or take it out"
            yield Notice(atom.line, f"atom {atom.name}", what)


def _unmet(asked: Sequence[RuleSeen]) -> list[str]:
    """What none of the pairs that a rule is asked of answers to."""
    told = [each.unmet for each in asked if each.unmet is not None]
    return [what for what in dict.fromkeys(told[0]) if all(what in each for each in told)] if told else []


def _of_patches(rules: Rules, tree: Tree) -> Iterator[Notice]:
    if not rules.patches:
        return
    registry = Registry(tree, rules.patches, Sides(rules.twins), Known())
    for patch in rules.patches:
        if registry.is_gone(patch):
            yield Notice(patch.line, f"patch {patch.id}", f"there is no `{patch.symbol}` in {patch.path} here")
        test = split_symbol(patch.test)[0]
        if test.endswith(".py") and not tree.find([test]):
            yield Notice(patch.line, f"patch {patch.id}", f"there is no test {test} here")


def _of_waiver(waiver: Waiver, tree: Tree) -> Iterator[Notice]:
    path, symbol = split_symbol(waiver.where)
    found = tree.find([path]) if path else []
    if path and not found:
        yield Notice(waiver.line, "waiver", f"`where: {waiver.where}` matches no file here")
    elif symbol and not any(_may_have(symbol, each, tree) for each in found):
        what = f"`where: {waiver.where}`: there is no class or function `{symbol}` in "
        what += path if len(found) == 1 else f"any of the {len(found)} files"
        yield Notice(waiver.line, "waiver", what + " here, so it waives nothing: correct the name, or take it out")


def _may_have(symbol: str, path: str, tree: Tree) -> bool:
    """Whether a file has a class or function of this name, or cannot be read well enough to say that it has none."""
    if not is_python(path):
        return True
    source = attempt(lambda: Source(path, tree.read(path) or b"", Readings(), symbols=(symbol,)))
    return isinstance(source, Failure) or source.is_broken or bool(source.definitions)
