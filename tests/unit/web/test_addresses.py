"""Addresses where a passage is opened."""

import pytest

from rich_agent.web.addresses import PassageAddresses


@pytest.mark.parametrize(
    ("public", "link", "expected"),
    [
        ("https://bot.example/rich", "https://docs.example/a#b", "https://docs.example/a#b"),
        ("https://bot.example/rich", "file:///srv/a.md", "https://bot.example/rich/passages/a%2Fb"),
        ("https://bot.example", "", "https://bot.example/passages/a%2Fb"),
        (None, "https://docs.example/a", "https://docs.example/a"),
        (None, "file:///srv/a.md", ""),
    ],
)
def test_passage_opens_on_the_web_or_on_the_bot(
    public: str | None, link: str, expected: str
) -> None:
    """The path of a local file is told to nobody; its id is one part of the path."""
    assert PassageAddresses(public).of("a/b", link) == expected
