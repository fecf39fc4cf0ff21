"""Waivers: what they waive, what they do not, and what is said about one that does not count."""

from datetime import date

import pytest
from memory_tree import change_between, rules_from

from consistency_bot.check import check_change
from consistency_bot.concepts import CONCEPTS
from consistency_bot.model import Finding, Report, Rules, Waived

CODE = """\
def send(data, limit):
    check(limit)
    if limit > 1:
        raise ValueError(limit)
    push(data, flush=True, limit=limit)
    return limit


@traced
def close(socket):
    socket.shutdown()
    socket.close()
"""
COMMENT = "# consistency: differs(bodies) The other has no limit."
TWINS = "version: 1\ntwins:\n  - {id: clients, sides: {a: a.py, b: b.py}}\n"


def edited(*pairs: str, text: str = CODE) -> str:
    """The code with every other text of `pairs` replaced by the next."""
    for before, after in zip(pairs[::2], pairs[1::2], strict=True):
        assert before in text
        text = text.replace(before, after)
    return text


def report(a: str, b: str, waivers: str = "", *, base: tuple[str, str] = (CODE, CODE), **others: object) -> Report:
    """The report on a change to sides `a` and `b`, with `waivers` in the rules file, one a line."""
    before, after = ({"a.py": one.encode(), "b.py": two.encode()} for one, two in (base, (a, b)))
    change = change_between(before, after)
    rules = rules_with(waivers, str(others.pop("twins", TWINS)))
    return check_change(rules, change, **others)  # type: ignore[arg-type]


def rules_with(waivers: str, twins: str = TWINS) -> Rules:
    section = "waivers:\n" + "".join(f"  - {line}\n" for line in waivers.splitlines()) if waivers else ""
    return rules_from(twins + section)


def waived(found: Report) -> list[Finding]:
    return [each for each in found.findings if each.waived is not None]


def about_waivers(found: Report) -> list[tuple[str, bool, str]]:
    return [(each.verdict, each.blocks, each.message) for each in found.findings if each.rule == "waivers"]


WIDENED = edited("limit > 1:", "limit > 1 and data:")


# In the code -------------------------------------------------------------------------------------------------------


def test_a_waived_finding_stays_in_the_report_and_does_not_block() -> None:
    plain = report(WIDENED, CODE)
    assert plain.conclusion == "drift"
    waiver = "# consistency: differs(guard) The other has no data."
    found = report(edited("    if limit", f"    {waiver}\n    if limit", text=WIDENED), CODE)
    assert found.conclusion == "in_step"
    (finding,) = found.findings
    assert finding.fingerprint == plain.findings[0].fingerprint
    assert (finding.verdict, finding.blocks) == ("missed", False)
    assert finding.waived == Waived(
        "code", "", "The other has no data.", "a.py", 3, added_by_head=True, would_block=True
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (edited("data:", f"data:  {COMMENT}", text=WIDENED), CODE),
        (edited("    if", f"    {COMMENT}\n    if", text=WIDENED), CODE),
        (WIDENED, edited("1:", f"1:  {COMMENT}")),
        (WIDENED, edited("    if", f"    {COMMENT}\n    if")),
    ],
    ids=["behind the changed line", "above it", "behind the line on the other side", "above that"],
)
def test_a_comment_counts_on_either_side_at_the_line_or_above_it(a: str, b: str) -> None:
    found = report(a, b)
    assert [each.verdict for each in waived(found)] == ["missed"]
    assert found.conclusion == "in_step"


