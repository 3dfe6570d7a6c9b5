"""Descriptions of images: summaries as prompts show them, and questions on them."""

import pytest

from rich_agent.domain.vision import ImageQuestion, ImageSummary, merge_summaries

MENU = ImageSummary(
    "A menu.", ("tea",), ("| Drink | Price |\n| --- | --- |\n| Tea | 3 |",), ("cut",)
)


def test_image_summary_shows_its_tables_as_tables() -> None:
    """No JSON escapes stand between the rows, so that a model can read a cell."""
    assert MENU.to_text() == (
        "A menu.\n\nSeen: tea\n\nTable:\n| Drink | Price |\n| --- | --- |\n| Tea | 3 |"
        "\n\nUncertain: cut"
    )


def test_merge_summaries_tells_which_image_a_table_is_in() -> None:
    """With several images each table carries its number."""
    merged = merge_summaries([ImageSummary("A cat."), MENU])
    assert merged.summary == "Image 1: A cat.\nImage 2: A menu."
    assert merged.tables[0].startswith("(Image 2)\n| Drink")


@pytest.mark.parametrize(
    ("named", "count", "meant"),
    [((), 2, (1, 2)), ((2,), 3, (2,)), ((3, 3, 1), 3, (3, 1)), ((0, 9, -1), 2, (1, 2))],
)
def test_image_question_is_about_the_images_that_exist(
    named: tuple[int, ...], count: int, meant: tuple[int, ...]
) -> None:
    """Numbers out of range count for nothing; without any that is left it is about all."""
    assert ImageQuestion("how many?", named).among(count) == meant


def test_image_question_has_one_key_for_one_question() -> None:
    """Spaces, capitals, full-width letters and the mark at the end do not matter; words do."""
    keys = {
        ImageQuestion(text).key
        for text in ("How many cars?", " how  many CARS ", "ｈow many cars？")
    }
    assert len(keys) == 1
    assert ImageQuestion("How many vans?").key not in keys
