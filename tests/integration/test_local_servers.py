"""The search for model servers on this machine, over real HTTP."""

import asyncio
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from rich_agent.upstreams.servers.local import (
    USUAL_PLACES,
    Patience,
    ServerPlace,
    find_local_servers,
)
from rich_agent.upstreams.servers.offers import Offer, Offers
from rich_agent_sandbox.openai.servers.personality import WELL_BEHAVED
from tests.acceptance.world import free_port
from tests.integration.local_servers import PATIENT, local_server, place_of, web_server
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.local import LLAMA_CPP, LM_STUDIO, OLLAMA, VLLM


def found(*places: ServerPlace, patience: Patience = PATIENT) -> list[Offers]:
    """The servers at these places."""
    return asyncio.run(find_local_servers(places, patience))


def models_of(title: str, url: str) -> dict[str, Offer]:
    """The models of the one server, which has to be found as what it is, by name."""
    (server,) = found(place_of(title, url))
    assert (server.title, server.base_url) == (title, f"{url}/v1")
    return {one.name: one for one in server.models}


def test_search_finds_nothing_where_nothing_listens() -> None:
    """All usual ports may be free."""
    places = [place_of(one.title, f"http://127.0.0.1:{free_port()}") for one in USUAL_PLACES]
    assert found(*places) == []


def test_search_reads_what_ollama_tells() -> None:
    """Abilities, size, window and length of vectors; what runs at ollama.com is left out."""
    with local_server(OLLAMA) as url:
        models = models_of("Ollama", url)
    assert models.keys() == {"qwen3:8b", "nomic-embed-text:latest"}
    qwen, nomic = models.values()
    assert (qwen.chats, qwen.sees, qwen.uses_tools, qwen.is_loaded) == (True, True, True, True)
    assert (qwen.billions, qwen.window) == (8.2, 4_096)
    assert (nomic.chats, nomic.embeds, nomic.dimensions) == (False, True, 768)
    assert nomic.billions == pytest.approx(0.137)


def test_search_reads_what_lm_studio_tells() -> None:
    """Types, the loaded window, and what is loaded."""
    with local_server(LM_STUDIO) as url:
        models = models_of("LM Studio", url)
    seeing = models["qwen2.5-vl-7b-instruct"]
    assert (seeing.sees, seeing.is_loaded, seeing.window) == (True, True, 16_384)
    assert seeing.billions == 7
    embedder = models["text-embedding-nomic-embed-text-v1.5"]
    assert (embedder.chats, embedder.embeds, embedder.is_loaded) == (False, True, False)


def test_search_reads_what_llama_cpp_tells() -> None:
    """The window that it runs with, and its eyes."""
    with local_server(LLAMA_CPP) as url:
        model = models_of("llama.cpp", url)["gemma-3-4b-it.gguf"]
    assert (model.sees, model.window, model.billions) == (True, 16_384, 4.3)


def test_search_reads_a_list_in_the_form_of_openai() -> None:
    """An embedder is told by its name; without the usual owner, the server has no title."""
    with local_server(VLLM) as url:
        (server,) = found(place_of("vLLM", url))
        (docker,) = found(
            ServerPlace(place_of("vLLM", url).port, "Docker", place_of("Jan", url).read)
        )
    models = {one.name: one for one in server.models}
    assert server.title == ""
    assert docker.title == "Docker"
    assert models["Qwen/Qwen2.5-3B-Instruct"].window == 16_384
    assert models["Qwen/Qwen2.5-3B-Instruct"].billions == 3
    assert models["intfloat/e5-mistral-7b-instruct"].embeds


@pytest.mark.parametrize(
    "answer",
    [
        None,
        JSONResponse({"message": "hello"}),
        JSONResponse([{"id": "a-model"}]),
        JSONResponse({"object": "list", "data": [{"name": "no id"}]}),
        JSONResponse({"object": "list", "data": "none", "models": "none"}),
        JSONResponse({"object": "list", "data": [{"id": "two\nlines"}], "models": [{"name": 1}]}),
        Response("[" * 100_000, media_type="application/json"),
        Response(b"[" + b"1," * 1_500_000 + b"1]", media_type="application/json"),
        Response(status_code=401),
    ],
    ids=["page", "json", "bare", "unnamed", "texts", "odd names", "nested", "endless", "closed"],
)
def test_search_takes_no_web_server_for_a_model_server(answer: Response | None) -> None:
    """It may answer anything, at each of the ports."""
    with served(web_server(answer)) as url:
        assert found(*(place_of(one.title, url) for one in USUAL_PLACES)) == []


def test_search_passes_by_a_server_that_asks_for_a_key() -> None:
    """As another demo's stand-in does, which listens at a usual port."""
    with local_server(WELL_BEHAVED) as url:
        assert found(place_of("llama.cpp", url)) == []


def test_search_does_not_wait_for_a_slow_server() -> None:
    """It is given up after a second at the latest."""
    ended = threading.Event()

    async def wait(_: Request) -> Response:
        await asyncio.to_thread(ended.wait)
        return JSONResponse({"object": "list", "data": [{"id": "late"}], "models": []})

    with served(Starlette(routes=[Route("/{path:path}", wait, methods=["GET", "POST"])])) as url:
        began = time.monotonic()
        try:
            places = [place_of(one.title, url) for one in USUAL_PLACES]
            assert found(*places, patience=Patience()) == []
            assert time.monotonic() - began < 10  # far more than it takes on a busy machine
        finally:
            ended.set()


@contextmanager
def trap() -> Iterator[tuple[socket.socket, str]]:
    """A socket that listens at another address of this machine than the loopback, and its URL."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
            address = str(probe.getsockname()[0])
        except OSError:
            address = "127."
    if address.startswith("127."):
        pytest.skip("this machine has no address but the loopback")
    with socket.create_server((address, 0)) as listener:
        yield listener, f"http://{address}:{listener.getsockname()[1]}"


def test_search_never_leaves_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy of the environment is asked, no redirect followed, no other address tried."""
    with trap() as (listener, url):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, url)
        with served(web_server(RedirectResponse(f"{url}/v1/models"))) as redirecting:
            at_trap = [place_of(one.title, url) for one in USUAL_PLACES]
            at_redirect = [place_of(one.title, redirecting) for one in USUAL_PLACES]
            assert found(*at_trap, *at_redirect) == []
        visitors, _, _ = select.select([listener], [], [], 0)
        assert visitors == []
