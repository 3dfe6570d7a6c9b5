"""Requests to the REST interfaces of services. Refusals become messages for people."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

import httpx
from httpcore import AsyncNetworkBackend

from rich_agent.documents.connectors.port import ConnectorError
from rich_agent.documents.fetch.bodies import read_body
from rich_agent.documents.fetch.errors import FetchError
from rich_agent.documents.fetch.outcomes import Unreadable
from rich_agent.domain.intranet import Intranet
from rich_agent.upstreams.guarded_network import (
    GuardedBackend,
    GuardedTransport,
    HostRefusedError,
    HostUnknownError,
)
from rich_agent.upstreams.proxied_network import ProxiedBackend
from rich_agent.upstreams.servers.retry_after import wait_from

Params = Mapping[str, str | int]

_MOST_WORDS = 300
_ATTEMPTS = 3
_CONNECTIONS = 4


class ServiceRefusedError(ConnectorError):
    """The service refused a request.

    `status` is the HTTP status, `body` the JSON of the answer, None without JSON. `after_s` is the
    number of seconds that the service asked to wait, None if it asked for none.
    """

    def __init__(  # noqa: PLR0913 - what a refusal consists of
        self,
        reason: str,
        *,
        status: int,
        body: object,
        hint: str,
        after_s: float | None = None,
        is_refused: bool = False,
    ) -> None:
        super().__init__(reason, hint=hint, after_s=after_s, is_refused=is_refused)
        self.status = status
        self.body = body


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    return wait_from(headers.get("Retry-After"), time.time())


@dataclass(frozen=True, slots=True)
class RestService:
    """A service with a REST interface."""

    name: str
    base_url: str
    auth: httpx.Auth
    hints: Mapping[int, str]
    """Advice to the operator, by HTTP status."""
    says_busy: Callable[[object], bool] = lambda _: False
    """Tells from the JSON of a refusal whether there were too many requests."""
    asked_wait_s: Callable[[Mapping[str, str]], float | None] = _retry_after_s
    """Tells from the headers of a refusal for how long the service wants no request."""
    uses_proxy: bool = False
    """Whether the proxy of the environment leads to the service."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Time limits of a request, and pauses before a retry, in seconds."""

    timeout_s: float = 30.0  # without receiving a byte
    deadline_s: float = 300.0  # for a complete answer
    longest_rest_s: float = 60.0  # that a service may ask for
    pause_s: float = 1.0
    most_json_bytes: int = 50_000_000


