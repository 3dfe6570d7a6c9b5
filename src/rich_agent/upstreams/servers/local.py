"""Finds the model servers on this machine.

Only numeric loopback addresses are requested, proxies are bypassed, and no redirect is followed.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx

from rich_agent.domain.json_values import read_json
from rich_agent.upstreams.servers.offers import (
    Json,
    Offer,
    Offers,
    billions_in,
    entries,
    named_entries,
    read_offer,
    whole,
    words,
)

_LOOPBACK = ("127.0.0.1", "[::1]")
_MOST_BYTES = 2_000_000
_MOST_SHOWN = 40
"""The number of Ollama's models whose details are requested."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Deadlines in seconds: of one request, and of the whole search."""

    request_s: float = 0.3
    search_s: float = 1.0


@dataclass(frozen=True, slots=True)
class Asking:
    """Requests to a server at an origin, such as http://127.0.0.1:8000."""

    http: httpx.AsyncClient
    origin: str
    deadline_s: float

    async def get(self, path: str, body: Json | None = None) -> object:
        """The JSON at a path; None if there is none within the deadline. A `body` is posted."""
        method = "GET" if body is None else "POST"
        try:
            async with asyncio.timeout(self.deadline_s):
                return await self._read(method, self.origin + path, body)
        except (TimeoutError, httpx.HTTPError):
            return None

    async def _read(self, method: str, url: str, body: Json | None) -> object:
        async with self.http.stream(method, url, json=body) as answer:
            if answer.status_code != httpx.codes.OK:
                return None
            content = bytearray()
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > _MOST_BYTES:
                    return None
        return read_json(bytes(content))

    async def part(self, path: str, body: Json | None = None) -> Json:
        """The JSON object at a path, {} if there is none."""
        content = await self.get(path, body)
        return content if isinstance(content, Mapping) else {}


Reader = Callable[[Asking, "ServerPlace"], Awaitable[Offers | None]]


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """A port on which a kind of server listens by default.

    `read`: reads the server's offers, None if another program answers.
    `api`: the path of the server's OpenAI-compatible API.
    `owner`: the `owned_by` of its models, which tells it from other servers on the same port.
    `passes_on`: the server may forward requests to servers of others.
    """

    port: int
    title: str
    read: Reader
    api: str = "/v1"
    owner: str = ""
    passes_on: bool = False


async def find_local_servers(
    places: Sequence[ServerPlace], patience: Patience | None = None
) -> list[Offers]:
    """The model servers that answer on this machine, in the order of `places`.

    One without models is among them if it can download some.
    """
    deadlines = patience or Patience()
    # All addresses are http. Loading certificates would take longer than the search.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    async with httpx.AsyncClient(trust_env=False, verify=context, follow_redirects=False) as http:
        offers = await asyncio.gather(*(_at(http, place, deadlines) for place in places))
    return [server for server in offers if server and (server.models or server.downloads)]


async def _at(http: httpx.AsyncClient, place: ServerPlace, deadlines: Patience) -> Offers | None:
    """The server at a place; if both addresses of this machine answer, the first one."""
    requests = [
        Asking(http, f"http://{host}:{place.port}", deadlines.request_s) for host in _LOOPBACK
    ]
    try:
        async with asyncio.timeout(deadlines.search_s):
            offers = await asyncio.gather(*(place.read(request, place) for request in requests))
    except TimeoutError:
        return None
    return next(filter(None, offers), None)


async def read_model_list(asking: Asking, place: ServerPlace) -> Offers | None:
    """Read a server that has only OpenAI's list of models."""
    entries_json = entries(await asking.get(f"{place.api}/models"))
    if entries_json is None:
        return None
    is_of_owner = not place.owner or any(
        entry.get("owned_by") == place.owner for entry in entries_json
    )
    models = tuple(replace(read_offer(entry), is_loaded=True) for entry in entries_json)
    title = place.title if is_of_owner else ""
    return Offers(asking.origin + place.api, models, title, place.passes_on)


