"""Downloads of models by servers of this machine, over real HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from rich_agent.commands import model_download
from rich_agent.commands.model_download import Snapshot, download
from rich_agent.commands.model_offer import (
    DownloadOffer,
    Machine,
    Recommended,
    find_offer,
    recommended,
)
from rich_agent.errors import RichAgentError
from rich_agent.upstreams.downloads.llama_cpp import LlamaCpp
from rich_agent.upstreams.downloads.lm_studio import LMStudio
from rich_agent.upstreams.downloads.ollama import Ollama
from rich_agent.upstreams.downloads.progress import (
    DownloadError,
    LostServerError,
    Progress,
    open_http,
)
from rich_agent.upstreams.servers.offers import Offers
from tests.acceptance.world import free_port, wait_until
from tests.integration.local_servers import local_server, search_at
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.local import OLLAMA
from tests.stand_ins.model_servers.ollama_library import (
    FULL,
    NO_NETWORK,
    TOO_OLD,
    OllamaLibrary,
)
from tests.stand_ins.model_servers.other_downloads import LlamaRouter, LMStudioJobs

MODEL, GB = "qwen3:4b-instruct", 1_000_000_000
FILES = (2_490_000_000, 11_000, 900)
LAPTOP = Machine(16 * GB, 8)


def library(**behaviour: object) -> OllamaLibrary:
    """Ollama with one model that can be pulled, quickly."""
    return OllamaLibrary({MODEL: FILES}, **{"pace": 500_000_000, **behaviour})  # type: ignore[arg-type]


def offer_at(url: str, free_bytes: int | None = None) -> DownloadOffer:
    """The offer of an Ollama."""
    models = (Recommended(MODEL, sum(FILES)),)
    return DownloadOffer(Offers(f"{url}/v1", (), "Ollama", downloads=True), models, "", free_bytes)


async def states_of(offer: DownloadOffer, model: Recommended | None = None) -> list[Snapshot]:
    """All states of a download, to its end."""
    return [state async for state in download(offer, model or offer.best)]


def failure_of(offer: DownloadOffer, model: Recommended | None = None) -> str:
    """The message of a download that fails, with what to do."""
    with pytest.raises(RichAgentError) as caught:
        asyncio.run(states_of(offer, model))
    return caught.value.explain()


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that went away is asked again at once, so that no test waits."""
    monkeypatch.setattr(model_download, "_WAITS_S", (0.01, 0.01))


def test_download_tells_bytes_of_all_files_to_its_end() -> None:
    """The percents grow to 100; the sizes are those of the server."""
    ollama = library(pace=100_000_000)
    with served(ollama.app()) as url:
        states = asyncio.run(states_of(offer_at(url)))
    assert states[0].step == "pulling manifest"
    assert (states[-1].step, states[-1].percent) == ("success", 100)
    assert states[-1].total_bytes == sum(FILES)
    done = [one.done_bytes for one in states]
    assert done == sorted(done)
    assert ollama.installed == [MODEL]


def test_cancelled_download_ends_at_the_server_and_goes_on_later() -> None:
    """Closing the connection is enough; the next pull begins with the bytes that are there."""
    ollama = library(hold_at=1_000_000_000)

    async def cancel_in_the_middle(url: str) -> Snapshot:
        async with aclosing(download(offer_at(url), offer_at(url).best)) as states:
            async for state in states:
                if state.done_bytes >= GB:
                    break
        await asyncio.to_thread(wait_until, lambda: ollama.ended or None, "the pull ended")
        ollama.hold_at = None
        return next(one for one in await states_of(offer_at(url)) if one.done_bytes)

    with served(ollama.app()) as url:
        first = asyncio.run(cancel_in_the_middle(url))
    assert first.done_bytes >= GB
    assert ollama.installed == [MODEL]