LOST_CALL = edited("    check(limit)\n", "")
LOST_ARGUMENT = edited(", flush=True", "")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (edited("limit):\n", f"limit):\n    {COMMENT}\n", text=LOST_CALL), CODE),
        (LOST_CALL, edited("check(limit)", f"check(limit)  {COMMENT}")),
        (edited("limit=limit)", f"limit=limit)  {COMMENT}", text=LOST_ARGUMENT), CODE),
        (edited("    push", f"    {COMMENT}\n    push", text=LOST_ARGUMENT), CODE),
        (LOST_ARGUMENT, edited("    push", f"    {COMMENT}\n    push")),
        (edited("@traced", f"{COMMENT}\n@measured"), CODE),
        (edited("(socket):", f"(socket, *, force=False):  {COMMENT}"), CODE),
        (edited("@traced", f"{COMMENT}\n@traced", "(socket):", "(socket, *, force=False):"), CODE),
        (edited("(data, flush=True, limit=limit)", f"(\n  data,\n  flush=False,  {COMMENT}\n  limit=limit,\n)"), CODE),
        (edited("(data, flush=True, limit=limit)", f"(\n  data,\n  flush=False,\n  limit=limit,\n)  {COMMENT}"), CODE),
        (WIDENED.replace("limit > 1 and data", f"(\n  limit > 1\n  and data  {COMMENT}\n)"), CODE),
    ],
    ids=[
        "in the gap that a call left",
        "at the call that stayed",
        "behind the call that lost an argument",
        "above it",
        "above the other call",
        "above a decorator",
        "behind a signature",
        "above the decorator of a function with another signature",
        "behind an argument on a line of its own",
        "behind the end of its call",
        "inside a condition",
    ],
)
def test_a_comment_counts_where_a_reader_would_write_it(a: str, b: str) -> None:
    found = report(a, b)
    assert waived(found)
    assert not [each for each in found.findings if each.blocks]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (edited("    check", f"    {COMMENT}\n    check", text=WIDENED), CODE),
        (edited("ValueError(limit)", f"ValueError(limit)  {COMMENT}", text=WIDENED), CODE),
        (edited("def send", f"{COMMENT}\ndef send", text=WIDENED), CODE),
        (edited("    if", f"    {COMMENT}\n\n    if", text=WIDENED), CODE),
        (
            edited("    check", f"    x = '{COMMENT}'\n    check", text=WIDENED),
            edited("    check", "    x = 1\n    check"),
        ),
    ],
    ids=[
        "above the line before",
        "behind the line after",
        "above the function",
        "an empty line between",
        "in a string",
    ],
)
def test_a_comment_elsewhere_waives_nothing(a: str, b: str) -> None:
    found = report(a, b)
    assert not waived(found)
    assert found.conclusion == "drift"


@pytest.mark.parametrize(
    "name",
    ["bodies", "clients", "guard", "GUARD", "call, guard", "call,guard,", "`guard`", "guard, no-such-thing-but-listed"],
)
def test_a_comment_names_the_rule_the_twins_or_the_concept(name: str) -> None:
    comment = f"# consistency: differs({name}) Why not."
    found = report(edited("    if", f"    {comment}\n    if", text=WIDENED), CODE)
    assert bool(waived(found)) == ("no-such" not in name)


def test_a_concept_of_two_words_has_three_spellings() -> None:
    assert {"base class", "while_statement"} <= set(CONCEPTS)
    code = edited("    return limit", "    sum += limit\n    return limit")
    lost = edited("    sum += limit\n", "", text=code)
    for name in ("augmented assignment", "augmented_assignment", "augmented-assignment"):
        comment = f"  # consistency: differs({name}) Why not."
        found = report(lost, edited("sum += limit", f"sum += limit{comment}", text=code), base=(code, code))
        assert len(waived(found)) == 1


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("# consistency: differs(guard) why", "why"),
        ("# consistency: differs(guard): why", "why"),
        ("# consistency: differs(guard) - why, see #12", "why, see #12"),
        ("# consistency: differs(guard) why  # noqa: E501", "why"),
        ("# noqa: E501  # consistency: differs(guard) why", "why"),
        ("#consistency:differs( guard )why", "why"),
        ("# Consistency: Differs (guard) why", "why"),
    ],
)
def test_a_reason_is_what_stands_behind_the_names(comment: str, reason: str) -> None:
    found = report(edited("    if", f"    {comment}\n    if", text=WIDENED), CODE)
    assert [each.waived.reason for each in waived(found) if each.waived] == [reason]


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("differs(guard)", "it gives no reason"),
        ("differs(guard) …", "it gives no reason"),
        ("differs() why", "it names nothing"),
        ("differs(,)", "it names nothing, and it gives no reason"),
        ("differs guard why", "it names nothing"),
        ("differs(gaurd) why", "there is no rule, twins or concept `gaurd` (did you mean `guard`?)"),
        ("differs(client) why", "there is no rule, twins or concept `client` (did you mean `clients`?)"),
        ("differs(guard, xyz)", "there is no rule, twins or concept `xyz`, and it gives no reason"),
        ("ignore[guard] why", "it names nothing"),
        ("ignore", "it names nothing"),
        ("difers(guard) why", "it names nothing"),
        ("differs(" + "guard, " * 11 + ") why", "it names more than 10 things"),
    ],
)
def test_a_comment_that_means_to_waive_and_does_not_is_told_and_the_finding_blocks(comment: str, said: str) -> None:
    found = report(edited("    if", f"    # consistency: {comment}\n    if", text=WIDENED), CODE)
    assert not waived(found)
    assert found.conclusion == "drift"
    ((verdict, blocks, message),) = about_waivers(found)
    assert (verdict, blocks) == ("undecided", False)
    assert f" (a.py:3) is not taken: {said}; it takes: `# consistency: differs(NAME) reason`." in message
    assert found.findings[-1].changed is not None
    assert (found.findings[-1].changed.side, found.findings[-1].changed.line) == ("a", 3)