async def read_llama_cpp(asking: Asking, place: ServerPlace) -> Offers | None:
    """Read a server whose /props report the window and the vision of its one model.

    In router mode it has several models, and downloads others. A server without such /props gets
    no title. Source: llama.cpp, tools/server/README.md.
    """
    server, props = await asyncio.gather(read_model_list(asking, place), asking.part("/props"))
    generation = props.get("default_generation_settings")
    if server is None or not isinstance(generation, Mapping):
        return replace(server, title="") if server else None
    if props.get("role") == "router":
        return replace(server, downloads=True)
    modalities = props.get("modalities")
    sees = isinstance(modalities, Mapping) and modalities.get("vision") is True
    models = tuple(
        replace(model, sees=sees, window=whole(generation.get("n_ctx"))) for model in server.models
    )
    return replace(server, models=models)


async def read_lm_studio(asking: Asking, place: ServerPlace) -> Offers | None:
    """Read LM Studio's own list, which has types and windows. Source: LM Studio, "REST API v0"."""
    model_entries = entries(await asking.get("/api/v0/models"))
    if model_entries is None:
        return await read_model_list(asking, place)
    models = tuple(map(read_offer, model_entries))
    return Offers(asking.origin + place.api, models, place.title, downloads=True)


async def read_ollama(asking: Asking, place: ServerPlace) -> Offers | None:
    """Read Ollama's models, without those that it would forward to ollama.com.

    Source: Ollama, "API": /api/tags, /api/show, /api/ps.
    """
    tags, running = await asyncio.gather(asking.part("/api/tags"), asking.part("/api/ps"))
    if not isinstance(tags.get("models"), list):
        return None
    all_tags = named_entries(tags["models"], "name")
    local_tags = [entry for entry in all_tags if not entry.get("remote_host")]
    details = await asyncio.gather(
        *(asking.part("/api/show", {"model": entry["name"]}) for entry in local_tags[:_MOST_SHOWN])
    )
    running_model_by_name = {
        entry["name"]: entry for entry in named_entries(running.get("models"), "name")
    }
    models = tuple(
        _of_ollama(tag, about, running_model_by_name.get(tag["name"]))
        for tag, about in zip(local_tags, details, strict=False)
    )
    downloads = len(all_tags) == len(tags["models"])
    return Offers(asking.origin + place.api, models, place.title, downloads=downloads)


def _of_ollama(tag: Json, details_json: Json, running: Json | None) -> Offer:
    name, details = str(tag["name"]), tag.get("details")
    parameter_size = details.get("parameter_size") if isinstance(details, Mapping) else None
    capabilities: Sequence[str] | None = words(details_json.get("capabilities")) or None
    guess = read_offer({"id": name})
    model_info = details_json.get("model_info")
    return Offer(
        name,
        chats="completion" in capabilities if capabilities else guess.chats,
        embeds="embedding" in capabilities if capabilities else guess.embeds,
        sees="vision" in (capabilities or ()),
        uses_tools="tools" in capabilities if capabilities else None,
        window=whole((running or {}).get("context_length"))
        or _figure(model_info, ".context_length"),
        billions=billions_in(str(parameter_size)) if parameter_size else guess.billions,
        size_bytes=whole(tag.get("size")),
        dimensions=_figure(model_info, ".embedding_length"),
        is_loaded=running is not None,
    )


def _figure(model_info: object, ending: str) -> int | None:
    """The value of the model's property with this ending, such as `qwen3.context_length`."""
    figures: Mapping[Any, Any] = model_info if isinstance(model_info, Mapping) else {}
    return next(
        (whole(value) for name, value in figures.items() if str(name).endswith(ending)), None
    )


USUAL_PLACES = (
    ServerPlace(11434, "Ollama", read_ollama),
    ServerPlace(1234, "LM Studio", read_lm_studio),
    ServerPlace(8080, "llama.cpp", read_llama_cpp),
    ServerPlace(8000, "vLLM", read_model_list, owner="vllm"),
    ServerPlace(1337, "Jan", read_model_list),
    ServerPlace(12434, "Docker Model Runner", read_model_list, api="/engines/v1"),
    ServerPlace(5001, "KoboldCpp", read_model_list),
    ServerPlace(30000, "SGLang", read_model_list),
    ServerPlace(4000, "LiteLLM", read_model_list, passes_on=True),
)
"""The default ports by the servers' own documentation; LocalAI uses the port of llama.cpp."""
