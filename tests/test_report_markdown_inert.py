"""Nothing that a repository holds can act in the comment, as two renderers of GitHub's markdown read it.

cmark-gfm is the library that GitHub itself renders with; here it lets HTML through, so that a tag would show.
"""

import html
import re
from collections.abc import Callable
from html.parser import HTMLParser

import cmarkgfm  # type: ignore[import-untyped]
import pytest
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from payloads import PAYLOADS, report_of

from consistency_bot.report import Links, View, render
from consistency_bot.report.inert import cell_code, code, fenced, prose, sentence
from consistency_bot.visible import visible

LINKS = Links("https://github.com/owner/name", "a" * 40)
NO_WIDTH = "\u200b"


def by_cmark(markdown: str) -> str:
    # Written as it goes to GitHub: what UTF-8 cannot hold would be an error here.
    return str(cmarkgfm.github_flavored_markdown_to_html(markdown.encode().decode(), options=Options.CMARK_OPT_UNSAFE))


def by_markdown_it(markdown: str) -> str:
    return str(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown))


# Texts of what means something in markdown, far denser than chance would make them.
_SIGNS = [
    *"`*_[]()<>!#|~$&;:@/.,+-=^1ax \\\n\t\"'",
    "://",
    "http",
    "www.",
    "a.b",
    "<!--",
    "-->",
    "``",
    "    ",
    "&lt;",
    "mailto:",
]
SIGNS = st.lists(st.sampled_from(_SIGNS), max_size=30).map("".join)
RENDERERS = [by_cmark, by_markdown_it]


class Page(HTMLParser):
    """What a browser would see: tags in order, addresses, comments, and the words that are not code or links."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[tuple[str, str | None]] = set()
        self.addresses: list[str] = []
        self.comments: list[str] = []
        self.words = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "href":
                self.addresses.append(value or "")
            else:
                self.attributes.add((name, value))
        if tag in ("code", "pre", "a"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_decl(self, decl: str) -> None:
        self.comments.append(decl)

    def handle_pi(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        if not self._open:
            self.words += data

    @property
    def frame(self) -> list[str]:
        """The tags but for code in a line, and the ones that keep a dollar sign from opening a formula."""
        return [tag for tag in self.tags if tag.lstrip("/") not in ("code", "span")]


TAGS = frozenset(
    "h3 h4 p table thead tbody tr th td pre code a strong sub details summary span".split()
)  # what the comment is made of; `span` keeps a dollar from opening a formula
LANGUAGES = ("python", "text", "diff")
ATTRIBUTES = {
    ("valign", "top"),
    *(("lang", each) for each in LANGUAGES),
    *(("class", f"language-{each}") for each in LANGUAGES),
}


@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize("links", [None, LINKS], ids=["code", "links"])
@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_text_shows_and_does_nothing(text: str, links: Links | None, renderer: Callable[[str], str]) -> None:
    view = View(lambda _: (text, text), links=links)
    markdown = render(report_of(text), "markdown", view)
    page = Page(renderer(markdown))
    assert {tag.lstrip("/") for tag in page.tags} <= TAGS
    assert page.attributes <= ATTRIBUTES
    assert not page.comments
    assert all(address.startswith("https://github.com/owner/name/") for address in page.addresses)
    assert bool(page.addresses) == (links is not None)
    # What GitHub would make a link of afterwards, and what would start a formula or an emoji.
    assert not re.search(r"@\w|#\d|(?i:\bgh-\d)|://|\bwww\.|:[\w+-]+:", page.words)
    assert all(char.isprintable() or char in f"\n{NO_WIDTH}" for char in html.unescape(markdown))


@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_comment_has_the_frame_of_one_made_of_plain_words(text: str, renderer: Callable[[str], str]) -> None:
    """No cell, row, paragraph, heading or link more or less, whatever the texts hold."""
    plain = "x" * max(1, len(visible(text))) if text.split() else text
    views = [View(lambda _, line=each: (line, line), links=LINKS) for each in (text, plain)]  # type: ignore[misc]
    hostile, harmless = (
        Page(renderer(render(report_of(each), "markdown", view)))
        for each, view in zip((text, plain), views, strict=True)
    )
    assert hostile.frame == harmless.frame


@given(st.text(max_size=20) | SIGNS)
def test_code_shows_the_very_text(text: str) -> None:
    shown = visible(text)
    expected = f"<p><code>{html.escape(shown)}</code></p>\n"
    if shown.strip():
        assert html.unescape(by_cmark(code(text))) == html.unescape(expected)
        assert html.unescape(by_markdown_it(code(text))) == html.unescape(expected)
    else:
        assert code(text) in ("(empty)", "(blank)")


@given(st.text(max_size=150), SIGNS)
def test_a_cell_stays_one_cell(text: str, signs: str) -> None:
    for each in (text, signs):
        for renderer in RENDERERS:
            page = Page(renderer(f"| a | b |\n|---|---|\n| {cell_code(each)} | {cell_code(each)} |"))
            assert page.tags.count("td") == 2
            assert page.tags.count("tr") == 2
            assert set(page.tags) <= {*"table thead tbody tr th td code".split()} | {
                *"/table /thead /tbody /tr /th /td /code".split()
            }


@given(st.text(max_size=150) | SIGNS)
def test_prose_shows_the_words_and_nothing_but_words(text: str) -> None:
    for renderer in RENDERERS:
        page = Page(renderer(f"{prose(text)}"))
        assert {tag.lstrip("/") for tag in page.tags} <= {"p", "span"}
        assert page.words.strip().replace(NO_WIDTH, "") == visible(" ".join(text.split()))
        assert not page.comments


@given(st.text(max_size=80), SIGNS)
def test_a_sentence_is_words_and_code(text: str, signs: str) -> None:
    for message in (f"v1 has `{text}` in `{signs}`; v2 {signs}.", signs + text, f"``{signs}``{text}`"):
        for renderer in RENDERERS:
            page = Page(renderer(f"v: {sentence(message)}"))
            assert {tag.lstrip("/") for tag in page.tags} <= {"p", "span", "code"}
            assert not page.comments


@given(st.lists(st.text(alphabet="`~ x<>\\|", max_size=20).map(visible), max_size=4))
def test_a_block_of_code_ends_where_it_should(rows: list[str]) -> None:
    for renderer in RENDERERS:
        page = Page(renderer(f"{fenced(rows, 'python')}\n\nafter"))
        assert page.tags == ["pre", "code", "/code", "/pre", "p", "/p"]
        assert page.words.strip() == "after"


def test_a_message_keeps_its_code_as_code() -> None:
    page = by_cmark(sentence("v2 now has the call `f(a_b, *c)` in `C.__init__`; v1 has no such thing in the module."))
    assert page == (
        "<p>v2 now has the call <code>f(a_b, *c)</code> in <code>C.__init__</code>;"
        " v1 has no such thing in the module.</p>\n"
    )


def test_two_pieces_of_code_in_a_row_stay_two() -> None:
    assert by_cmark(sentence("`a``b`")) == "<p><code>a</code> <code>b</code></p>\n"
