"""What a reader is told about a verdict, in every format alike."""

from consistency_bot.model import Finding, Place, Verdict, Waived
from consistency_bot.report.links import is_commit

MEANING: dict[Verdict, str] = {
    "missed": "One side changed where the sides agreed before, and the other did not follow.",
    "diverged": "Both sides changed, and not alike.",
    "broken": "A declared rule held before the change, and does not hold now.",
    "unknown": "Something could not be read, so nobody can say whether the sides are in step.",
    "undecided": "It could not be shown that the sides agree, nor that they differ.",
    "one_sided": "One side has something new that nothing on the other side answers to.",
    "repaired": "The sides differed before the change, and agree now.",
    "standing": "The sides differ as they did before the change.",
}
"""What each verdict says, without saying which side is right. In the order in which a reader should look at them."""

NEXT: dict[Verdict, str] = {
    "missed": "make the same change on the other side, or take it back here; which side is right is yours to say.",
    "diverged": "both sides moved, and not alike: compare the two and make them say the same.",
    "one_sided": "nothing on the other side plays this part, so nothing to compare; does the other side need it too?",
    "repaired": "nothing; the sides say the same again.",
    "standing": "nothing for this change; the sides differed before it.",
    "broken": "make the rule hold here again, or change the rule where it no longer says what is meant.",
    "unknown": "cure the reason above and run again: this could not be judged, which is not the same as in step.",
    "undecided": "look at both places: that they agree could not be shown, nor that they differ. It does not block.",
}
"""What a person can do about each verdict, without taking sides."""


NEXT_OF_WAIVERS: dict[Verdict, str] = {
    "broken": "take the waiver out, or give it a later day if its reason still holds.",
    "undecided": "correct the waiver, or take it out; until then it waives nothing.",
    "standing": "take the waiver out, if what it was for is gone.",
}
"""The same for findings about waivers."""


NEXT_OF_SIDES: dict[Verdict, str] = {
    "one_sided": "nothing in the code, if that is meant; see that the rules still say what is.",
    "undecided": "see whether the other side, or the rules, have to change too: it could not be told. It does not block.",
}
"""The same where a whole side is not there, or cannot be looked into."""

_OF_SIDES = frozenset({"file", "symbol", "commit"})
_STATUS = "take the change back, or take the status out of the rules if this side is to live on."
_EXPIRED = "take the twins out of the rules, or give them a later day if they are twins still."
_EXPIRED_RULE = "take the rule out, or give it a later day if its reason still holds."
_EXPIRED_PATCH = "take the patch out of the code and the rules, or give it a later day if it is needed still."


NEXT_OF_PATCHES: dict[Verdict, str] = {
    "broken": "do what the sentence says, or correct the patch's entry in the rules; the registry: consistency-bot patches.",
    "standing": "nothing for this change; it was so before.",
    "repaired": "nothing.",
    "undecided": "make one version of the locked ones, or look yourself whether the patch is needed. It does not block.",
}
"""The same for findings about monkey-patches, which are of no twins."""


def next_step(finding: Finding) -> str:
    """What a person can do about a finding, one that somebody has acknowledged included."""
    if finding.waived is not None:
        return "nothing; it is acknowledged."
    if finding.concept == "status":
        return _STATUS
    if finding.concept == "expires" and finding.twins is not None:
        return _EXPIRED if finding.rule == "bodies" else _EXPIRED_RULE
    if finding.concept == "expires":
        return _EXPIRED_PATCH
    of_waivers = NEXT_OF_WAIVERS.get(finding.verdict) if finding.rule == "waivers" else None
    if finding.rule != "waivers" and finding.twins is None:
        return NEXT_OF_PATCHES.get(finding.verdict) or NEXT[finding.verdict]
    of_sides = NEXT_OF_SIDES.get(finding.verdict) if finding.concept in _OF_SIDES else None
    return of_waivers or of_sides or NEXT[finding.verdict]


def waiver_place(waived: Waived) -> str:
    """Where an acknowledgement stands, as an editor can open it; what it is where it has no place. As hostile as its path."""
    return f"{waived.path}:{waived.line}" if waived.path is not None else f"a {waived.source}"


def subject(finding: Finding) -> str:
    """What a finding is about, in a few words: its concept and the function. As hostile as its parts."""
    place = finding.changed or finding.counterpart
    function = f" in {place.function}" if place is not None and place.function else ""
    return finding.concept.replace("_", " ") + function


def without_places(finding: Finding) -> str:
    """The message for a reader who sees both places right below it, so that it need not name them as well."""
    message = finding.message
    for place in finding.places:
        message = message.replace(f" ({place.path}:{place.line})", "", 1)
    return message


_OF_FILES = frozenset({"file", "test"})
"""Concepts of rules that ask a whole file for something: nobody can say in which line it would go."""


_NEVER_THERE = {"file": "no such file here, nor at base", "symbol": "no such name here, nor at base"}
"""What is said about a thing that the rules file names and neither revision has, by the finding's concept."""


def gap_note(finding: Finding, place: Place) -> str:
    """What a place without lines of its own means."""
    if finding.rule != "bodies":
        if finding.concept in _OF_FILES:
            return "the file as a whole"
        return "nothing here" if finding.verdict == "repaired" else "it would go here"
    if place is finding.changed:
        # Without another place it is about a path or a name that the rules have and neither revision has.
        never = finding.verdict == "undecided" and finding.counterpart is None
        return _NEVER_THERE.get(finding.concept, "no longer here") if never else "no longer here"
    return "it would go here" if finding.verdict == "missed" else "nothing here"


def short(commit: str) -> str:
    """A commit's first digits; `WORKTREE` and `INDEX` as they are."""
    return commit[:12] if is_commit(commit) else commit


RULES_FROM = {
    "base": "of the base commit",
    "head": "of the head commit",
    "worktree": "as it is here",
    "file": "as given",
}
"""Where a rules file was read, as an addition to its path."""