def test_download_goes_on_after_the_server_died() -> None:
    """A connection that ends in the middle is made again without a question."""
    ollama = library(dies_at=1_000_000_000)
    with served(ollama.app()) as url:
        states = asyncio.run(states_of(offer_at(url)))
    assert "waiting for Ollama" in {one.step for one in states}
    assert states[-1].step == "success"
    assert ollama.pulls == [MODEL, MODEL]


def test_two_pulls_of_a_model_share_its_download() -> None:
    """The second one is told what the first one downloaded."""
    ollama = library(pace=50_000_000)

    async def both(url: str) -> list[list[Snapshot]]:
        return list(await asyncio.gather(*(states_of(offer_at(url)) for _ in range(2))))

    with served(ollama.app()) as url:
        downloads = asyncio.run(both(url))
    assert [states[-1].step for states in downloads] == ["success", "success"]
    assert (ollama.pulls, ollama.installed) == ([MODEL, MODEL], [MODEL])


@pytest.mark.parametrize(
    ("behaviour", "message", "hint"),
    [
        ({"models": {}}, "there is no model 'qwen3:4b-instruct'", "Choose another model"),
        ({"fails_at": (1, NO_NETWORK)}, "no such host", "Check the network"),
        ({"fails_at": (GB, FULL)}, "no space left", "Free some space"),
        ({"fails_at": (1, TOO_OLD)}, "requires a newer version", "Install the newest Ollama"),
        ({"refusal": (500, NO_NETWORK)}, "no such host", "HTTPS_PROXY of Ollama"),
        ({"refusal": (400, "invalid model name")}, "invalid model name", "correct its name"),
        ({"refusal": (429, "")}, "refuses the download", "ollama pull"),
    ],
)
def test_failure_says_what_to_do(behaviour: dict[str, object], message: str, hint: str) -> None:
    """Whether it comes as a status or as a line below status 200."""
    ollama = library()
    for name, value in behaviour.items():
        setattr(ollama, name, value)
    with served(ollama.app()) as url:
        failure = failure_of(offer_at(url))
    assert message in failure
    assert hint in failure
    assert ollama.installed == []


def test_server_that_stays_away_says_what_to_do() -> None:
    """After a few tries."""
    failure = failure_of(offer_at(f"http://127.0.0.1:{free_port()}"))
    assert "does not answer any more" in failure
    assert "Start Ollama again. Try again: the download goes on where it ended." in failure


def test_full_disk_stops_a_download_before_and_in_it() -> None:
    """By the size in the list, or by the one that the server tells."""
    ollama = library()
    with served(ollama.app()) as url:
        failure = failure_of(offer_at(url, free_bytes=3 * GB))
        assert "qwen3:4b-instruct needs 2.49 GB, and its disk has 3 GB free" in failure
        assert ollama.pulls == []
        failure = failure_of(offer_at(url, free_bytes=3 * GB), Recommended(MODEL, 398_000_000))
        assert "Free some space, or choose a smaller model" in failure
    assert ollama.installed == []


def test_offer_depends_on_memory_and_cores() -> None:
    """The proposed model fits and answers at a reader's pace; what also fits is there to choose."""

    def names(memory_gb: float, cores: int) -> list[str]:
        machine = Machine(int(memory_gb * GB), cores)
        return [one.name for one in recommended("Ollama", machine)]

    assert names(2, 4) == []
    assert names(4, 4) == ["qwen2.5:1.5b"]
    assert names(8, 4) == ["qwen3:4b-instruct", "qwen2.5:1.5b"]
    assert names(24, 2)[0] == "qwen2.5:1.5b"
    assert names(16, 8)[0] == "qwen3:8b"
    assert names(64, 16)[0].startswith("qwen3:30b")
    assert recommended("vLLM", LAPTOP) == ()