@pytest.mark.parametrize(
    "prose", ["we keep both in the same order (roughly)", "the two differ (see above)", "", "differs", "see [1]"]
)
def test_prose_about_consistency_is_no_waiver(prose: str) -> None:
    found = report(edited("    if", f"    # consistency: {prose}\n    if", text=WIDENED), CODE)
    assert bool(about_waivers(found)) == (prose == "differs")


def test_an_old_malformed_comment_is_told_where_it_matters_and_with_all() -> None:
    bad = "# consistency: differs(gaurd) Why."
    there, elsewhere = (edited(f"    {word}", f"    {bad}\n    {word}") for word in ("if", "return"))
    assert about_waivers(report(edited("1:", "1 and data:", text=there), CODE, base=(there, CODE)))
    moved = edited("1:", "1 and data:", text=elsewhere)
    assert not about_waivers(report(moved, CODE, base=(elsewhere, CODE)))
    assert len(about_waivers(report(moved, CODE, base=(elsewhere, CODE), show_standing=True))) == 1
    assert not about_waivers(
        report(edited("return", "# A line.\n    return", text=elsewhere), CODE, base=(elsewhere, CODE))
    )


def test_a_new_comment_that_names_something_else_than_what_is_found_there_is_told() -> None:
    waiver = "# consistency: differs(call) Why not."
    with_waiver = edited("    if", f"    {waiver}\n    if")
    found = report(edited("1:", "1 and data:", text=with_waiver), CODE)
    ((verdict, blocks, message),) = about_waivers(found)
    assert (verdict, blocks) == ("undecided", False)
    assert "names something else than `guard` (rule `bodies`, twins `clients`)" in message
    old = report(edited("1:", "1 and data:", text=with_waiver), CODE, base=(with_waiver, CODE))
    assert not about_waivers(old)  # it may be about something that differed before


def test_a_comment_does_not_become_new_when_the_code_beside_it_changes() -> None:
    with_waiver = edited("1:", f"1:  {COMMENT}")
    moved = edited("    if limit > 1", "    if limit > 1 and data", text=with_waiver)
    (finding,) = waived(report("\n\n" + moved, CODE, base=(with_waiver, CODE)))
    assert finding.waived is not None
    assert not finding.waived.added_by_head


def test_of_several_waivers_the_one_that_the_change_does_not_bring_counts() -> None:
    a = edited("1:", f"1 and data:  {COMMENT}")
    found = report(a, CODE, "{rule: guard, where: a.py, reason: In the rules., by: ada}")
    (finding,) = waived(found)
    assert finding.waived == Waived("rules", "ada", "In the rules.", "rules.yaml", 5, would_block=True)
    old = edited("    if", f"    {COMMENT}\n    if")
    (finding,) = waived(report(a, old, base=(CODE, old)))
    assert finding.waived is not None
    assert (finding.waived.path, finding.waived.added_by_head) == ("b.py", False)


def test_a_finding_that_did_not_block_is_waived_all_the_same() -> None:
    new = "\n\ndef more(limit):\n    return limit + 1\n"
    (finding,) = waived(report(CODE + edited("def more", f"{COMMENT}\ndef more", text=new), CODE))
    assert finding.verdict == "one_sided"
    assert finding.waived is not None
    assert not finding.waived.would_block


def test_sides_that_come_together_leave_a_waiver_with_nothing_to_waive() -> None:
    a = edited("1:", f"1 and data:  {COMMENT}")
    found = report(a, WIDENED, base=(a, CODE), show_standing=True)
    assert [each.verdict for each in found.findings if each.rule == "bodies"] == ["repaired"]
    assert not waived(found)
    assert [verdict for verdict, _, _ in about_waivers(found)] == ["standing"]


