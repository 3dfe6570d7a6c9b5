"""Guided sessions over HTTP: no run begins with its stream without a place for it."""

from typing import cast

import pytest

from rich_agent.features.session.endpoint import SessionChatEndpoints
from rich_agent.features.session.records import SessionRecord, SessionRecords
from rich_agent.features.session.sessions import GuidedSession
from rich_agent.runs.service import RunService
from rich_agent.web.refusals import RequestRefusedError
from tests.unit.run_services import ADA, FULL, Service, post


class Records:
    """One open session."""

    async def find(self, _user_id: int, _session_id: int | None) -> SessionRecord:
        """The session."""
        return SessionRecord(GuidedSession(1, "plan"), "active", (), ())


async def test_run_of_a_session_is_not_begun_without_a_place_for_its_stream() -> None:
    """Sent again without an id, the message would be a second run."""
    service = Service()
    chat = SessionChatEndpoints(
        cast("RunService", service), cast("SessionRecords", Records()), FULL
    )
    with pytest.raises(RequestRefusedError, match="streams"):
        await chat.chat(post({"message": "Hello"}), ADA)
