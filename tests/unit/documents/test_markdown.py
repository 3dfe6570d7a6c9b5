"""Sections of Markdown: heading paths, anchors, and blocks as they were written."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler

from rich_agent.documents.extract import markdown
from rich_agent.documents.extract.markdown import (
    Block,
    Section,
    leading_heading,
    markdown_sections,
    split_front_matter,
    text_sections,
    top_headings,
)

LINES = st.sampled_from(
    [
        *("# One", "## Two *em*", "### 三つ", "#", "words", "日本語。", "- item"),
        *(
            "  - deeper",
            "1. first",
            "> quoted",
            "```",
            "~~~py",
            "| a | b |",
            "| - | - |",
            "    code",
        ),
        *("", "", "***", "<div>html</div>", "&amp; [a](https://example.com)"),
    ]
)


def sections_of(markdown: str) -> list[Section]:
    """Sections with GitHub's anchors."""
    return markdown_sections(markdown, slugs=True)


def texts_of(markdown: str) -> list[tuple[str, str]]:
    """Kind and text of each block."""
    return [(block.kind, block.text) for part in sections_of(markdown) for block in part.blocks]


@pytest.mark.req("RAG-3")
def test_sections_have_the_path_of_their_headings() -> None:
    """A heading closes those of its level and below; one that is left out leaves no gap."""
    markdown = "Lead.\n\n# A\n\na\n\n### C\n\nc\n\n## B\n\nb\n\nUnderlined\n===\n\nd"
    assert [(part.path, part.anchor) for part in sections_of(markdown)] == [
        ((), ""),
        (("A",), "a"),
        (("A", "C"), "c"),
        (("A", "B"), "b"),
        (("Underlined",), "underlined"),
    ]


def test_sections_without_text_are_left_out() -> None:
    """A heading that only holds others is in their paths and nowhere else."""
    assert [part.path for part in sections_of("# A\n\n## B\n\n### C\n\nWords.\n\n## D\n")] == [
        ("A", "B", "C")
    ]
    assert sections_of("") == sections_of("# Only a heading") == []


def test_bare_headings_are_blocks_where_asked_for() -> None:
    """As those of an agenda; one that holds others, or has no words, is none."""
    markdown = "# Agenda\n\n## Budget\n\n#\n\n# Staff\n\n## Leave\n\nText.\n\n# End {#e}\n"
    sections = markdown_sections(markdown, slugs=False, bare_headings=True)
    assert [(part.path, part.anchor, part.blocks[0].text) for part in sections] == [
        (("Agenda",), "", "Budget"),
        (("Staff", "Leave"), "", "Text."),
        ((), "e", "End"),
    ]


@pytest.mark.parametrize(
    ("heading", "words", "anchor"),
    [
        ("Hello, World!", "Hello, World!", "hello-world"),
        ("`code` and *stress*", "code and stress", "code-and-stress"),
        ("A [link](https://example.com)", "A link", "a-link"),
        ("snake_case & more", "snake_case & more", "snake_case--more"),
        ("日本語の見出し", "日本語の見出し", "日本語の見出し"),
        ("Named {#chosen}", "Named", "chosen"),
        ("Named { #chosen .wide }", "Named", "chosen"),
        ("Named {: #chosen data-toc=no }", "Named", "chosen"),
        ("Named {.unnumbered}", "Named", "named"),
        ("Sets {1, 2}", "Sets {1, 2}", "sets-1-2"),
        ("Empty {}", "Empty {}", "empty-"),
        ("Closed ##", "Closed", "closed"),
    ],
)
def test_headings_have_words_and_githubs_anchor(heading: str, words: str, anchor: str) -> None:
    """Without markup; an explicit id comes before the one that GitHub makes."""
    (section,) = sections_of(f"# {heading}\n\nText.")
    assert (section.path, section.anchor) == ((words,), anchor)


def test_repeated_headings_have_anchors_of_their_own() -> None:
    """The second is numbered, as GitHub does; headings without text count."""
    anchors = [part.anchor for part in sections_of("# A\n\na\n\n# A\n\n# A\n\nc\n\n# B\n\nd")]
    assert anchors == ["a", "a-2", "b"]


def test_anchors_come_from_ids_alone_where_there_are_no_slugs() -> None:
    """A page's headings have the ids that its author gave them, or none."""
    sections = markdown_sections("# A {#given}\n\na\n\n## B\n\nb", slugs=False)
    assert [part.anchor for part in sections] == ["given", ""]


