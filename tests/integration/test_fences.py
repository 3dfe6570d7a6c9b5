"""Fences in PostgreSQL: how a lane is kept while its holder writes, and what a late turn may do."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from typing_extensions import override

from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.errors import LaneLostError
from rich_agent.ports.inbox import InboxRules, Lane, ReceivedUpdate
from rich_agent.ports.models import Prompt
from rich_agent.ports.widgets import WidgetPlace
from rich_agent.repositories.database.fences import LONGEST_PAUSE, checkout_held
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.turns.past_turns import PostgresDecisions
from rich_agent.repositories.widgets import PostgresWidgets
from rich_agent.runtime.fencing import work_under
from tests.database import PostgresServer
from tests.integration.turns_on_postgres import answer_of, cast_for, opened, rows_of, run
from tests.scripted import ScriptedPlanner

PAUSE = "SELECT current_setting('idle_in_transaction_session_timeout') AS set_to"


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """Connections to the test's database."""
    async with open_pool(database_url, max_size=4) as opened_pool:
        yield opened_pool


async def lane_of(pool: Pool, user_id: int = 42) -> Lane:
    """A lane with work, held for long."""
    async with PostgresInbox(pool, InboxRules(lease_s=600)) as inbox:
        return await claimed(inbox, user_id)


async def claimed(inbox: PostgresInbox, user_id: int = 42) -> Lane:
    """A lane with work, which the process of this inbox holds."""
    await inbox.store([ReceivedUpdate(user_id, user_id, b"{}")])
    lane = await inbox.claim()
    assert lane is not None
    return lane


def take_over(url: str) -> None:
    """Do to all lanes what happens when their lease ends and another worker comes."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "UPDATE telegram_lanes SET fence = nextval('telegram_lane_fence'), "
            "ready_at = clock_timestamp() + interval '1 hour'"
        )


@pytest.mark.req("REL-1")
async def test_lane_is_not_taken_over_while_its_holder_writes(pool: Pool) -> None:
    """The lease ended, but the transaction has not; renewals are not held up by it."""
    async with (
        PostgresInbox(pool, InboxRules(lease_s=600)) as holder,
        PostgresInbox(pool, InboxRules(lease_s=0.0)) as inbox,
        asyncio.timeout(30),
    ):
        work_under((lane := await claimed(holder)).fence)
        async with checkout_held(pool) as connection:
            # Other tasks are not in the transaction; for 0 s means that anyone may take it now.
            await asyncio.create_task(inbox.extend(lane))
            assert await asyncio.create_task(inbox.claim()) is None
            row = await (await connection.execute(PAUSE)).fetchone()
            assert row == {"set_to": LONGEST_PAUSE}
        taken = await inbox.claim()
    assert taken is not None
    assert taken.fence > lane.fence
    async with pool.connection() as connection:
        assert await (await connection.execute(PAUSE)).fetchone() == {"set_to": "0"}


async def test_lane_of_another_database_is_kept_as_well(
    pool: Pool, database_server: PostgresServer, database_template: str, database_url: str
) -> None:
    """Decisions may live in a database of their own; the lanes are in the first one."""
    decision = Decision("tg:42", "r1", "general_question", "rag", "r", "q")
    with database_server.database(database_template) as other:
        async with open_pool(other, max_size=2) as rag:
            decisions = PostgresDecisions(rag, pool)
            work_under((await lane_of(pool)).fence)
            await decisions.record(decision)
            take_over(database_url)
            with pytest.raises(LaneLostError):
                await decisions.record(decision)


@dataclass(slots=True)
class OvertakenPlanner(ScriptedPlanner):
    """While it plans, another worker takes all lanes over and leaves its own checkpoint."""

    url: str = ""
    rows: list[dict[str, int]] = field(default_factory=list)

    @override
    async def plan(self, prompt: Prompt) -> Any:
        """See `Planner`."""
        # In threads: the checkpoint before may still be written, and holds the lane until it is.
        await asyncio.to_thread(take_over, self.url)
        self.rows.append(await asyncio.to_thread(rows_of, self.url))
        return await ScriptedPlanner.plan(self, prompt)


@pytest.mark.req("REL-1", "DUR-1")
async def test_late_turn_stores_no_checkpoint(database_url: str, pool: Pool) -> None:
    """Whoever took the lane goes on from the checkpoint that it found there."""
    late = cast_for("rag")
    planner = OvertakenPlanner(late.planner.routing, url=database_url)
    late.planner = planner
    work_under((await lane_of(pool)).fence)
    async with opened(database_url, late) as turns:
        with pytest.raises(LaneLostError):
            await run(turns)
    assert [rows_of(database_url)] == planner.rows
    assert late.passages.queries == []

    with psycopg.connect(database_url) as connection:
        found = connection.execute("SELECT fence FROM telegram_lanes").fetchone()
    assert found is not None
    work_under(found[0])
    holder = cast_for("rag")
    async with opened(database_url, holder) as turns:
        assert answer_of(await run(turns)) == "It is so [1]."
    assert len(holder.planner.prompts) == 1


async def test_state_of_a_widget_is_not_recorded_by_a_worker_that_lost_its_lane(
    database_url: str, pool: Pool
) -> None:
    """The state of the worker that goes on stays; without a lane anybody records."""
    lane = await lane_of(pool)
    widgets = PostgresWidgets(pool)
    await widgets.note(WidgetPlace(42), 5, LivingBlock("tasks", "Tasks", "en"))

    async def serve() -> None:
        work_under(lane.fence)
        await widgets.note_state(42, 5, "held")
        take_over(database_url)
        with pytest.raises(LaneLostError):
            await widgets.note_state(42, 5, "late")

    await asyncio.create_task(serve())
    shown = await widgets.find(42, 5)
    assert shown is not None
    assert shown.state == "held"
    await widgets.note_state(42, 5, "free")
    assert (shown := await widgets.find(42, 5))
    assert shown.state == "free"
