"""A llama.cpp server in router mode: `POST /models` downloads, `/models/unload` cancels.

Source: llama.cpp, tools/server/README.md, "Using multiple models".
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

import httpx

from rich_agent.upstreams.downloads.progress import (
    DownloadError,
    Json,
    Progress,
    count,
    message_of,
    request_json,
)

_SERVER = "llama.cpp"
_INTERVAL_S = 1.0
_OTHERWISE = "Look at the output of llama-server: it says what the download ended with."


@dataclass(frozen=True, slots=True)
class LlamaCpp:
    """The server at an origin, such as http://127.0.0.1:8080."""

    origin: str
    interval_s: float = _INTERVAL_S

    async def download(self, http: httpx.AsyncClient, model: str) -> AsyncGenerator[Progress, None]:
        """See `Downloader`."""
        if await self._status(http, model) is None:
            await self._post(http, "/models", model)
        is_over = False
        try:
            while True:
                status = await self._status(http, model) or {}
                if status.get("value") not in {"downloading", "downloaded"}:
                    is_over = True
                    break
                yield _progress(status)
                await asyncio.sleep(self.interval_s)
        finally:
            if not is_over:
                with suppress(DownloadError):
                    await self._post(http, "/models/unload", model)
        status = await self._status(http, model, "?reload=1") or {"failed": True}
        if status.get("failed"):
            raise DownloadError(_SERVER, "the download failed", hint=_OTHERWISE)
        yield Progress("success")

    async def _status(self, http: httpx.AsyncClient, model: str, query: str = "") -> Json | None:
        _, content = await request_json(http, _SERVER, f"{self.origin}/models{query}")
        entries = content.get("data")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping) and entry.get("id") == model:
                status = entry.get("status")
                progress = {"progress": entry.get("progress")}
                return progress | dict(status) if isinstance(status, Mapping) else progress
        return None

    async def _post(self, http: httpx.AsyncClient, path: str, model: str) -> None:
        status, content = await request_json(http, _SERVER, self.origin + path, {"model": model})
        if status != HTTPStatus.OK:
            message = message_of(content) or f"refuses the download ({status})"
            raise DownloadError(_SERVER, message, hint=_OTHERWISE)


def _progress(status: Json) -> Progress:
    files = status.get("progress")
    parts = (
        [one for one in files.values() if isinstance(one, Mapping)]
        if isinstance(files, Mapping)
        else []
    )
    return Progress(
        str(status.get("value", "")),
        sum(count(one.get("done")) for one in parts),
        sum(count(one.get("total")) for one in parts),
    )
