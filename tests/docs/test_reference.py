"""The reference pages say what the program says."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.reference import PAGES


@pytest.mark.parametrize(("path", "text"), PAGES.items(), ids=[path.name for path in PAGES])
def test_reference_page_is_up_to_date(path: Path, text: Callable[[], str]) -> None:
    """`make docs` writes them; a change of a setting or a command has to run it."""
    assert path.read_text(encoding="utf-8") == text(), "run `make docs`"
