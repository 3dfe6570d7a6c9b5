"""The download of an offered model: its progress, its time left, its disk; for page and terminal.

A lost connection is tried again, since every server goes on where it ended.
"""

import asyncio
import os
import subprocess
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from rich_agent.commands.model_choice import ModelSearch
from rich_agent.commands.model_offer import (
    DownloadOffer,
    Machine,
    Recommended,
    in_words,
    offer_from,
)
from rich_agent.errors import RichAgentError
from rich_agent.terminal.console import StatusLine, out
from rich_agent.upstreams.downloads.llama_cpp import LlamaCpp
from rich_agent.upstreams.downloads.lm_studio import LMStudio
from rich_agent.upstreams.downloads.ollama import Ollama
from rich_agent.upstreams.downloads.progress import (
    Downloader,
    DownloadError,
    LostServerError,
    Progress,
    open_http,
    request_json,
)
from rich_agent.upstreams.servers.offers import Offers

_WAITS_S = (1.0, 2.0, 4.0, 8.0)
_INTERVAL_S = 0.25
_RATE_S = 15.0
_START_S = 30.0
_DOWNLOADERS: dict[str, type[Ollama | LMStudio | LlamaCpp]] = {
    "Ollama": Ollama,
    "LM Studio": LMStudio,
    "llama.cpp": LlamaCpp,
}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a download for a person; `left_s` is None while nothing can be said."""

    step: str
    done_bytes: int = 0
    total_bytes: int = 0
    left_s: int | None = None

    @property
    def percent(self) -> int:
        """The whole percent of what the server told of so far."""
        return self.done_bytes * 100 // self.total_bytes if self.total_bytes else 0

    def explain(self) -> str:
        """The state in one line."""
        if not self.total_bytes:
            return self.step
        sizes = f"{in_words(self.done_bytes)} of {in_words(self.total_bytes)}"
        left = f", {_duration(self.left_s)} left" if self.left_s else ""
        return f"{self.percent} % ({sizes}{left})"


@dataclass(slots=True)
class _Rate:
    """The bytes of the last seconds, which tell the time left."""

    points: deque[tuple[float, int]] = field(default_factory=deque)

    def snapshot(self, progress: Progress) -> Snapshot:
        """The progress with its time left."""
        now = time.monotonic()
        self.points.append((now, progress.done_bytes))
        while self.points[0][0] < now - _RATE_S:
            self.points.popleft()
        began, first_bytes = self.points[0]
        missing = progress.total_bytes - progress.done_bytes
        came = progress.done_bytes - first_bytes
        left_s = round(missing * (now - began) / came) if came > 0 and missing > 0 else None
        return Snapshot(progress.step, progress.done_bytes, progress.total_bytes, left_s)


async def download(offer: DownloadOffer, model: Recommended) -> AsyncGenerator[Snapshot, None]:
    """Yield the state a few times a second, and last when the model is there.

    Closing the iterator cancels. Raises: RichAgentError that says what to do.
    """
    _check_room(offer, model.size_bytes, model)
    downloader = _DOWNLOADERS[offer.server.title](offer.origin)
    rate, waits, most_bytes = _Rate(), list(_WAITS_S), -1
    async with open_http() as http:
        while True:
            try:
                async with aclosing(_throttled(downloader, http, model.name)) as steps:
                    async for progress in steps:
                        _check_room(offer, progress.total_bytes - progress.done_bytes, model)
                        if progress.done_bytes > most_bytes:
                            most_bytes, waits = progress.done_bytes, list(_WAITS_S)
                        yield rate.snapshot(progress)
                    return
            except LostServerError:
                if not waits:
                    raise
            rate = _Rate()
            yield Snapshot(f"waiting for {offer.server.title}", max(most_bytes, 0))
            await asyncio.sleep(waits.pop(0))


async def _throttled(
    downloader: Downloader, http: httpx.AsyncClient, model: str
) -> AsyncGenerator[Progress, None]:
    """The progress without what follows too soon, unless its step is another."""
    shown_at, step = 0.0, ""
    async with aclosing(downloader.download(http, model)) as states:
        async for progress in states:
            now = time.monotonic()
            if progress.step != step or now - shown_at >= _INTERVAL_S:
                shown_at, step = now, progress.step
                yield progress


def _check_room(offer: DownloadOffer, size_bytes: int, model: Recommended) -> None:
    if offer.has_room(size_bytes):
        return
    free = in_words(offer.free_bytes or 0)
    raise DownloadError(
        offer.server.title,
        f"{model.name} needs {in_words(size_bytes)}, and its disk has {free} free",
        hint="Free some space, or choose a smaller model.",
    )


@contextmanager
def started(offer: DownloadOffer) -> Iterator[None]:
    """Ollama as a process of this one while the block runs, where it was only installed."""
    if not offer.program:
        yield
        return
    environment = os.environ | {"OLLAMA_HOST": urlsplit(offer.origin).netloc}
    process = subprocess.Popen(  # noqa: S603 - the user's own Ollama
        [offer.program, "serve"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)


async def wait_for_server(offer: DownloadOffer) -> None:
    """Return once the server answers. Raises: RichAgentError."""
    try:
        async with open_http() as http, asyncio.timeout(_START_S):
            while True:
                with suppress(LostServerError):
                    await request_json(http, offer.server.title, f"{offer.origin}/api/version")
                    return
                await asyncio.sleep(0.2)
    except TimeoutError:
        hint = "Run `ollama serve` in a terminal to see why."
        raise RichAgentError("Ollama does not start", hint=hint) from None


async def offer_in_terminal(
    servers: Sequence[Offers], search: ModelSearch, confirm: Callable[[str], bool]
) -> bool:
    """Offer a download where none of these servers has a model that chats; whether it was made.

    Where none can download, the way to one that can is told. Raises: RichAgentError.
    """
    offer = offer_from(servers, search, Machine.here())
    if offer is None:
        return False
    if offer.program:
        out("  Ollama is installed: run `ollama serve` in another terminal to have its models")
        return False
    room = f", {in_words(offer.free_bytes)} free" if offer.free_bytes else ""
    question = f"  Have {offer.server.title} download {offer.best.name} ({offer.best.size}{room})?"
    if not confirm(question):
        return False
    with StatusLine() as status:
        async with aclosing(download(offer, offer.best)) as states:
            async for state in states:
                status.show(f"  {state.explain()}")
    out(f"  {offer.best.name} is there")
    return True


def _duration(seconds: int | None) -> str:
    minutes, rest = divmod(seconds or 0, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{rest} s"
