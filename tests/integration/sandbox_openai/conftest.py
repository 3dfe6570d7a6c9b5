from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from rich_agent_sandbox.openai.api import openai_routes
from rich_agent_sandbox.tavily.api import tavily_routes
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.api import server_routes


@dataclass(frozen=True, slots=True)
class Upstreams:
    """The address of the running stand-ins, and what they received."""

    url: str
    ledger: Ledger

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI clients."""
        return f"{self.url}/v1"


@pytest.fixture(scope="session")
def running() -> Iterator[Upstreams]:
    """Both stand-ins behind one address."""
    ledger = Ledger()
    config = SandboxModelConfig(stream_delay_s=0.001, time_scale=0.001)
    app = Starlette(
        routes=[
            Mount("/v1", routes=openai_routes(ledger, config)),
            Mount("/servers", routes=server_routes(ledger, config)),
            Mount("/tavily", routes=tavily_routes(ledger)),
        ]
    )
    with served(app) as url:
        yield Upstreams(url, ledger)


@pytest.fixture
def upstreams(running: Upstreams) -> Upstreams:
    """The running stand-ins, without calls and faults."""
    running.ledger.forget()
    return running


@pytest.fixture
async def client(upstreams: Upstreams) -> AsyncIterator[AsyncOpenAI]:
    """OpenAI's own client, without retries."""
    async with AsyncOpenAI(
        api_key="any", base_url=upstreams.openai_url, max_retries=0, timeout=5
    ) as client:
        yield client


@pytest.fixture
async def responses(upstreams: Upstreams) -> AsyncIterator[AsyncOpenAI]:
    """The same client at a server that has the Responses API alone."""
    url = f"{upstreams.url}/servers/openai-reasoning/v1"
    async with AsyncOpenAI(api_key="any", base_url=url, max_retries=0, timeout=5) as client:
        yield client


@pytest.fixture
async def http() -> AsyncIterator[DefaultAsyncHttpxClient]:
    """A connection pool to hand to LangChain, whose own is never closed."""
    async with DefaultAsyncHttpxClient() as client:
        yield client