# In the rules file -------------------------------------------------------------------------------------------------


def test_a_fingerprint_waives_its_finding_and_eight_digits_are_enough() -> None:
    name = report(WIDENED, CODE).findings[0].fingerprint
    for digits in (name, name[:8], name[:11].upper()):
        found = report(WIDENED, CODE, f'{{finding: "{digits}", reason: Why not., by: ada}}')
        assert [each.waived for each in found.findings] == [
            Waived("rules", "ada", "Why not.", "rules.yaml", 5, would_block=True)
        ]
        assert found.conclusion == "in_step"


def test_a_fingerprint_lapses_when_something_else_is_said() -> None:
    name = report(WIDENED, CODE).findings[0].fingerprint
    found = report(edited("limit > 1", "limit > 1 and not data"), CODE, f'{{finding: "{name}", reason: Why not.}}')
    assert not waived(found)


def test_digits_that_begin_two_fingerprints_waive_neither_and_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from consistency_bot.judge import bodies

    ends = iter(["aaaa", "bbbb"])
    monkeypatch.setattr(bodies, "fingerprint", lambda said: "0123456789ab" + next(ends))
    both = edited("limit > 1", "limit > 1 and data", "socket.shutdown()", "socket.abort()")
    found = report(both, CODE, "{finding: 0123456789, reason: Why not.}")
    assert not waived(found)
    said = "2 findings begin with these digits: 0123456789abaaaa, 0123456789abbbbb."
    message = f"The waiver of finding 0123456789 (rules.yaml:5) is not taken: {said}"
    assert about_waivers(found) == [("undecided", False, message)]


@pytest.mark.parametrize(
    ("where", "counts"),
    [
        ("a.py", True),
        ("b.py", True),
        ("*.py", True),
        ("**", True),
        ("c.py", False),
        ("a.py::send", True),
        ("b.py::send", True),
        ("a.py::close", False),
        ("a.py::sen", False),
    ],
)
def test_a_place_is_a_path_or_a_function_in_it(where: str, counts: bool) -> None:
    found = report(WIDENED, CODE, f'{{rule: bodies, where: "{where}", reason: Why not.}}')
    assert bool(waived(found)) == counts


def test_a_class_stands_for_its_methods() -> None:
    classy = "class Client:\n" + "".join(f"    {line}\n" for line in CODE.splitlines())
    moved = edited("limit > 1", "limit > 1 and data", text=classy)
    for where, counts in (("a.py::Client", True), ("a.py::Client.send", True), ("a.py::send", False)):
        found = report(moved, classy, f'{{rule: guard, where: "{where}", reason: Why.}}', base=(classy, classy))
        assert bool(waived(found)) == counts


@pytest.mark.parametrize(("name", "counts"), [("bodies", True), ("clients", True), ("guard", True), ("call", False)])
def test_a_name_is_a_rule_twins_or_a_concept(name: str, counts: bool) -> None:
    assert bool(waived(report(WIDENED, CODE, f"{{rule: {name}, where: a.py, reason: Why not.}}"))) == counts


def test_what_cannot_be_read_is_waived_by_its_fingerprint_alone() -> None:
    broken = CODE + "def f(:\n"
    waivers = "{rule: bodies, where: a.py, reason: Why not.}\n{rule: file, where: a.py, reason: Why not.}"
    found = report(broken + COMMENT + "\n", CODE, waivers)
    assert found.conclusion == "unknown"
    name = found.findings[0].fingerprint
    found = report(broken, CODE, f'{{finding: "{name}", reason: It is a template.}}')
    assert (found.conclusion, [each.blocks for each in found.findings]) == ("in_step", [False])


# Expired and unused ------------------------------------------------------------------------------------------------

EXPIRING = "{rule: guard, where: a.py, reason: Why not., by: ada, expires: 2026-06-30}"


def test_a_waiver_counts_until_the_end_of_its_last_day() -> None:
    for today in (None, date(2026, 6, 29), date(2026, 6, 30)):
        found = report(WIDENED, CODE, EXPIRING, today=today)
        assert (len(waived(found)), about_waivers(found)) == (1, [])


