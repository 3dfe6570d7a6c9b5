"""Parts of the web chat by what a process has."""

from unittest.mock import MagicMock

import pytest

from rich_agent.feature.surface import Surface
from rich_agent.features.web_chat.opening import make_parts


@pytest.mark.parametrize("surface", [None, MagicMock(spec=Surface)], ids=["telegram", "http"])
@pytest.mark.parametrize("address", [None, "https://bot.example"])
def test_every_process_knows_who_may_have_a_page_open(
    surface: Surface | None, address: str | None
) -> None:
    """Also one without HTTP or a public address: another process may serve the page."""
    core = MagicMock(surface=surface)
    core.settings.web.public_address = address
    assert [pages.__name__ for pages in make_parts(core).open_pages] == ["has_any"]
