"""Decides for each run of this side's change whether it can be written on the other side, and where."""

from collections import Counter
from collections.abc import Iterable, Sequence

from consistency_bot.port.bindings import bound_in
from consistency_bot.port.blanks import close_to, with_blanks
from consistency_bot.port.changes import Run, Step, is_of_imports, row_of
from consistency_bot.port.decisions import Decision, Edit, Evidence, State
from consistency_bot.port.folding import SHORT, flat, folded, is_folded
from consistency_bot.port.gaps import Gap, Gaps, adds
from consistency_bot.port.imports import Brought, brought_by, is_import, module_of, with_names
from consistency_bot.port.layout import laid_out
from consistency_bot.port.matching import Matching
from consistency_bot.port.merging import Declined, Merge, Merged
from consistency_bot.port.removing import without
from consistency_bot.port.speech import Said, Speech
from consistency_bot.port.words import tells_the_side
from consistency_bot.syntax.source_rows import Row


class Stop(Exception):
    """Ends the look at one run: nothing is written, and why."""

    def __init__(self, state: State, reason: str) -> None:
        self.state: State = state
        self.reason = reason


class Placing:
    """Decides run by run."""

    def __init__(self, matching: Matching, speech: Speech) -> None:
        self._m, self._speech = matching, speech
        self._gaps = Gaps(matching, speech.new)
        self._mine, self._new, self._theirs = matching.mine, speech.new, matching.theirs

    def decide(self, run: Run) -> Decision:
        """What to do about one run."""
        self._is_exact = self._is_placed = True
        rows = self._new.rows[run.new_start : run.new_end]
        self._bound = bound_in(rows)
        after = self._new.rows[run.new_start].line if run.new_start < len(self._new.rows) else 1
        lines = (rows[0].line, rows[-1].line) if rows else (after, after - 1)
        try:
            edits = self._edits(run)
        except Stop as stop:
            return Decision(run, lines, stop.state, stop.reason, self._evidence(run))
        if not edits:
            return Decision(run, lines, "already there", "the other side says this already", self._evidence(run))
        return Decision(run, lines, "counterpart found", "", self._evidence(run), tuple(edits))

    def _evidence(self, run: Run) -> Evidence:
        near = [*range(run.start - 3, run.start), *range(run.end, run.end + 3)]
        changed = [self._row(step) for step in run.steps]
        added = [self._row(step) for step in run.steps if step.old is None]
        return Evidence(
            self._m.likeness,
            sum(row in self._m.exact for row in near),
            self._is_exact,
            self._is_placed,
            adds=adds(changed, added),
            here=self._m.likeness_in(self._mine.owner_at(run.start)),
            size=run.new_end - run.new_start,
        )

    def _row(self, step: Step) -> Row:
        return row_of(step, self._mine, self._new)

    def _edits(self, run: Run) -> list[Edit]:
        if self._speech.is_awaiting_here != self._speech.is_awaiting_there and any(
            row.kind == "prose" and row.words[:3] == _PROMPT for row in map(self._row, run.steps)
        ):
            raise Stop("unsure", "an example in a docstring is not put into the other side's words")
        if is_of_imports(run, self._mine, self._new):
            return [edit for step in run.steps for edit in self._import(step, run)]
        return self._edits_of_code(run)

    def _import(self, step: Step, run: Run) -> list[Edit]:
        if step.new is None:
            return []
        row = self._new.rows[step.new]
        bound, module, there = brought_by(row), module_of(row), self._theirs.imported
        before = {each.name for each in brought_by(self._mine.rows[step.old])} if step.old is not None else set[str]()
        added = [each for each in bound if each.name not in before]
        moved = [each for each in bound if self._has_moved(each.name, module)]
        missing = [*(each for each in added if each.name not in there.names), *moved]
        if step.old is not None and not added and module_of(self._mine.rows[step.old]) == module:
            return self._said_otherwise(step) if len(bound) == len(before) else []
        rewritten = self._m.there[step.old] if step.old is not None and step.old in self._m.exact else None
        brought = self._brought(step, run, row, missing, len(missing) == len(added))
        return brought + self._left({each.name for each in moved if there.row_of[each.name] != rewritten})

    def _said_otherwise(self, step: Step) -> list[Edit]:
        """The edits of an import that brings in what it did: in another order, further in, with a comment."""
        if step.old not in self._m.exact:
            return []
        try:
            return self._changed(step)
        except Stop:
            return []

    def _has_moved(self, name: str, module: str) -> bool:
        """Whether this side imported the name from elsewhere, and the other still does."""
        before, there = self._mine.imported.module_with(name), self._theirs.imported.module_with(name)
        of = self._m.modules.of
        return bool(before and there) and before != module and of(before) == there != of(module)

    def _left(self, names: set[str]) -> list[Edit]:
        """The edits that take the names out of where the other side imports them."""
        rows = {self._theirs.imported.row_of[name] for name in names}
        return [edit for row in sorted(rows) for edit in without(self._theirs.rows[row], names)]

    def _brought(self, step: Step, run: Run, row: Row, missing: Sequence[Brought], is_whole: bool) -> list[Edit]:
        """The edits that bring the missing names in; `is_whole` says that they are all that the import adds here."""
        if step.old is not None and step.old in self._m.exact and (missing or is_whole):
            try:
                return self._changed(step)
            except Stop:
                if not missing:
                    raise
        if not missing:
            return []
        module = self._m.modules.of(module_of(row))
        home = self._theirs.imported.homes.get(module) if module else None
        if home is not None:
            there = self._theirs.rows[home]
            order = [each.name for each in brought_by(row)]
            width = self._theirs.width
            text = with_names(there, self._theirs.text, [each.written for each in missing], order, width)
            if text is not None:
                return [Edit(there.start, there.end, text)]
        at = self._import_place(step, run, row)
        if step.old is None and is_whole:
            assert step.new is not None
            said = self._speech.say(step.new)
            text = row.indent + "".join(each.gap + each.text for each in said).lstrip() + "\n"
        else:
            names = ", ".join(each.written for each in missing)
            text = f"{row.indent}from {module} import {names}\n" if module else f"{row.indent}import {names}\n"
        return [Edit(at, at, text)]

    def _import_place(self, step: Step, run: Run, row: Row) -> int:
        for near in (*range(run.start - 1, -1, -1), *range(run.end, len(self._mine.rows))):
            mine = self._mine.rows[near]
            there = self._m.there.get(near)
            if there is not None and is_import(mine) and mine.indent == row.indent:
                theirs = self._theirs.rows[there]
                if theirs.indent == row.indent and is_import(theirs):
                    return theirs.end if near < run.start else theirs.start
        raise Stop("unsure", "no import over there stands opposite one next to it")

    def _edits_of_code(self, run: Run) -> list[Edit]:
        if self._speech.is_awaiting_here != self._speech.is_awaiting_there and any(
            step.new is not None and tells_the_side(self._new.rows[step.new].words) for step in run.steps
        ):
            raise Stop("unsure", "it says which of the sides this is")
        edits: list[Edit] = []
        waiting: list[int] = []
        previous = run.start - 1
        for step in run.steps:
            if step.old is None:
                assert step.new is not None
                waiting.append(step.new)
                continue
            edits += self._added(waiting, previous, step.old, run)
            waiting = []
            edits += self._changed(step)
            previous = step.old
        edits += self._added(waiting, previous, run.end, run)
        if all(step.new is None for step in run.steps):
            edits[:1] = [with_blanks(self._m, self._new, run, edits[0])]
        return [edit for edit in edits if self._theirs.text[edit.start : edit.end] != edit.text]

    def _changed(self, step: Step) -> list[Edit]:
        assert step.old is not None
        there = self._m.there.get(step.old)
        if there is None:
            return self._changed_elsewhere(step)
        return self._changed_at(step, there)

    def _changed_elsewhere(self, step: Step) -> list[Edit]:
        """The edits of a row that has no counterpart, wherever else the other side says the same on its own."""
        assert step.old is not None
        row, taken = self._mine.rows[step.old], set(self._m.there.values())
        key = self._m.key(row, self._mine.owners[step.old])
        is_gone = all(each.words != row.words for each in self._new.rows)
        is_telling = step.new is not None and len(key) >= _SAYS_ENOUGH and not is_import(row)
        places = [
            number
            for number, each in enumerate(self._theirs.rows)
            if each.kind == row.kind and number not in taken and self._m.their_key(number) == key
        ]
        if not (is_telling and is_gone and places):
            raise Stop("none", _NOTHING_OPPOSITE)
        return [edit for place in places for edit in self._changed_at(step, place)]

    def _changed_at(self, step: Step, there: int) -> list[Edit]:
        assert step.old is not None
        theirs = self._theirs.rows[there]
        if step.new is not None and step.old not in self._m.exact and self._is_layout(step.old, step.new):
            return []
        if step.new is None:
            if step.old not in self._m.exact:
                raise Stop("unsure", "the row opposite one that went says something else")
            return [Edit(theirs.start, theirs.end, "")]
        indent = self._indent(self._new.rows[step.new].indent, step.old, there)
        merged = Merge(self._m, self._speech, step.old, step.new, there).run(indent)
        if isinstance(merged, Merged) and not merged.is_whole and is_import(theirs):
            raise Stop("unsure", "the import opposite is another one")
        if isinstance(merged, Declined):
            if self._says(step.new) == self._m.their_key(there):
                return []
            raise Stop("unsure", merged.reason)
        self._refuse(merged.foreign)
        self._is_exact &= (step.old in self._m.exact or step.old not in self._m.there) and merged.is_whole
        tail = self._theirs.text[theirs.pieces[-1].end : theirs.end]
        return [Edit(theirs.start, theirs.end, indent + merged.text + tail)]

    def _is_layout(self, old: int, new: int) -> bool:
        """Whether nothing changed but brackets and commas; the other side lays out its own statement itself."""
        rows = (self._mine.rows[old], self._new.rows[new])
        before, after = ([word for word in row.words if word not in _BRACKETS] for row in rows)
        return before == after and rows[0].indent == rows[1].indent

    def _refuse(self, foreign: Iterable[str]) -> None:
        """Stops where a name is neither known over there nor brought in by the run itself."""
        if not self._bound.issuperset(foreign):
            raise Stop("none", "the other side does not know a name")

    def _indent(self, indent: str, mine: int, theirs: int) -> str:
        """The indentation over there of a row that is indented so next to row `mine`, which is `theirs` over there."""
        rows, there = self._mine.rows, self._theirs.rows[theirs].indent
        if indent.startswith(rows[mine].indent):
            return there + indent[len(rows[mine].indent) :]
        if rows[mine].kind == "prose" and len(indent) + len(there) >= len(rows[mine].indent):
            return there[: len(indent) + len(there) - len(rows[mine].indent)]
        for row in range(mine - 1, -1, -1):
            if len(rows[row].indent) <= len(indent) and rows[row].kind == "code":
                if rows[row].indent != indent or row not in self._m.there:
                    break
                found = self._theirs.rows[self._m.there[row]].indent
                if len(found) < len(there):
                    return found
                break
        raise Stop("unsure", "the sides are nested too differently")

    def _says(self, new: int) -> tuple[str, ...]:
        return self._m.key(self._new.rows[new], self._speech.home(new))

    def _added(self, rows: list[int], before: int, after: int, run: Run) -> list[Edit]:
        if not rows:
            return []
        gap = self._gaps.of(before, after, rows, run)
        if gap is None:
            raise Stop("unsure", "the rows around the place are not neighbours on the other side")
        self._is_placed &= gap.is_certain
        keys = [self._says(row) for row in rows]
        if self._is_there(keys, before, after):
            return []
        text = "".join(self._written(row, gap) for row in rows)
        return [close_to(self._m, self._new, after, rows[-1] + 1, Edit(gap.at, gap.at, text))]

    def _written(self, number: int, gap: Gap) -> str:
        row: Row = self._new.rows[number]
        said = self._speech.say(number)
        self._refuse(each.foreign for each in said if each.foreign)
        indent = self._indent(row.indent, gap.mine, gap.theirs)
        body = self._folded(row, said, indent)
        if body is None:
            body = laid_out([(each.gap, each.text, each.is_aligned) for each in said], row.indent, indent)
        return "\n" * row.blanks + indent + body + "\n"

    def _folded(self, row: Row, said: Sequence[Said], indent: str) -> str | None:
        """The new statement as a formatter lays it out; None where none has done so on both sides, and of what is short."""
        if row.kind != "code" or row.end - row.start <= SHORT or self._theirs.width is None:
            return None
        if not is_folded(row, self._mine.width):
            return None
        return folded(flat([(each.gap, each.text) for each in said]), indent, self._theirs.width)

    def _is_there(self, keys: list[tuple[str, ...]], before: int, after: int) -> bool:
        """Whether the other side says all of it already in the same definition."""
        anchor = before if before >= 0 else after
        there = self._m.there.get(anchor)
        if there is None:
            return False
        theirs = Counter(map(self._m.their_key, self._theirs.sections[self._theirs.owners[there]]))
        owner = self._mine.owners[anchor]
        mine = Counter(self._m.key(self._mine.rows[row], owner) for row in self._mine.sections[owner])
        return all(theirs[key] > mine[key] for key in keys)


_NOTHING_OPPOSITE = "nothing stands opposite a row that was changed"
_SAYS_ENOUGH = 4
"""Rows of fewer tokens stand elsewhere by accident."""

_BRACKETS = frozenset("(),")
_PROMPT = (">", ">", ">")