@pytest.mark.parametrize(("mode", "blocks"), [("block", True), ("warn", False)])
def test_an_expired_waiver_waives_nothing_and_is_told_by_the_mode_of_its_twins(mode: str, blocks: bool) -> None:
    twins = TWINS.replace("}}", "}, mode: " + mode + "}")
    found = report(WIDENED, CODE, EXPIRING, today=date(2026, 7, 1), twins=twins)
    assert not waived(found)
    message = (
        "The waiver by ada of `guard` in a.py (rules.yaml:5) expired after 2026-06-30 and waives nothing any more."
    )
    assert about_waivers(found) == [("broken", blocks, message)]
    assert found.findings[-1].twins == "clients"
    assert [each.blocks for each in found.findings] == [blocks, blocks]


def test_an_expired_waiver_is_told_without_a_finding_and_only_where_its_twins_are_checked() -> None:
    in_step = report(WIDENED, WIDENED, EXPIRING, today=date(2026, 7, 1))
    assert [each.verdict for each in in_step.findings] == ["broken"]
    assert in_step.conclusion == "drift"
    assert not report(CODE, CODE, EXPIRING, today=date(2026, 7, 1)).findings
    elsewhere = EXPIRING.replace("a.py", "c.py")
    assert not report(WIDENED, WIDENED, elsewhere, today=date(2026, 7, 1)).findings
    by_name = "{finding: 0123456789, reason: Why not., expires: 2026-06-30}"
    assert len(report(WIDENED, WIDENED, by_name, today=date(2026, 7, 1)).findings) == 1


def test_a_waiver_that_matches_nothing_is_listed_with_all_alone() -> None:
    waivers = "{rule: call, where: a.py, reason: Why.}\n{finding: 0123456789, reason: Why.}"
    a = edited("    check", "    # consistency: differs(call) Why.\n    check", "1:", f"1 and data:  {COMMENT}")
    assert not about_waivers(report(a, CODE, waivers, base=(edited("1 and data:", "1:", text=a), CODE)))
    found = report(a, CODE, waivers, show_standing=True)
    assert [
        (verdict, blocks, message.partition(" matches")[0]) for verdict, blocks, message in about_waivers(found)
    ] == [
        ("standing", False, "The waiver of `call` in a.py (rules.yaml:5)"),
        ("standing", False, "The waiver of finding 0123456789 (rules.yaml:6)"),
        ("standing", False, "The waiver `# consistency: differs(call) Why.` (a.py:2)"),
    ]
    assert found.conclusion == "in_step"


@pytest.mark.parametrize(
    "b", [CODE, edited("    check(limit)\n", "")], ids=["another guard", "a call that is not there"]
)
def test_a_waiver_of_what_differed_before_is_not_unused(b: str) -> None:
    names = "guard, call"
    old = edited("    check", f"    # consistency: differs({names}) Why.\n    check", "1:", f"1 and data:  {COMMENT}")
    if b == CODE:
        old = edited(f"    # consistency: differs({names}) Why.\n", "", text=old)
    new = edited("close()", "close(1)", text=old), edited("close()", "close(1)", text=b)
    found = report(*new, "{rule: guard, where: 'a.py::send', reason: Why.}", base=(old, b), show_standing=True)
    assert about_waivers(found) == []


def test_a_gap_of_before_is_known_too() -> None:
    lost = edited("    check(limit)\n", f"    {COMMENT}\n")
    new = edited("close()", "close(1)", text=lost), edited("close()", "close(1)")
    assert about_waivers(report(*new, base=(lost, CODE), show_standing=True)) == []


def test_nothing_is_said_about_waivers_of_twins_that_were_not_checked() -> None:
    twins = TWINS + "  - {id: others, sides: {c: 'more/*.py', d: d.py}}\n"
    waivers = "\n".join(
        f"{{rule: bodies, where: '{where}', reason: Why.}}" for where in ("more/c.py", "d.py", "*/x*.py")
    )
    assert about_waivers(report(WIDENED, WIDENED, waivers, twins=twins, show_standing=True)) == []
    typing_error = "{rule: bodies, where: e.py, reason: Why.}"
    assert len(about_waivers(report(WIDENED, WIDENED, typing_error, twins=twins, show_standing=True))) == 1


