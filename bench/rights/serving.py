"""Documents as programs and browsers reach them: the product's own routes, without a network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module

import httpx
from starlette.applications import Starlette
from starlette.requests import Request

from rich_agent.domain.tokens import Scope
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.metering import Billing
from rich_agent.web.access import Caller
from rich_agent.web.addresses import PASSAGE_PATH, PassageAddresses
from rich_agent.web.passages import PassagePage
from rich_agent.web.routes import GuardedRoute, guard, handled_by

_FEATURE = "rich_agent.features.knowledge_api"
_HERE = "https://bot.example"
_ACCEPTED = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class _Named:
    """Implements `Admission`: a request says in whose name it comes."""

    async def admit(self, request: Request, _wanted: Scope | None, /) -> Caller:
        """Admit everybody."""
        return Caller(int(request.headers["authorization"]), frozenset({"knowledge"}), None)

    async def wait_for_refusal(self, _request: Request, _wanted: Scope | None, /) -> None:
        """Wait for ever: nobody is refused."""
        await asyncio.Event().wait()


@dataclass(frozen=True, slots=True)
class Served:
    """A client of the MCP server and of the pages of passages."""

    http: httpx.AsyncClient

    async def page(self, person: int, chunk: str) -> bool:
        """Whether the page of a passage opens."""
        answer = await self.http.get(f"/passages/{chunk}", headers={"Authorization": f"{person}"})
        assert answer.status_code in {200, 404}, answer.text
        return answer.status_code == 200

    async def call(self, person: int, tool: str, **arguments: str) -> str:
        """The text that a tool of the MCP server gives, "" for an error."""
        named = {"name": tool, "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": named}
        headers = {**_ACCEPTED, "Authorization": f"{person}"}
        answer = await self.http.post("/mcp", json=asked, headers=headers)
        result = answer.raise_for_status().json()["result"]
        return "" if result.get("isError") else str(result["content"][0]["text"])


@asynccontextmanager
async def served(pool: Pool) -> AsyncIterator[Served]:
    """The routes over the documents of a database; searches are by words."""
    catalogue = PostgresSourceCatalogue(pool)
    search = DocumentSearch(PostgresPassages(pool), None)
    # By name: the rest of the bench holds without the feature.
    server = import_module(f"{_FEATURE}.mcp_server").McpEndpoint
    documents = import_module(f"{_FEATURE}.knowledge").Knowledge
    endpoint = server(documents(search, catalogue, Billing(), PassageAddresses(_HERE)))
    routes = (
        GuardedRoute("/mcp", "knowledge", endpoint, ("POST",)),
        GuardedRoute(PASSAGE_PATH, "knowledge", handled_by(PassagePage(catalogue).show)),
    )
    app = Starlette(routes=list(guard(routes, _Named())))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=_HERE, trust_env=False, timeout=60
    ) as http:
        yield Served(http)