def test_offer_is_made_where_no_model_chats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a running server, or by Ollama that is installed; not where a model is."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with served(library().app()) as url:
        offer = asyncio.run(find_offer(search_at(Ollama=url), LAPTOP))
        assert offer is not None
        assert (offer.origin, offer.best.name, offer.program) == (url, "qwen3:8b", "")
        assert offer.free_bytes
    with local_server(OLLAMA) as url:
        assert asyncio.run(find_offer(search_at(Ollama=url), LAPTOP)) is None
    nobody = search_at(Ollama=f"http://127.0.0.1:{free_port()}")
    assert asyncio.run(find_offer(nobody, LAPTOP)) is None
    program = tmp_path / "ollama"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    offer = asyncio.run(find_offer(nobody, LAPTOP))
    assert offer is not None
    assert offer.program == str(program)


def test_lm_studio_downloads_by_its_own_api() -> None:
    """A job whose status is read until it is completed; errors say what to do."""

    async def run(origin: str) -> list[Progress]:
        async with open_http() as http:
            return [one async for one in LMStudio(origin, 0.001).download(http, "qwen/qwen3-8b")]

    jobs = LMStudioJobs()
    with served(jobs.app()) as url:
        states = asyncio.run(run(url))
        assert [one.step for one in states] == ["downloading"] * 3 + ["completed"]
        assert states[-1].done_bytes == states[-1].total_bytes > 0
        assert [one.step for one in asyncio.run(run(url))] == ["already_downloaded"]
        for status, hint in ((401, "API tokens"), (404, "LM Studio 0.4"), (500, "window")):
            jobs.refusal = status
            with pytest.raises(DownloadError) as caught:
                asyncio.run(run(url))
            assert hint in caught.value.hint
        jobs.refusal, jobs.fails = 0, True
        with pytest.raises(DownloadError, match="the download failed"):
            asyncio.run(run(url))


def test_llama_cpp_downloads_in_router_mode() -> None:
    """The list of models tells the progress; a cancelled download is unloaded."""
    name = "Qwen/Qwen3-8B-GGUF:Q4_K_M"

    async def run(origin: str, most: int = 99) -> list[Progress]:
        states: list[Progress] = []
        async with (
            open_http() as http,
            aclosing(LlamaCpp(origin, 0.001).download(http, name)) as all_states,
        ):
            async for one in all_states:
                states.append(one)
                if len(states) == most:
                    break
        return states

    router = LlamaRouter()
    with served(router.app()) as url:
        offer = asyncio.run(find_offer(search_at(**{"llama.cpp": url}), LAPTOP))
        assert offer is not None
        assert offer.best.name == name
        asyncio.run(run(url, 1))
        assert router.unloaded == [name]
        states = asyncio.run(run(url))
        assert [one.step for one in states] == ["downloading"] * 3 + ["success"]
        assert states[1].done_bytes > states[0].done_bytes
        assert asyncio.run(find_offer(search_at(**{"llama.cpp": url}), LAPTOP)) is None
        router.models.clear()
        router.fails = True
        with pytest.raises(DownloadError, match="the download failed"):
            asyncio.run(run(url))
        router.refusal = "model validation failed, unable to download"
        with pytest.raises(DownloadError, match="model validation failed"):
            asyncio.run(run(url))


def test_ollama_reads_lines_in_any_pieces() -> None:
    """A line may come in two pieces, and what is no object is skipped."""
    pieces = [b'{"status":"pulling manif', b'est"}\n[1]\n\nno JSON\n{"sta', b'tus":"success"}']

    async def answer(_: Request) -> Response:
        async def body() -> AsyncIterator[bytes]:
            for piece in pieces:
                yield piece
                await asyncio.sleep(0.01)

        return StreamingResponse(body())

    async def run(origin: str) -> list[str]:
        async with open_http() as http:
            return [one.step async for one in Ollama(origin).download(http, MODEL)]

    with served(Starlette(routes=[Route("/api/pull", answer, methods=["POST"])])) as url:
        assert asyncio.run(run(url)) == ["pulling manifest", "success"]
        pieces[-1] = b'tus":"pulling 0a"}'
        with pytest.raises(LostServerError):
            asyncio.run(run(url))
