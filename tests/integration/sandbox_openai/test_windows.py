"""Windows as each server tells them, asked over HTTP."""

from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent.upstreams.servers.context_windows import ServerWindows
from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from tests import make
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.api import server_routes

LEDGER = Ledger()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of `/servers`."""
    config = SandboxModelConfig(stream_delay_s=0.0, time_scale=0.001)
    with served(Starlette(routes=[Mount("/servers", routes=server_routes(LEDGER, config))])) as at:
        yield f"{at}/servers"


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    """Connections."""
    async with httpx2.AsyncClient() as client:
        yield client


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("ollama", 4_096),  # what runs, not the 40,960 that the model was trained with
        ("lmstudio", 16_384),
        ("vllm", 16_384),
        ("llamacpp", 16_384),
        ("groq", 131_072),
        ("mistral", 131_072),
        ("openrouter", 32_768),  # its provider holds less than the model
        ("openai", None),
        ("azure", None),
    ],
)
async def test_window_is_the_one_that_the_server_tells(
    url: str, http: httpx2.AsyncClient, name: str, window: int | None
) -> None:
    """Each in its own place and under its own name; nothing is guessed where none is told."""
    access = make.access(f"{url}/{name}/v1", http)
    assert await ServerWindows([access]).smallest() == window


async def test_smallest_window_counts(url: str, http: httpx2.AsyncClient) -> None:
    """A prompt may go to the planner or to the model that answers."""
    accesses = [make.access(f"{url}/{name}/v1", http) for name in ("groq", "lmstudio", "openai")]
    assert await ServerWindows(accesses).smallest() == 16_384


@pytest.mark.parametrize(
    ("shown", "window"),
    [
        ({"model_info": {"qwen3.context_length": 40_960}}, 4_096),
        ({"model_info": {"phi.context_length": 2_048}}, 2_048),
        ({"model_info": {}, "parameters": 'stop "x"\nnum_ctx      8192'}, 8_192),
        ({"model_info": "?"}, None),
        ([], None),
    ],
)
async def test_window_of_a_model_that_ollama_has_yet_to_load(
    shown: object, window: int | None
) -> None:
    """It is run with the number of its file, else with the default."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        told = {"/api/show": shown, "/api/ps": {"models": []}}.get(request.url.path)
        return httpx2.Response(404) if told is None else httpx2.Response(200, json=told)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        access = make.access("http://ollama:11434/v1", http)
        assert await ServerWindows([access]).smallest() == window


async def test_server_that_hangs_or_babbles_has_no_known_window() -> None:
    """Nothing of a turn fails for it."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/models"):
            raise httpx2.ReadTimeout("slow", request=request)
        return httpx2.Response(200, text="<html>", headers={"content-type": "text/html"})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        assert await ServerWindows([make.access("http://x/v1", http)]).smallest() is None
