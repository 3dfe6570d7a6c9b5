"""Servers with short names, and the models that a server offers, with their abilities."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.retrieval.embedding_prefixes import Prefixes, known_prefixes

_BILLIONS = re.compile(r"(?<![\w.])(\d{1,4}(?:\.\d{1,2})?) ?([bm])(?![a-z0-9])", re.IGNORECASE)
_LONGEST_NAME = 200
_WINDOWS = ("loaded_context_length", "max_model_len", "max_context_length")
# If a server reports no type, only the name shows that a model does not chat.
_EMBEDS, _DOES_ELSE = ("embed", "bge-"), ("rerank", "whisper", "tts")
Json = Mapping[str, Any]
SERVERS: Mapping[str, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
    "mistral": "https://api.mistral.ai/v1",
    "groq": "https://api.groq.com/openai/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
    "lmstudio": "http://localhost:1234/v1",
    "vllm": "http://localhost:8000/v1",
    "llamacpp": "http://localhost:8080/v1",
}
"""The addresses of servers by short name. Azure has none: its address holds the resource's name."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that a server offers; a value that the server does not report is None.

    `chats`: it writes text.
    `embeds`: it makes vectors.
    `sees`: the server reports that the model accepts images.
    `window`: its context window in tokens.
    `billions`: its parameters, in billions.
    `size_bytes`: the size of its file.
    `dimensions`: the length of its vectors.
    `is_loaded`: it answers without being loaded first.
    """

    name: str
    chats: bool = True
    embeds: bool = False
    sees: bool = False
    uses_tools: bool | None = None
    window: int | None = None
    billions: float | None = None
    size_bytes: int | None = None
    dimensions: int | None = None
    is_loaded: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """The models at an address.

    `title`: the usual name of the server, "" if unknown.
    `passes_on`: the server may forward requests to servers of others.
    `downloads`: the server has an API that downloads models.
    """

    base_url: str
    models: tuple[Offer, ...]
    title: str = ""
    passes_on: bool = False
    downloads: bool = False


def read_offer(entry: Json) -> Offer:
    """Read the abilities of a model from its entry in a list.

    LM Studio and Together report a `type`, OpenRouter an `architecture`, Mistral `capabilities`,
    vLLM its window, llama.cpp the number of parameters.
    """
    name, model_type = str(entry["id"]), str(entry.get("type", ""))
    architecture, mistral_capabilities, meta = (
        _part(entry, "architecture"),
        _part(entry, "capabilities"),
        _part(entry, "meta"),
    )
    is_known = model_type in {"llm", "vlm", "chat"} or model_type.startswith("embedding")
    is_embedder = _has_word(name, _EMBEDS) or known_prefixes(name) != Prefixes()
    embeds = model_type.startswith("embedding") or (not is_known and is_embedder)
    abilities = entry.get("capabilities")
    uses_tools = "tool_use" in abilities if isinstance(abilities, list) else None
    parameters = whole(meta.get("n_params"))
    return Offer(
        name,
        chats=not embeds and (is_known or not _has_word(name, _DOES_ELSE)),
        embeds=embeds,
        sees=model_type == "vlm"
        or "image" in (architecture.get("input_modalities") or ())
        or mistral_capabilities.get("vision") is True,
        uses_tools=uses_tools,
        window=next(filter(None, (whole(entry.get(field_name)) for field_name in _WINDOWS)), None),
        billions=parameters / 1e9 if parameters else billions_in(name),
        size_bytes=whole(meta.get("size")),
        dimensions=whole(meta.get("n_embd")) if embeds else None,
        is_loaded=entry.get("state") == "loaded",
    )


def entries(content: object) -> tuple[Json, ...] | None:
    """The entries of a list of models in OpenAI's form; None for anything else."""
    if not isinstance(content, Mapping) or content.get("object") != "list":
        return None
    items = content.get("data")
    if not isinstance(items, list) or not all(_is_named(item, "id") for item in items):
        return None
    return tuple(items)


def named_entries(content: object, key: str) -> tuple[Json, ...]:
    """The entries of a list of objects that hold a plausible name under `key`."""
    items = content if isinstance(content, list) else ()
    return tuple(item for item in items if _is_named(item, key))


def billions_in(text: str) -> float | None:
    """The billions of parameters in a name or in a size such as "137M"; None without a number."""
    sizes_and_units = [
        (float(number), unit.lower()) for number, unit in _BILLIONS.findall(text[:_LONGEST_NAME])
    ]
    return next((size if unit == "b" else size / 1000 for size, unit in sizes_and_units), None)


def whole(value: object) -> int | None:
    """A positive integer, None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def words(value: object) -> Sequence[str]:
    """The texts in a list; an empty list for anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _part(entry: Json, name: str) -> Json:
    part = entry.get(name)
    return part if isinstance(part, Mapping) else {}


def _has_word(name: str, candidates: Sequence[str]) -> bool:
    return any(word in name.lower() for word in candidates)


def _is_named(entry: object, key: str) -> bool:
    name = entry.get(key) if isinstance(entry, Mapping) else None
    return isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME and name.isprintable()
