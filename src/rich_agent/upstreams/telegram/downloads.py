"""Downloads of files that users sent, over separate connections."""

import asyncio

import httpx

from rich_agent.errors import (
    ImageRefusedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)

_SERVICE = "telegram"
_CONNECTIONS = 16
_SERVER_ERROR = 500
_AS_IT_IS = {"Accept-Encoding": "identity"}


class Downloads:
    """Downloads files over separate connections, so that a slow one does not delay answers."""

    def __init__(self, max_bytes: int, deadline_s: float, *, trust_env: bool) -> None:
        self._max_bytes = max_bytes
        self._deadline_s = deadline_s
        self._http = httpx.AsyncClient(
            trust_env=trust_env,
            timeout=deadline_s,
            limits=httpx.Limits(max_connections=_CONNECTIONS),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def fetch(self, url: str) -> bytes:
        """Return the bytes of the file at a URL.

        Raises: ImageRefusedError("too_large"), UpstreamTimeoutError, UpstreamUnavailableError,
            UpstreamRefusedError.
        """
        try:
            async with asyncio.timeout(self._deadline_s):
                return await self._read(url)
        except (TimeoutError, httpx.TimeoutException):
            raise UpstreamTimeoutError(_SERVICE, self._deadline_s) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            error_name = type(error).__name__
            raise UpstreamUnavailableError(
                _SERVICE, f"the file did not arrive: {error_name}"
            ) from None

    async def _read(self, url: str) -> bytes:
        content = bytearray()
        async with self._http.stream("GET", url, headers=_AS_IT_IS) as response:
            if response.status_code != httpx.codes.OK:
                raise _refusal(response.status_code)
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > self._max_bytes:
                    raise ImageRefusedError("too_large", f"over {self._max_bytes:,} bytes")
        return bytes(content)


def _refusal(status: int) -> UpstreamUnavailableError | UpstreamRefusedError:
    message = f"the file server answers {status}"
    if status >= _SERVER_ERROR or status == httpx.codes.TOO_MANY_REQUESTS:
        return UpstreamUnavailableError(_SERVICE, message)
    return UpstreamRefusedError(_SERVICE, message)
