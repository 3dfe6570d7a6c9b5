"""Rights in groups: everybody sees what everybody may read, and the asker alone what they may."""

from collections.abc import AsyncIterator
from typing import get_args

import pytest

from bench.rights.groups import Server, ask_in_groups
from bench.rights.stored import Stored
from bench.rights.team import Team
from rich_agent.domain.message import TurnRequest
from rich_agent.domain.rights import Reader
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.knowledge.spaces import PostgresSpaces

PEOPLE, PAGES, PAIRS = 10, 60, 100


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A database without documents."""
    async with open_pool(database_url, max_size=4) as opened:
        yield opened


@pytest.mark.costs("it asks in many groups over HTTP")
async def test_groups_are_sent_nothing_that_not_everybody_may_read(pool: Pool) -> None:
    """By every server and bot, while rights change; `python -m bench.rights.groups` asks more."""
    stored = Stored(Team.make(5, PEOPLE, PAGES), pool)
    await stored.fill()
    shown = await ask_in_groups(pool, stored, PAIRS)
    assert (shown.leaks, shown.hidden) == ([], [])
    assert shown.judged.keys() == set(get_args(Server))


async def test_leak_in_a_group_is_found(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer with the asker's rights that all may read is told as a leak."""
    stored = Stored(Team.make(5, PEOPLE, PAGES), pool)
    await stored.fill()

    async def reads_no_more(_spaces: PostgresSpaces, _user_id: int) -> bool:
        return False

    monkeypatch.setattr(PostgresSpaces, "reads_more", reads_no_more)
    asker = property(lambda request: Reader(request.message.user.telegram_user_id))
    monkeypatch.setattr(TurnRequest, "reader", asker)
    shown = await ask_in_groups(pool, stored, PAIRS)
    assert any("everybody was sent" in leak for leak in shown.leaks)
