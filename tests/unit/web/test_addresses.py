"""Addresses where a passage is opened, and those that may mean the same request."""

import pytest

from rich_agent.web.addresses import PassageAddresses, paths_meet


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


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b", "/a/{id}", True),
        ("/a/b", "/{id}/b", True),
        ("/a/b/c", "/a/{rest:path}", True),
        ("/{rest:path}", "/a/b", True),
        ("/a/b", "/a", False),
        ("/a/b", "/a/c", False),
        ("/a/{id}/x", "/a/{id}/y", False),
        ("/a", "/aa", False),
    ],
)
def test_addresses_meet_where_a_request_may_be_meant_by_both(
    one: str, other: str, *, meet: bool
) -> None:
    """Parameters take any part of a path, a `path` the rest of it."""
    assert paths_meet(one, other) == meet
    assert paths_meet(other, one) == meet
