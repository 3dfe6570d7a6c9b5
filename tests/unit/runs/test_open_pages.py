"""Turns of Telegram are written down for users of whom a feature says that they have pages open."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any
from unittest.mock import MagicMock

import pytest

from rich_agent.domain.message import thread_of
from rich_agent.runs import elsewhere
from rich_agent.runs.elsewhere import NobodyReadsError, Notebook
from rich_agent.runtime.fencing import work_under

USER, OTHER = 42, 43
OpenPages = Callable[[int], Awaitable[bool]]


class _News:
    """Remembers whether a run was to be begun for pages."""

    def __init__(self) -> None:
        self.is_shown: bool | None = None

    async def begin(self, _run: object, *, is_shown: bool) -> None:
        """Begin nothing."""
        self.is_shown = is_shown


async def is_shown(*open_pages: OpenPages, user_id: int = USER) -> bool | None:
    """Whether a turn of the user would be shown on a page."""
    news = _News()
    stand_in: Any = news
    notebook = Notebook(MagicMock(), stand_in, open_pages)
    with suppress(NobodyReadsError):
        await notebook.begin(thread_of(user_id), user_id, 7, MagicMock())
    return news.is_shown


async def page_of_user(user_id: int) -> bool:
    """One user has a page open."""
    return user_id == USER


async def broken(_user_id: int) -> bool:
    """Fail as a feature may."""
    raise RuntimeError("broken")


async def stuck(_user_id: int) -> bool:
    """Never say anything."""
    await asyncio.Event().wait()
    return True


@pytest.mark.parametrize(
    ("open_pages", "user_id", "shown"),
    [
        ((), USER, False),
        ((page_of_user,), USER, True),
        ((page_of_user,), OTHER, False),
        ((broken,), USER, False),
        ((broken, stuck, page_of_user), USER, True),
    ],
    ids=["no feature", "a page", "somebody else's", "broken", "others that fail"],
)
async def test_turn_is_shown_where_a_feature_knows_of_a_page(
    open_pages: Sequence[OpenPages], user_id: int, *, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that fails or says nothing costs nobody their answer."""
    monkeypatch.setattr(elsewhere, "_LOOK_S", 0.01)
    assert await is_shown(*open_pages, user_id=user_id) is shown


@pytest.mark.parametrize(
    ("update_id", "is_looked_up"), [(7, False), (8, True)], ids=["its own", "an edit's"]
)
async def test_run_of_an_earlier_lane_is_looked_up_without_a_page(
    update_id: int, *, is_looked_up: bool
) -> None:
    """A first attempt has no run of its own update yet, but an edit goes on with an older run."""
    work_under(1, update_id, is_first=True)
    assert await is_shown() is (False if is_looked_up else None)
