"""Blocks of sources as data: what fits into a widget, and what is shown of hostile names."""

import random
import zlib
from importlib.resources import files

import pytest

from rich_agent.chat_commands.source_blocks import CitedSource, SourceButtons, sources_block
from rich_agent.domain.answer.citation import Citation
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.ports.knowledge import DocumentExcerpt, ExcerptPassage
from rich_agent.rendering.widgets import MOST_COMPRESSED_BYTES, widget_html
from tests.hostile_names import HOSTILE_NAMES


def source(number: int, title: str, passage: str, name: str = "handbook.md") -> CitedSource:
    """A source that may be read."""
    url = f"file:///data/{name}"
    citation = Citation(number, f"c{number}", "document", url, url, title, "Part")
    passages = (ExcerptPassage(citation.id, "Part", passage),)
    return CitedSource(citation, DocumentExcerpt(title, name, url, 1, 1, 0, passages))


def block_of(*sources: CitedSource, locale: str = "en") -> LivingBlock | None:
    """The block of sources, of which the first is open."""
    return sources_block(sources, "c1", SourceButtons("passage1", 123_456_789, locale))


def noise(length: int, seed: int = 1) -> str:
    """Letters that hardly compress."""
    letters = random.Random(seed)  # noqa: S311 - the same each time
    return "".join(chr(letters.randrange(0x4E00, 0x9000)) for _ in range(length))


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_block_fits_into_a_widget_in_each_language(locale: str) -> None:
    """Eight passages of a usual length, in words of that language."""
    phrases = files("rich_agent").joinpath("locales", f"{locale}.ftl").read_text("utf-8")
    words = "".join(line.partition(" = ")[2] + " " for line in phrases.splitlines())
    sources = [
        source(n, words[n * 40 : n * 40 + 30], words[n * 900 : n * 900 + 900]) for n in range(1, 9)
    ]
    block = block_of(*sources, locale=locale)
    assert block is not None
    html = widget_html(block)
    assert html is not None
    assert len(zlib.compress(html.encode(), 9)) <= MOST_COMPRESSED_BYTES
    assert len(block.rows) == 8
    assert len(block.rows[0].body) >= 400
    for row in block.rows:
        assert row.actions or len(row.body) > 800


def test_passages_become_shorter_until_the_block_fits() -> None:
    """Then fewer have one, and at last there is no block."""
    few = block_of(*(source(n, "Title", noise(550, n)) for n in (1, 2)))
    assert few is not None
    assert len(few.rows[0].body) > len(few.rows[1].body)
    many = block_of(*(source(n, "Title", noise(900, n)) for n in range(1, 9)))
    assert many is not None
    assert not many.rows[1].body
    assert many.rows[1].actions[0].data == "passage1:123456789:c2"
    assert many.rows[1].actions[0].name == "Read the passage [2]"
    assert block_of(*(source(n, noise(150, n), noise(900, n)) for n in range(1, 13))) is None


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_name_is_text_on_one_line(name: str) -> None:
    """It has an end, and no character that is not seen."""
    block = block_of(source(1, name, name, name), source(2, "Title", "Passage."))
    assert block is not None
    row = block.rows[0]
    for text in (row.text, row.details):
        assert "\n" not in text
        assert len(text) <= 1_000
    assert all(one.isprintable() for one in row.text + row.details + row.body.replace("\n", ""))
    assert "\u202e" not in row.text + row.details + row.body


def test_place_of_a_source_stands_there_once() -> None:
    """The name of a file is in its line already; that of a source is not."""
    block = block_of(source(1, "Title", "Passage."), source(2, "Title", "Other."))
    assert block is not None
    first = block.rows[0]
    assert (first.text, first.details) == ("[1] Title › Part · handbook.md", "")


def test_source_without_a_passage_is_a_row_without_one() -> None:
    """A page of the web stands there with its host; its address is a link of the answer."""
    page = "https://a.example/page"
    web = CitedSource(Citation(2, "web:1", "web", page, page, "A page", ""))
    block = block_of(source(1, "Title", "Passage."), web)
    assert block is not None
    row = block.rows[1]
    assert (row.body, row.actions, row.details, row.url) == ("", (), "a.example", page)
