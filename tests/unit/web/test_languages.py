"""The language in which a request wants to be answered."""

import pytest
from starlette.requests import Request

from rich_agent.web.languages import language_of


@pytest.mark.parametrize(
    ("accepted", "tag"),
    [
        ("sw, de-CH;q=0.8, en;q=0.5", "de-CH"),
        ("sw", "sw"),
        ("", ""),
        ("*", ""),
        ("fr" + ",x" * 500, "fr"),
    ],
)
def test_language_of_is_the_first_that_is_spoken(accepted: str, tag: str) -> None:
    """A browser's second language is better than English."""
    headers = [(b"accept-language", accepted.encode())]
    assert language_of(Request({"type": "http", "headers": headers})) == tag
