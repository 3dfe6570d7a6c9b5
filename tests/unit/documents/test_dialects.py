"""Markdown of people's tools: the text is what a person sees who opens its page."""

import tomllib
from pathlib import Path
from time import process_time
from typing import NamedTuple

import pytest

from rich_agent.documents.extract.dialects.blocks import common_markdown
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument

CASES = Path(__file__).parents[2] / "cases"


class Example(NamedTuple):
    """A page as a tool's documentation writes it, and the text that its reader sees."""

    name: str
    markdown: str
    text: str


EXAMPLES = [
    Example(**example)
    for example in tomllib.loads((CASES / "dialects.toml").read_text("utf-8"))["example"]
]


def text_of(markdown: str) -> str:
    """The text that is extracted from a page of Markdown."""
    raw = RawDocument("https://example.com/page.md", markdown.encode(), "text/markdown", None)
    return extract(raw).text


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name.replace(" ", "-"))
def test_dialect_is_read_as_its_page_shows_it(example: Example) -> None:
    """Titles of boxes and tabs stand over their content; marks, statements and remarks are gone."""
    assert text_of(example.markdown) == example.text


def test_page_of_docusaurus_has_no_code_of_its_components() -> None:
    """The steps stand under their tabs; imports, exports, tags and remarks are left out."""
    text = text_of((CASES / "readers" / "mdx.md").read_text("utf-8"))
    assert text == (
        "**macOS**\n\nRun `brew install pump`.\n\n**Windows**\n\nRun `winget install pump`.\n\n"
        "**Warning**\n\nClose the valve first."
    )


HOSTILE = [
    "<A {",
    "<A b='",
    "<A>\n",
    "<A>\n</B>\n",
    "{{<",
    '{% x "a',
    "[[",
    "%%",
    "$a",
    "`` ` ",
    "export const a = {\n\n",
    ":::a [\n",
    "> [!a",
    "!!! a\n\n    b\n\n",
    "[^1]: a\n\n",
    "==a",
    "{/*",
    "- " * 40 + "a\n",
]


@pytest.mark.parametrize("pump", HOSTILE)
def test_dialects_take_time_in_proportion_to_the_text(pump: str) -> None:
    """Marks that are never closed, boxes in boxes, and lists of one character."""

    def seconds(length: int) -> float:
        text = pump * (length // len(pump))
        start = process_time()
        common_markdown(text)
        return process_time() - start

    assert seconds(40_000) < 20 * seconds(5_000) + 0.02
