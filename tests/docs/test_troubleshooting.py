"""The table of broken situations is the one that processes are tried with."""

from pathlib import Path

from tests.situations import table

PAGE = Path(__file__).parents[2] / "docs/how-to/troubleshoot.md"


def test_page_has_the_situations_that_are_tried() -> None:
    """Each says what doctor says; `tests.situations.table` makes the table."""
    lines = PAGE.read_text("utf-8").splitlines()
    assert "\n".join(line for line in lines if line.startswith("|")) == table()
