"""The endpoint at which services report that a source has changed.

The content of an event is neither trusted nor kept: an event only makes the source's jobs due.
"""

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from rich_agent.feature import DatabaseUnavailableError
from rich_agent.feature.connectors import HOOK_PATH, SourceHooks, SourceJob
from rich_agent.feature.web import OpenRoute, RateLimit, network_of, retry_after
from rich_agent.features.connectors.event_proofs import EventProof

MOST_BYTES: Final = 25_000_000
"""Size of the largest event that GitHub sends. An event is read in parts, which are not kept."""
TRIES_A_MINUTE: Final = 20
_FRESH_S: Final = 2.0
_RETRY_AFTER_S: Final = 30.0
_JOBS: Final[Mapping[str, tuple[SourceJob, ...]]] = {
    "": ("content", "rights"),
    "content": ("content",),
    "rights": ("rights",),
}
_log = structlog.get_logger()


@dataclass(slots=True)
class EventEndpoint:
    """Takes events. A caller without a secret does not even learn which sources exist.

    `tries`: limits the failed events of a network, except for sources of which the network sent a
    genuine event before.
    `read_s`: the deadline to read an event.
    `store_s`: the deadline of a database call.
    """

    hooks: SourceHooks
    tries: RateLimit = field(default_factory=lambda: RateLimit(TRIES_A_MINUTE))
    read_s: float = 10.0
    store_s: float = 5.0
    _genuine: RateLimit = field(default_factory=lambda: RateLimit(0))
    _secrets: "_SecretCache" = field(init=False)
    _writing_of: "defaultdict[tuple[str, str], _EventWriting]" = field(
        default_factory=lambda: defaultdict(_EventWriting)
    )

    def __post_init__(self) -> None:
        self._secrets = _SecretCache(self.hooks)

    def routes(self) -> list[OpenRoute]:
        """The routes for events about a source, and about one of its jobs."""
        paths = (HOOK_PATH + "/{source}", HOOK_PATH + "/{source}/{job}")
        return [OpenRoute(path, self.receive, ("POST",)) for path in paths]

    async def receive(self, request: Request) -> Response:
        """Make the jobs of a source due; answer 202, or a refusal with its reason."""
        try:
            return await self._receive(request)
        except ClientDisconnect:
            return PlainTextResponse("incomplete", 408)
        except (DatabaseUnavailableError, TimeoutError) as error:
            _log.warning("hook.unavailable", error=str(error) or f"not within {self.store_s:g} s")
            return PlainTextResponse("try again", 503, retry_after(_RETRY_AFTER_S))

    async def _receive(self, request: Request) -> Response:
        source_id, job = request.path_params["source"], request.path_params.get("job", "")
        network = network_of(request)
        if not self._genuine.remembers((network, source_id)) and (
            wait_s := self.tries.wait_s(network)
        ):
            return PlainTextResponse("too many tries", 429, retry_after(wait_s))
        async with asyncio.timeout(self.store_s):
            secret = await self._secrets.of(source_id)
        proof = EventProof(secret, request.headers)
        if refusal := await self._read(request, proof):
            return refusal
        if not proof.is_genuine or job not in _JOBS:
            self.tries.take(network)
            return PlainTextResponse("the address or the secret is wrong", 403)
        self._genuine.take((network, source_id))
        async with asyncio.timeout(self.store_s):
            await self._writing_of[source_id, job].note_event(self.hooks, source_id, _JOBS[job])
        return PlainTextResponse("accepted", 202)

    async def _read(self, request: Request, proof: EventProof) -> Response | None:
        """Read the body into the proof; return a refusal if the body is too large or too slow."""
        length = request.headers.get("content-length", "")
        announced_bytes = int(length) if length.isdecimal() else 0
        read_bytes = 0
        try:
            async with asyncio.timeout(self.read_s):
                if announced_bytes <= MOST_BYTES:
                    async for part in request.stream():
                        proof.feed(part)
                        read_bytes += len(part)
                        if read_bytes > MOST_BYTES:
                            break
        except TimeoutError:
            return PlainTextResponse("incomplete", 408)
        if max(announced_bytes, read_bytes) > MOST_BYTES:
            return PlainTextResponse("too large", 413)
        return None


@dataclass(slots=True)
class _SecretCache:
    """The secrets of all hooks, read at most every two seconds even if many requests arrive."""

    hooks: SourceHooks
    _secrets: Mapping[str, str] = field(default_factory=dict)
    _asked_at: float = -_FRESH_S
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, source: str) -> str:
        """The secret of a source.

        For a source without a hook, it is random, so that nobody knows it.
        """
        async with self._asking:
            if time.monotonic() - self._asked_at >= _FRESH_S:
                self._secrets = await self.hooks.secrets()
                self._asked_at = time.monotonic()
        return self._secrets.get(source) or secrets.token_urlsafe()


@dataclass(slots=True)
class _EventWriting:
    """Writes events of a source. Events that arrive during a write share the next statement."""

    _begun: int = 0
    _done: int = 0
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def note_event(
        self, hooks: SourceHooks, source: str, jobs: tuple[SourceJob, ...]
    ) -> None:
        """Return once a statement that began after this call is committed."""
        needed_statement = self._begun + 1
        async with self._writing:
            if self._done >= needed_statement:
                return
            self._begun += 1
            statement_number = self._begun
            await hooks.note_event(source, jobs)
            self._done = statement_number