class RestClient:
    """Reads JSON and files of a service.

    A failing request is tried up to three times, unless the service asks for a long pause.
    Otherwise one failure would end a listing of a thousand requests. `intranet` names the hosts
    outside the public internet that may be reached; redirects to another of these hosts are
    refused.
    """

    def __init__(
        self,
        service: RestService,
        intranet: Intranet | None = None,
        limits: RequestLimits | None = None,
    ) -> None:
        self._service = service
        self._limits = limits or RequestLimits()
        backend: AsyncNetworkBackend = GuardedBackend(intranet or Intranet(), home=service.base_url)
        if service.uses_proxy:
            backend = ProxiedBackend(backend, httpx.URL(service.base_url).host.__eq__)
        self._client = httpx.AsyncClient(
            transport=GuardedTransport(backend, _CONNECTIONS),
            base_url=service.base_url,
            auth=service.auth,
            timeout=self._limits.timeout_s,
            trust_env=False,
            follow_redirects=True,  # without the login, if the redirect leads to another host
            event_hooks={"response": [_refuse_redirected_login]},
            headers={
                "User-Agent": f"rich-agent/{version('rich-agent')}",
                "Accept-Encoding": "gzip, deflate",
            },
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get(self, path: str, params: Params | None = None) -> Mapping[str, Any]:
        """The JSON object at a path. Raises: ConnectorError."""
        async with self._answer(path, params) as response:
            content = await self._json(response)
        if not isinstance(content, Mapping):
            raise ConnectorError(
                f"{self._service.name}: {response.url.host} answers with something else than JSON",
                hint="Check the address.",
                is_refused=True,
            )
        return content

    async def download(
        self, path: str, most_bytes: int, params: Params | None = None
    ) -> bytes | None:
        """The bytes at a path, None if there are more than `most_bytes`. Raises: ConnectorError."""
        async with self._answer(path, params) as response:
            if _length(response) > most_bytes:
                return None
            try:
                return await read_body(response, most_bytes)
            except FetchError as error:
                if error.problem == "too_large":
                    return None
                raise ConnectorError(f"{self._service.name}: {error}") from error

    @asynccontextmanager
    async def _answer(self, path: str, params: Params | None) -> AsyncIterator[httpx.Response]:
        """A successful response, whose body is not read yet. Raises: ConnectorError."""
        # Merged: httpx drops the query of an address if it is given parameters, even none.
        url = httpx.URL(path).copy_merge_params(params or {})
        try:
            for attempt in range(1, _ATTEMPTS + 1):
                async with asyncio.timeout(self._limits.deadline_s), self._stream(url) as response:
                    if response.is_success:
                        yield response
                        return
                    wait_s = await self._wait_s(response, attempt)
                await asyncio.sleep(wait_s)
        except (HostRefusedError, HostUnknownError) as error:
            is_refused = isinstance(error, HostRefusedError)
            raise ConnectorError(f"{self._service.name}: {error}", is_refused=is_refused) from error
        except httpx.TimeoutException as error:
            raise ConnectorError(
                f"{self._service.name}: no answer within {self._limits.timeout_s:g} s"
            ) from error
        except TimeoutError as error:
            raise ConnectorError(
                f"{self._service.name}: not complete within {self._limits.deadline_s:g} s"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            reason = str(error) or type(error).__name__
            raise ConnectorError(
                f"{self._service.name}: no connection: {reason}", hint="Check the address."
            ) from error

    def _stream(self, url: httpx.URL) -> AbstractAsyncContextManager[httpx.Response]:
        return self._client.stream("GET", url)

    async def _wait_s(self, response: httpx.Response, attempt: int) -> float:
        """Seconds until the same request may be sent again. Raises: ConnectorError."""
        status = response.status_code
        retry_after_s = self._service.asked_wait_s(response.headers)
        body = await self._json(response)
        is_busy = status == HTTPStatus.TOO_MANY_REQUESTS or self._service.says_busy(body)
        if (is_busy or status >= HTTPStatus.INTERNAL_SERVER_ERROR) and attempt < _ATTEMPTS:
            wait_s = self._limits.pause_s * attempt if retry_after_s is None else retry_after_s
            if wait_s <= self._limits.longest_rest_s:
                return wait_s
        message = "too many requests" if is_busy else _error_message(body) or response.reason_phrase
        raise ServiceRefusedError(
            f"{self._service.name}: {message} (HTTP {status})",
            status=status,
            body=body,
            hint=self._service.hints.get(status, ""),
            after_s=retry_after_s,
            is_refused=not is_busy and status < HTTPStatus.INTERNAL_SERVER_ERROR,
        )

    async def _json(self, response: httpx.Response) -> object:
        """The JSON of a response, None without JSON."""
        try:
            content: object = json.loads(await read_body(response, self._limits.most_json_bytes))
        except (FetchError, ValueError, RecursionError):
            return None
        return content


async def _refuse_redirected_login(response: httpx.Response) -> None:
    """Stop a request that signs in from being redirected. Raises: ConnectorError for a redirect."""
    if response.request.method != "GET" and response.has_redirect_location:
        host = response.request.url.host
        raise ConnectorError(f"{host} leads to another address", is_refused=True)


def too_large(url: str, most_bytes: int) -> Unreadable:
    """The outcome of a document of more than `most_bytes`."""
    return Unreadable(url, f"the file is larger than {most_bytes / 1_000_000:g} MB")


def _length(response: httpx.Response) -> int:
    """The number of bytes that the server announces, 0 if it announces none."""
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _error_message(body: object) -> str:
    """The message in the JSON of a refusal, in one of the forms that services use; "" without."""
    if not isinstance(body, Mapping):
        return ""
    error = body.get("error")
    errors = body.get("errors")
    messages = (
        body.get("message"),
        body.get("error_description"),
        error.get("message") or error.get("detail") if isinstance(error, Mapping) else error,
        errors[0].get("title")
        if isinstance(errors, list) and errors and isinstance(errors[0], Mapping)
        else None,
    )
    return next((message for message in messages if isinstance(message, str) and message), "")[
        :_MOST_WORDS
    ]
