"""Runs that are begun with their stream: none without a place for it."""

from typing import Any, cast

import pytest

from rich_agent.features.web_chat.agui.endpoints import AguiEndpoints
from rich_agent.runs.service import RunService
from rich_agent.web.refusals import RequestRefusedError
from tests.unit.run_services import ADA, FULL, Service, post

AGUI_BODY = {
    "threadId": "chat",
    "runId": "r1",
    "state": {},
    "tools": [],
    "context": [],
    "forwardedProps": {},
    "messages": [{"id": "m1", "role": "user", "content": "Hello"}],
}


async def test_run_of_an_agent_client_is_not_begun_without_a_place_for_its_stream() -> None:
    """A client that is told to close other streams has begun nothing."""
    service, unused = Service(), cast("Any", None)
    agui = AguiEndpoints(cast("RunService", service), unused, unused, unused, unused, unused, FULL)
    with pytest.raises(RequestRefusedError, match="streams"):
        await agui.run(post(AGUI_BODY), ADA)
