"""Servers that rank texts, over HTTP in each of their dialects: orders, limits and refusals."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import BrokenAnswerError, UpstreamError, UpstreamUnavailableError
from rich_agent.ports.models import ModelAccountError, ModelBusyError
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.upstreams.models.reranking import RerankServer
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess
from rich_agent_sandbox.ledger import Fault, Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.api import server_routes

LEDGER = Ledger()
QUERY = "When does the shop open?"
TEXTS = ["We sell hats.", "On Saturdays from ten.", "Nobody knows.", "From nine to five."]
RELEVANCE = {"Saturdays": 0.4, "nine": 0.9, "hats": 0.2}
ORDER = [3, 1, 0, 2]
# By dialect: the base of the address, and the tokens that are counted by the server.
SERVERS = {
    "cohere/v2": "Cohere",
    "jina/v1": "Cohere",
    "vllm-rerank/v1": "Cohere",
    "llamacpp-rerank/v1": "llama.cpp",
    "tei": "TEI",
    "voyage/v1": "Voyage",
    "infinity": "Infinity",
}
UNCOUNTED = {"cohere/v2", "tei"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of all servers."""
    routes = [Mount("/servers", routes=server_routes(LEDGER, SandboxModelConfig()))]
    with served(Starlette(routes=routes)) as at:
        yield f"{at}/servers"


@asynccontextmanager
async def reached(base_url: str) -> AsyncIterator[RerankServer]:
    """A process that knows nothing of the server yet."""
    LEDGER.forget()
    role = ModelRole(
        "rerank-1",
        base_url,
        "key",
        model_setting="RERANK_MODEL",
        url_setting="RERANK_BASE_URL",
        key_setting="RERANK_API_KEY",
    )
    async with httpx2.AsyncClient() as http:
        access = ModelAccess(role, http, LearnedCapabilities(role.server, role.model))
        yield RerankServer(access)


def fail(kind: str, **more: object) -> None:
    """Have the next call fail."""
    LEDGER.plan_fault(Fault("openai", kind, method="rerank", **more))  # type: ignore[arg-type]


def sent() -> list[int]:
    """The statuses of all calls."""
    return [call.status for call in LEDGER.calls()]


@pytest.mark.parametrize("place", SERVERS)
async def test_rerank_gives_the_order_in_every_dialect(url: str, place: str) -> None:
    """The order is that of the scores; the dialect is told, and asked for at once from then on."""
    async with reached(f"{url}/{place}") as server:
        fail("scripted", text=json.dumps(RELEVANCE), times=9)
        assert await server.rank(QUERY, TEXTS) == ORDER
        assert server.dialect == SERVERS[place]
        assert sent() == ([422, 200] if place == "tei" else [200])
        before = len(sent())
        assert await server.rank(QUERY, TEXTS) == ORDER
        assert sent()[before:] == [200]


@pytest.mark.parametrize("place", SERVERS)
async def test_rerank_is_charged_by_the_server_s_count(url: str, place: str) -> None:
    """Tokens are the server's own where it tells them, else estimated with the query each time."""
    meter = Meter()
    async with reached(f"{url}/{place}") as server:
        with bill_to(meter, "N5_retrieve"):
            await server.rank(QUERY, TEXTS)
    (used,) = meter.used_in("N5_retrieve")
    assert (used["kind"], used["model"], used["calls"]) == ("reranking", "rerank-1", 1)
    assert used["input_tokens"] >= 4 * len(QUERY) // 4
    assert ("estimated" in used) == (place in UNCOUNTED)


@pytest.mark.parametrize("place", SERVERS)
@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        ("401", ModelAccountError, "RERANK_API_KEY"),
        ("429", ModelBusyError, ""),
        ("503", ModelBusyError, ""),
        ("500", UpstreamUnavailableError, ""),
        ("malformed", BrokenAnswerError, "RERANK_BASE_URL"),
        ("empty", BrokenAnswerError, "RERANK_BASE_URL"),
    ],
)
async def test_rerank_translates_refusals_of_every_dialect(
    url: str, place: str, kind: str, error: type[UpstreamError], words: str
) -> None:
    """A wrong key, too many requests and nonsense are told as those of other models are."""
    async with reached(f"{url}/{place}") as server:
        await server.rank(QUERY, TEXTS)
        fail(kind)
        with pytest.raises(error) as raised:
            await server.rank(QUERY, TEXTS)
        assert words in raised.value.hint
        assert await server.rank(QUERY, TEXTS)


async def test_rerank_asks_in_batches_that_the_server_takes(url: str) -> None:
    """TEI takes 32 texts: the halves are asked for at once, and so is every later search."""
    texts = [f"Text number {n}" for n in range(50)]
    async with reached(f"{url}/tei") as server:
        fail("scripted", text=json.dumps({"number 7": 0.5, "number 49": 0.9}), times=99)
        assert (await server.rank(QUERY, texts))[:2] == [49, 7]
        before = len(sent())
        assert (await server.rank(QUERY, texts))[:2] == [49, 7]
        assert sent()[before:] == [200, 200]


async def test_rerank_learns_again_when_another_server_moves_in(url: str) -> None:
    """The known dialect is tried first, and given up when it is refused."""
    async with reached(f"{url}/tei") as server:
        await server.rank(QUERY, TEXTS)
        moved = f"{url}/vllm-rerank/v1"
        async with reached(moved) as other:
            other._access = server._access
            assert await other.rank(QUERY, TEXTS)
            assert sent() == [400, 200]
            assert await other.rank(QUERY, TEXTS)
            assert sent() == [400, 200, 200]


async def test_rerank_names_the_address_where_nothing_ranks(url: str) -> None:
    """An address without /rerank is the setting's fault."""
    async with reached(f"{url}/tei/v1") as server:
        with pytest.raises(UpstreamError) as raised:
            await server.rank(QUERY, TEXTS)
    assert "RERANK_BASE_URL" in raised.value.hint
