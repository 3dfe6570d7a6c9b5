"""Names of servers."""

import pytest

from rich_agent.features.mcp.definitions import is_server_name


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("github", True),
        ("my-files_2", True),
        ("a__b", False),
        ("a_", False),
        ("My Server", False),
        ("", False),
        ("a" * 32, False),
    ],
)
def test_server_name_leaves_the_names_of_its_tools_readable(name: str, is_one: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    """The first `__` ends it."""
    assert is_server_name(name) is is_one
