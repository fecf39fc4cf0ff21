"""What a rules file sees, for people (`rules show`), and what it says about nothing (`rules check`)."""

from collections.abc import Iterable, Iterator, Sequence

from consistency_bot.model import Rules
from consistency_bot.patches.listing import Listing
from consistency_bot.report.patches_text import STATES
from consistency_bot.report.view import View
from consistency_bot.report.wording import RULES_FROM
from consistency_bot.survey.notices import Notice
from consistency_bot.survey.seen import FileSeen, RuleSeen, TwinsSeen
from consistency_bot.visible import visible


def render_seen(rules: Rules, seen: Iterable[TwinsSeen], patches: Listing, view: View) -> str:
    """Twins, sides, files and functions, what each rule reads, and the state of each patch."""
    blocks = [view.paint(_source(rules), "dim")]
    blocks += ["\n".join(_twins(each, view)) for each in seen]
    if patches.states:
        lines = (f"  {visible(each.patch.id)}: {view.paint(*STATES[each.state])}" for each in patches.states)
        blocks.append("\n".join([view.paint("patches", "strong"), *lines]))
    return "\n\n".join(blocks) + "\n"


def render_notices(rules: Rules, notices: Sequence[Notice]) -> str:
    """A line that all is well with the file, then one for each notice, as located as a mistake."""
    sections = (
        (len(rules.twins), "twins", "twins"),
        (len(rules.declared), "rule", "rules"),
        (len(rules.patches), "patch", "patches"),
        (len(rules.waivers), "waiver", "waivers"),
    )
    counted = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in sections if count)
    lines = [f"{_source(rules)}: no mistakes; {counted or 'nothing to check'}"]
    path = visible(rules.source.path)
    lines += [f"{path}:{each.line}: notice: {visible(each.subject)}: {visible(each.what)}" for each in notices]
    return "\n".join(lines) + "\n"


def _source(rules: Rules) -> str:
    return f"{visible(rules.source.path)} {RULES_FROM[rules.source.from_]}"


def _twins(seen: TwinsSeen, view: View) -> Iterator[str]:
    twins = seen.twins
    ended = [f"{word}: {side}" for word, side in (("frozen", twins.frozen), ("retired", twins.retired)) if side]
    marks = [*([twins.mode] if twins.mode != "block" else []), *map(visible, ended)]
    yield view.paint(visible(f"twins {twins.id}"), "strong") + (f" ({', '.join(marks)})" if marks else "")
    if twins.why:
        yield f"  {visible(twins.why)}"
    for name, files in seen.sides:
        yield f"  {visible(name)}:{'' if files else ' no file here'}"
        for file in files:
            yield from _file(file)
    for each in seen.rules:
        yield from _rule(each, view)


def _file(file: FileSeen) -> Iterator[str]:
    yield f"    {visible(file.path)}"
    for name, line in file.functions:
        yield f"      {visible(name)}:{line}"


def _rule(seen: RuleSeen, view: View) -> Iterator[str]:
    rule = seen.rule
    mode = f", {rule.mode}" if rule.mode != "block" else ""
    yield f"  {view.paint(visible(f'rule {rule.id}'), 'strong')} ({rule.check}{mode})"
    for name, lines in seen.sides:
        yield f"    {visible(name)}:{'' if lines else ' nothing'}"
        for line in lines:
            yield from (f"      {visible(part)}" for part in line.split("\n"))