@pytest.mark.parametrize("mode", ["block", "off"])
def test_a_waiver_in_a_file_that_belongs_to_unchecked_twins_too_may_be_theirs(mode: str) -> None:
    def unused(side: str) -> int:
        twins = TWINS + f"  - {{id: others, sides: {{b: {side}, c: c.py}}, mode: {mode}}}\n"
        b = edited("    check", "    # consistency: differs(call) Why.\n    check")
        before = {"a.py": CODE.encode(), "b.py": b.encode(), "c.py": CODE.encode()}
        change = change_between(before, before | {"a.py": edited("close()", "close(1)").encode()})
        return len(about_waivers(check_change(rules_with("", twins), change, show_standing=True)))

    assert unused("d.py") == 1
    assert unused("b.py") == unused("'b*.py'") == 0


def test_of_three_sides_only_compared_ones_have_unused_waivers() -> None:
    def three(a: str, c: str, comment_in: str) -> Report:
        sides = "version: 1\ntwins:\n  - {id: clients, sides: {a: a.py, b: b.py, c: c.py}}\n"
        texts = {"a.py": a, "b.py": CODE, "c.py": c}
        texts[comment_in] = edited("    check", f"    {COMMENT}\n    check", text=texts[comment_in])
        before = {path: text.encode() for path, text in texts.items()}
        after = before | {"a.py": edited("socket.close()", "socket.close(1)", text=texts["a.py"]).encode()}
        return check_change(rules_with("", sides), change_between(before, after), show_standing=True)

    assert about_waivers(three(CODE, CODE, "c.py")) == []
    assert len(about_waivers(three(CODE, CODE, "a.py"))) == 1


def test_findings_about_waivers_have_fingerprints_of_their_own_that_survive_moved_lines() -> None:
    bad = "    # consistency: differs(gaurd) Why.\n"
    a = edited("    if", f"{bad}    if", "    push", f"{bad}    push", "1:", "1 and data:")
    first, second = ([each.fingerprint for each in report(text, CODE).findings] for text in (a, "\n\n" + a))
    assert first == second
    assert len(set(first)) == 3


def test_hostile_comments_are_text_and_nothing_else() -> None:
    evil = "# consistency: differs(\x1b[31m\u202e`|<b>@x) \x1b[0m\u202e"
    found = report(edited("    if", f"    {evil}\n    if", text=WIDENED), CODE)
    assert found.conclusion == "drift"
    assert len(about_waivers(found)) == 1
    long = "# consistency: differs(" + "x" * 100_000 + ") " + "y" * 100_000
    found = report(edited("    if", f"    {long}\n    if", text=WIDENED), CODE)
    assert len(found.findings[-1].message) < 1_000


def test_every_concept_of_a_unit_can_be_named() -> None:
    from consistency_bot.judge.sentences import CONCEPTS as SAID
    from consistency_bot.syntax import Readings, Source

    text = b"""
@d
class A(B):
    X = 1
    def f(self, a, b=1):
        async with a as b: yield 1
        for i in x:
            break
        while x: continue
        try: pass
        except E: del z
        finally: y += 1
        if a: raise
        if b: return [1, 2, 3]
        f(a=1, **{"b": 2, c: 3})
        match x:
            case 1: a == b
        def g(): nonlocal q
"""
    units = [unit for each in Source("a.py", text, Readings()).definitions for unit in each.units]
    spoken = {SAID.get(unit.concept, unit.concept) for unit in units}
    spoken |= {"constant", "function", "file", "import", "nesting", "await", "order"}  # of what stands around units
    spoken |= {"line", "comment", "docstring", "commit", "symbol", "expires"}  # of other files, and of whole sides
    of_rules = {"config_key", "environment", "patch", "patch_call", "pattern", "sdpa_backends", "status", "test"}
    assert spoken | of_rules == set(CONCEPTS)


def test_a_file_that_is_not_text_has_no_waivers_and_breaks_nothing() -> None:
    before = {"a.py": CODE.encode(), "b.py": CODE.encode()}
    after = before | {"a.py": f"{COMMENT}\nx = '\xff'\n".encode("latin-1")}
    waivers = "{rule: call, where: b.py, reason: Why.}"
    for show_standing in (False, True):
        found = check_change(rules_with(waivers), change_between(before, after), show_standing)
        assert [each.verdict for each in found.findings] == ["unknown"]  # and of what nobody compared nothing is unused
        assert found.conclusion == "unknown"
