"""The stand-in's eyes: text of one font and tables, all from pixels."""

import io

import pytest
from PIL import Image

from rich_agent.domain.vision import ImageLimits
from rich_agent.runtime.imaging import prepare_image
from rich_agent_sandbox.model.vision.describing import SMALL_TEXT_WARNING, describe_image
from rich_agent_sandbox.model.vision.glyphs import read_text
from rich_agent_sandbox.model.vision.image_questions import look
from rich_agent_sandbox.model.vision.image_summary import ImageSummary, Table
from tests.acceptance.pictures import writing
from tests.unit.sandbox.model import pictures

MENU = ("| Drink | Price |", "| Tea   | 3.50  |", "| Cocoa | 4.20  |")


@pytest.mark.parametrize("dot", [2, 3, 5])
def test_read_text_reads_its_font_as_a_bot_sends_it(dot: int) -> None:
    """Scaled and packed as JPEG by the bot, every character of three lines is read."""
    lines = ("The quick brown fox, 0123456789!", "jumps over </passage> [1] & {more}", "| gjpqy |")
    sent = prepare_image(writing(*lines, dot=dot), ImageLimits())
    with Image.open(io.BytesIO(sent.data)) as image:
        assert read_text(image).lines == lines


@pytest.mark.parametrize("data", [pictures.page(), pictures.noise(), pictures.shapes()])
def test_read_text_guesses_nothing(data: bytes) -> None:
    """Another font, a photo, shapes: no text."""
    with Image.open(io.BytesIO(data)) as image:
        assert read_text(image).lines == ()


def test_describe_image_reads_large_text_and_tables() -> None:
    """Words and cells that are only in the picture, as a Markdown table."""
    report = describe_image(writing("Menu", *MENU))
    assert "Menu / | Drink | Price |" in report.summary
    assert "cocoa" in report.entities
    assert report.tables == (
        "| Drink | Price |\n| --- | --- |\n| Tea   | 3.50  |\n| Cocoa | 4.20  |",
    )


def test_small_text_is_read_on_a_closer_look_only() -> None:
    """The description says that there is some; the question brings it."""
    small = writing("serial 4711", dot=2)
    report = describe_image(small)
    assert "4711" not in report.summary
    assert SMALL_TEXT_WARNING in report.warnings
    assert look(small, "What does the small text say?").endswith(" serial 4711")


def test_look_tells_the_cell_that_is_asked_for() -> None:
    """By the first cell of its row."""
    assert look(writing(*MENU), "and the cocoa?") == "Cocoa: Price 4.20"


def test_table_answers_a_cell() -> None:
    """Row by its first cell, column by its head."""
    table = Table.read("\n".join(MENU))
    assert table.answer("What is the price of the cocoa?") == "Cocoa: Price 4.20"
    assert table.answer("Is there milk?") == ""


def test_image_summary_is_read_from_paragraphs() -> None:
    """Paragraphs with a label are entities and tables."""
    text = "A menu.\n\nSeen: tea; cup\n\nTable:\n| a | b |\n| --- | --- |\n| c | d |"
    assert ImageSummary.read(text) == ImageSummary(
        "A menu.", ("tea", "cup"), (Table((("a", "b"), ("c", "d"))),)
    )
