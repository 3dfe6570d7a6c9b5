"""LM Studio's `/api/v1/models/download`: a job that goes on by itself, whose status is requested.

The API has no request that cancels a job. Source: LM Studio, "REST API", "Download a model".
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote

import httpx

from rich_agent.upstreams.downloads.progress import (
    DownloadError,
    Json,
    Progress,
    count,
    message_of,
    request_json,
)

_SERVER = "LM Studio"
_INTERVAL_S = 1.0
_HINTS = {
    HTTPStatus.UNAUTHORIZED: "Switch its API tokens off for this machine, or get the model there.",
    HTTPStatus.FORBIDDEN: "Switch its API tokens off for this machine, or get the model there.",
    HTTPStatus.NOT_FOUND: "Install LM Studio 0.4 or newer, or get the model in its window.",
}
_OTHERWISE = "Look at the downloads in LM Studio's window."


@dataclass(frozen=True, slots=True)
class LMStudio:
    """The server at an origin, such as http://127.0.0.1:1234."""

    origin: str
    interval_s: float = _INTERVAL_S

    async def download(self, http: httpx.AsyncClient, model: str) -> AsyncGenerator[Progress, None]:
        """See `Downloader`; cancelled, LM Studio goes on, and tells so in its window."""
        url = f"{self.origin}/api/v1/models/download"
        job = await self._request(http, url, {"model": model})
        status_url = f"{url}/status/{quote(str(job.get('job_id', '')), safe='')}"
        while True:
            status = str(job.get("status", ""))
            if status == "failed":
                raise DownloadError(_SERVER, "the download failed", hint=_OTHERWISE)
            yield Progress(
                status, count(job.get("downloaded_bytes")), count(job.get("total_size_bytes"))
            )
            if status in {"completed", "already_downloaded"}:
                return
            await asyncio.sleep(self.interval_s)
            job = await self._request(http, status_url)

    async def _request(self, http: httpx.AsyncClient, url: str, body: Json | None = None) -> Json:
        status, content = await request_json(http, _SERVER, url, body)
        if status != HTTPStatus.OK:
            message = message_of(content) or f"refuses the download ({status})"
            hint = _HINTS.get(HTTPStatus(status), _OTHERWISE) if status in _HINTS else _OTHERWISE
            raise DownloadError(_SERVER, message, hint=hint)
        return content
