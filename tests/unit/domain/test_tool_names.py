"""Names of tools of sources, as models call them."""

import re

import pytest

from rich_agent.domain.tools import public_name, source_of


@pytest.mark.parametrize(
    "tool", ["create_issue", "create issue", "päivä", "…", "a" * 200, "a/b", "", "a__b", "\ud800"]
)
def test_public_name_is_one_that_model_servers_take(tool: str) -> None:
    """Whatever a server calls its tool; its server can be told from the name."""
    name = public_name("my-server", tool)
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name)
    assert source_of(name) == "my-server"
    assert public_name("my-server", tool) == name


def test_public_names_of_different_tools_differ() -> None:
    """Also where only what had to be replaced, or cut, is different."""
    tools = ["a b", "a/b", "a_b", "a" * 100, "a" * 101, "日", "本"]
    assert len({public_name("s", tool) for tool in tools}) == len(tools)


def test_public_name_stays_as_it_is_if_it_can() -> None:
    """A person reads it in TOOL_POLICIES."""
    assert public_name("issues", "create_issue") == "issues__create_issue"
    assert source_of("create_issue") == ""
