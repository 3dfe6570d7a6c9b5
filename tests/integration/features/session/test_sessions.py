"""Results of guided sessions in PostgreSQL."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from rich_agent.feature import Asker, ToolRefusedError
from rich_agent.features.session.repository import PostgresSessions
from rich_agent.features.session.tools import Completion, Output, SessionTools
from rich_agent.repositories.database.pools import open_pool

ASKER = Asker(42, "tg:42", "r1")


@pytest.fixture
async def sessions(database_url: str) -> AsyncIterator[PostgresSessions]:
    """No session yet."""
    async with open_pool(database_url, max_size=2) as pool:
        yield PostgresSessions(pool)


def tools(sessions: PostgresSessions) -> SessionTools:
    """The tools of a session, without templates."""
    return SessionTools(sessions, {}, lambda: datetime(2026, 12, 1, tzinfo=UTC))


async def test_end_of_a_session_keeps_its_summary(sessions: PostgresSessions) -> None:
    """It is stored behind the results, and none follows the end."""
    session = await sessions.begin(ASKER.user_id, "plan")
    assert session
    result = Output(output_type="plan", data=["Paint"])
    await tools(sessions).save(result, ASKER)
    await tools(sessions).complete(Completion(summary="You want to paint."), ASKER)
    record = await sessions.find(ASKER.user_id, session.id)
    assert record
    assert record.status == "completed"
    assert list(record.outputs) == [result.model_dump(), {"summary": "You want to paint."}]
    with pytest.raises(ToolRefusedError, match="No session is open"):
        await tools(sessions).save(result, ASKER)
    with pytest.raises(ToolRefusedError, match="No session is open"):
        await tools(sessions).complete(Completion(summary="Again."), ASKER)
