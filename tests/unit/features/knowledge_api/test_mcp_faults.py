"""Errors that the MCP server tells its caller when something fails inside."""

from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.features.knowledge_api.knowledge import Knowledge
from rich_agent.features.knowledge_api.mcp_server import McpEndpoint
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.metering import Billing
from rich_agent.web.access import Caller
from rich_agent.web.addresses import PassageAddresses
from tests.scripted import ScriptedCatalogue, ScriptedPassages

SECRET = "postgresql://bot:hunter22@db.internal"


class _Failing(ScriptedPassages):
    """Fails with an error that holds a secret."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    @override
    async def search(self, query: PassageQuery) -> list[Passage]:
        """Fail."""
        raise self.error


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("error", [KeyError(SECRET), DatabaseUnavailableError(SECRET)])
async def test_mcp_server_does_not_tell_the_words_of_a_fault(
    error: Exception, version: str
) -> None:
    """One of ours or not, in both revisions of the protocol: the model reads a fixed sentence."""
    search = DocumentSearch(_Failing(error), None)
    server = McpEndpoint(Knowledge(search, ScriptedCatalogue(), Billing(), PassageAddresses(None)))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        caller = Caller(42, frozenset({"knowledge"}), 1)
        await server({**scope, "state": {"caller": caller}}, receive, send)

    transport = httpx.ASGITransport(app)
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params: dict[str, Any] = {"name": "search", "arguments": {"query": "moon"}, "_meta": meta}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search",
    }
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as http:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = await http.post("/mcp", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["result"]["isError"]
    assert "hunter22" not in answer.text
