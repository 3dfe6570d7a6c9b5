"""The size of a model's context window, as its server reports it."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2
import structlog

from rich_agent.domain.json_values import read_json
from rich_agent.upstreams.servers.capabilities import ModelAccess

_DEADLINE_S = 3.0
_KEPT_S = 300.0
"""Seconds for which a window is stored; a local server may reload a model with another window."""
_OLLAMA_DEFAULT = 4_096
"""Source: Ollama, "Context length"; large graphics cards get more, as `/api/ps` reports."""
# By server: vLLM; LM Studio; Groq; Mistral; OpenRouter and Together; Anthropic.
_NAMES = (
    "max_model_len",
    "loaded_context_length",
    "context_window",
    "max_context_length",
    "context_length",
    "max_input_tokens",
)
Json = Mapping[str, Any]
log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class ServerWindows:
    """The context windows of the models that a turn's prompts go to."""

    accesses: Sequence[ModelAccess]
    _windows: dict[tuple[str, str], int | None] = field(default_factory=dict)
    _asked_at: float | None = None

    async def smallest(self) -> int | None:
        """The smallest window in tokens, None if no server reports one."""
        is_stale = self._asked_at is None or time.monotonic() > self._asked_at + _KEPT_S
        if is_stale and (self._asked_at is None or any(self._windows.values())):
            self._asked_at = time.monotonic()
            access_by_model = {
                (access.role.server, access.role.model): access for access in self.accesses
            }
            windows = await asyncio.gather(*map(_ask, access_by_model.values()))
            self._windows = dict(zip(access_by_model, windows, strict=True))
            for access in self.accesses:
                access.capabilities.window = self._windows[access.role.server, access.role.model]
            log.info(
                "model_windows",
                windows={model: tokens for (_, model), tokens in self._windows.items()},
            )
        return min(filter(None, self._windows.values()), default=None)


async def _ask(access: ModelAccess) -> int | None:
    """The window of one model, None if it cannot be determined."""
    requests = _ServerRequests(access)
    with suppress(TimeoutError):
        async with asyncio.timeout(_DEADLINE_S):
            window = requests.window_in(await requests.get("/models"))
            if window:
                return window
            ollama_window, studio_models, llama_properties = await asyncio.gather(
                requests.of_ollama(), requests.get("/api/v0/models"), requests.get("/props")
            )
            settings = llama_properties.get("default_generation_settings")
            n_ctx = settings.get("n_ctx") if isinstance(settings, Mapping) else None
            return ollama_window or requests.window_in(studio_models) or _tokens(n_ctx)
    return None


@dataclass(frozen=True, slots=True)
class _ServerRequests:
    access: ModelAccess

    async def get(self, path: str, body: Json | None = None) -> Json:
        """The JSON object at a path, {} if there is none. Only `/models` is below the base URL."""
        role = self.access.role
        base = role.base_url.rstrip("/")
        url = base + path if path == "/models" else base.removesuffix("/v1") + path
        headers = {"authorization": f"Bearer {role.api_key}"}
        try:
            answer = await self.access.http.request(
                "POST" if body else "GET", url, json=body, headers=headers, timeout=_DEADLINE_S
            )
        except httpx2.HTTPError:
            return {}
        content = read_json(answer.content) if answer.is_success else {}
        return content if isinstance(content, Mapping) else {}

    def window_in(self, content: Json) -> int | None:
        """The window that the model's entry in a list reports."""
        for entry in self._entries(content.get("data")):
            provider = entry.get("top_provider")
            provider_window = (
                provider.get("context_length") if isinstance(provider, Mapping) else None
            )
            entry_window = next(filter(None, (_tokens(entry.get(name)) for name in _NAMES)), None)
            if window := min(filter(None, (entry_window, _tokens(provider_window))), default=None):
                return window
        return None

    async def of_ollama(self) -> int | None:
        """The window of the running model, else the window that Ollama will start it with."""
        for entry in self._entries((await self.get("/api/ps")).get("models")):
            if running_window := _tokens(entry.get("context_length")):
                return running_window
        details = await self.get("/api/show", {"model": self.access.role.model})
        model_info = details.get("model_info")
        if not isinstance(model_info, Mapping):
            return None
        for line in str(details.get("parameters") or "").splitlines():
            name, _, value = line.strip().partition(" ")
            if name == "num_ctx" and value.strip().isdecimal():
                return int(value)
        window_lengths = (
            _tokens(length)
            for name, length in model_info.items()
            if name.endswith(".context_length")
        )
        return min(_OLLAMA_DEFAULT, *filter(None, window_lengths), _OLLAMA_DEFAULT)

    def _entries(self, items: object) -> Iterator[Json]:
        model = self.access.role.model
        model_names = {model, f"{model}:latest", f"models/{model}"}
        for entry in items if isinstance(items, list) else ():
            entry_names = (
                [entry.get("id"), entry.get("model")] if isinstance(entry, Mapping) else []
            )
            if any(name in entry_names for name in model_names):
                yield entry


def _tokens(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
