"""The progress and the failures of a model's download, and the requests that all servers share."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import httpx

from rich_agent.domain.json_values import read_json
from rich_agent.errors import UpstreamError

Json = Mapping[str, object]
_SILENCE_S = 600.0
"""The longest time without a line: a server reads a large file again to verify it."""
_CONNECT_S = 10.0
_MOST_BYTES = 2_000_000
_MESSAGE_CHARS = 400
_REPEAT_HINT = "Try again: the download goes on where it ended."


class DownloadError(UpstreamError):
    """The server does not download the model."""


class LostServerError(DownloadError):
    """The server went away in the middle; another request goes on where this one ended."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The step in the server's words, and the bytes of the files that the server told of so far."""

    step: str
    done_bytes: int = 0
    total_bytes: int = 0


class Downloader(Protocol):
    """A server that downloads models."""

    def download(self, http: httpx.AsyncClient, model: str) -> AsyncGenerator[Progress, None]:
        """Download a model; closing the iterator cancels. Raises: DownloadError."""
        ...


def open_http() -> httpx.AsyncClient:
    """A client for servers of this machine: without proxies, and without redirects."""
    timeout = httpx.Timeout(_CONNECT_S, read=_SILENCE_S)
    return httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=timeout)


@contextmanager
def translate_losses(server: str) -> Iterator[None]:
    """Translate failures of the connection. Raises: LostServerError."""
    try:
        yield
    except httpx.ConnectError as error:
        hint = f"Start {server} again. {_REPEAT_HINT}"
        raise LostServerError(server, "does not answer any more", hint=hint) from error
    except httpx.TimeoutException as error:
        hint = f"Look whether {server} still works. {_REPEAT_HINT}"
        raise LostServerError(server, "has said nothing for minutes", hint=hint) from error
    except httpx.HTTPError as error:
        raise lost_connection(server) from error


def lost_connection(server: str) -> LostServerError:
    """The error of a connection that ended before the download did."""
    hint = f"Look whether {server} still runs. {_REPEAT_HINT}"
    return LostServerError(server, "ended in the middle of the download", hint=hint)


async def read_lines(answer: httpx.Response) -> AsyncIterator[Json]:
    """The JSON objects of a body, one for each line; what is no object is skipped."""
    pending = bytearray()
    async for piece in answer.aiter_bytes():
        *lines, rest = piece.split(b"\n")
        for line in lines:
            pending += line
            content = read_json(bytes(pending))
            pending.clear()
            if isinstance(content, Mapping):
                yield content
        pending += rest
        if len(pending) > _MOST_BYTES:
            return
    content = read_json(bytes(pending)) if pending else None
    if isinstance(content, Mapping):
        yield content


async def request_json(
    http: httpx.AsyncClient, server: str, url: str, body: Json | None = None
) -> tuple[int, Json]:
    """The status of an answer, and its JSON object, {} for anything else; a `body` is posted.

    Raises: LostServerError.
    """
    method = "GET" if body is None else "POST"
    with translate_losses(server):
        async with http.stream(method, url, json=body) as answer:
            content = bytearray()
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > _MOST_BYTES:
                    return answer.status_code, {}
    value = read_json(bytes(content)) if content else None
    return answer.status_code, value if isinstance(value, Mapping) else {}


def message_of(content: Json) -> str:
    """The error in a body, as a text or as an object with a `message`; "" without one."""
    error = content.get("error")
    if isinstance(error, Mapping):
        error = error.get("message")
    return " ".join(error.split())[:_MESSAGE_CHARS] if isinstance(error, str) else ""


def count(value: object) -> int:
    """A number of bytes, 0 for anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 < value < 1e18 else 0  # type: ignore[operator, call-overload]