def test_blocks_keep_what_was_written() -> None:
    """Each paragraph, list item, fence and table is a block; nothing in it is rendered."""
    fence = "```py\n# no heading\n\nx = 1\n```"
    table = "| a | b |\n| - | - |\n| `x` | **y** |"
    markdown = (
        f"One *line*\nand two.\n\n- item\n  - deeper\n- other\n\n{fence}\n\n{table}\n\n> quoted"
    )
    assert texts_of(markdown) == [
        ("text", "One *line*\nand two."),
        ("text", "- item\n  - deeper"),
        ("text", "- other"),
        ("fence", fence),
        ("table", table),
        ("text", "> quoted"),
    ]


def test_blocks_know_how_they_were_separated() -> None:
    """Items of a tight list stand on lines of their own, paragraphs apart."""
    (section,) = sections_of("Intro:\n- one\n- two\n\nEnd.")
    assert [block.glue for block in section.blocks[1:]] == ["\n", "\n", "\n\n"]


def test_headings_inside_code_and_quotes_open_no_section() -> None:
    """Only a heading of the document itself does."""
    sections = sections_of("# A\n\n~~~\n# code\n~~~\n\n> # quoted\n\n- # item")
    assert [part.path for part in sections] == [("A",)]


def test_rules_are_no_blocks() -> None:
    """A line across the page says nothing, and parts nothing that headings do not."""
    assert texts_of("# A\n\none\n\n---\n\n***\n\ntwo") == [("text", "one"), ("text", "two")]


def test_unclosed_fence_goes_to_the_end() -> None:
    """As CommonMark has it."""
    assert texts_of("```\ncode\n# no heading") == [("fence", "```\ncode\n# no heading")]


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("---\ntitle: A guide\ntags: [x]\n---\n# B", "A guide", "# B"),
        ('+++\nTitle = "A guide"\n+++\n# B', "A guide", "# B"),
        ("---\ntags: [x]\n---\nB", "", "B"),
        ("---\ntitle: A\n---", "A", ""),
        ("A\n\n---\ntitle: B\n---\n", "", "A\n\n---\ntitle: B\n---\n"),
        ("---\nnever closed", "", "---\nnever closed"),
        ("\n\n---\ntitle: A\n---\nB", "A", "B"),
        ("---\n# written by hand\ntitle: A\n...\nB", "A", "B"),
        ("---\ntitle: >\n  A\n---\nB", "", "B"),
        ("+++\n[params]\na = 1\n+++\nB", "", "B"),
        ("---\n\nText, in which a: b.\n\n---\n\nB", "", "---\n\nText, in which a: b.\n\n---\n\nB"),
    ],
)
def test_split_front_matter_finds_the_title(text: str, title: str, body: str) -> None:
    """Of YAML or TOML at the very beginning."""
    assert split_front_matter(text) == (title, body)


@pytest.mark.parametrize(
    ("markdown", "leading", "tops"),
    [
        ("# The *first* {#a}\n\ntext\n\n# Other", (1, "The first"), ["The first", "Other"]),
        ("---\n\n## Second\n\n# First", (2, "Second"), ["First"]),
        ("text\n\n# First", (0, ""), ["First"]),
        ("> # Quoted\n\ntext", (0, ""), []),
        ("", (0, ""), []),
    ],
)
def test_leading_heading_has_no_text_before_it(
    markdown: str, leading: tuple[int, str], tops: list[str]
) -> None:
    """A rule is not text, and a quoted heading is not a heading of the document."""
    assert leading_heading(markdown) == leading
    assert top_headings(markdown) == tops


def test_text_sections_are_paragraphs() -> None:
    """Lines stay, empty ones separate; a text of spaces has no section."""
    assert text_sections("one\ntwo  \n \n\n  three\n") == [
        Section((), "", (Block("one\ntwo"), Block("three")))
    ]
    assert text_sections(" \n\n ") == []


@settings(max_examples=200)
@given(st.lists(LINES, max_size=30).map("\n".join))
def test_sections_hold_every_line_once(markdown: str) -> None:
    """In order, as written; only headings and rules stand outside of blocks."""
    texts = [block.text for section in sections_of(markdown) for block in section.blocks]
    place = 0
    for text in texts:
        assert text.strip()
        found = markdown.find(text, place)
        assert found >= place
        place = found + len(text)
    assert markdown.count("words") == sum(text.count("words") for text in texts)


@pytest.mark.parametrize("made", [markdown.parser, markdown._block_parser])
def test_parser_knows_all_rules_before_threads_share_it(
    made: Callable[[], MarkdownIt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its library would compile them with the first text, half of them when another text comes."""
    made.cache_clear()  # type: ignore[attr-defined] # of functools.cache
    shared = made()

    def compile_again(_ruler: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Ruler, "__compile__", compile_again)
    assert shared.parse("# Note\n\nWith *words*.")
