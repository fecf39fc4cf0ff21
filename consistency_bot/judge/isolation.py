"""Judges what can be judged of two sides when something in them makes the judging fail."""

from collections.abc import Sequence

from consistency_bot.attempts import Failure, attempt
from consistency_bot.judge.bodies import BodiesJudge
from consistency_bot.judge.quads import Quad, SideVersions
from consistency_bot.judge.reading import Unread
from consistency_bot.model import Finding, Twins

_MOST = 8
"""Where more functions than this fail, it is no single function's fault, and none of them is sought out."""


class Isolation:
    """Seeks the functions without which the rest of two sides can be judged, halving what fails."""

    def __init__(self, twins: Twins, a: SideVersions, b: SideVersions) -> None:
        self._twins, self._a, self._b = twins, a, b
        self._failing: dict[int, Failure] = {}

    def judge(self, why: Failure) -> tuple[list[Finding], list[tuple[str, Unread]]]:
        """The findings, and by side what cannot be judged: single functions, or, for `why`, everything."""
        judge = attempt(lambda: BodiesJudge(self._twins, self._a, self._b))
        if not isinstance(judge, Failure):
            numbers = range(len(judge.quads))
            self._seek(numbers)
            rest = self._judge([number for number in numbers if number not in self._failing])
            if not isinstance(rest, Failure) and len(self._failing) <= _MOST:
                return rest, [self._unread(judge.quads[number], each) for number, each in self._failing.items()]
        first = next(iter((*self._a.head, *self._a.base)))
        return [], [(self._a.name, Unread(first.path, 1, why.reason, None, why.where))]

    def _judge(self, numbers: Sequence[int]) -> list[Finding] | Failure:
        def findings() -> list[Finding]:
            judge = BodiesJudge(self._twins, self._a, self._b)
            judge.quads = [judge.quads[number] for number in numbers]
            return list(judge.findings())

        return attempt(findings)

    def _seek(self, numbers: Sequence[int]) -> None:
        if not numbers or len(self._failing) > _MOST:
            return
        found = self._judge(numbers)
        if isinstance(found, Failure):
            if len(numbers) == 1:
                self._failing[numbers[0]] = found
            else:
                middle = len(numbers) // 2
                self._seek(numbers[:middle])
                self._seek(numbers[middle:])

    def _unread(self, quad: Quad, why: Failure) -> tuple[str, Unread]:
        """The function, on the side that changed, at head if it is there."""
        side, (base, head) = (self._a, quad.a) if self._a.has_changed(*quad.a) else (self._b, quad.b)
        definition = head or base
        assert definition is not None
        return side.name, Unread(definition.path, definition.line, why.reason, definition.qualname or None, why.where)
