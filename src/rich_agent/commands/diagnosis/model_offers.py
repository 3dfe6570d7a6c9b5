"""Which models a server offers, and what each can do, as far as the server tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent.composition.model_server import TIMEOUT_S, open_client
from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import UpstreamRefusedError
from rich_agent.upstreams.servers.refusals import translate_openai_errors

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
"""The addresses of servers that can be named instead; Azure's holds the name of the resource."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model; `embeds` when it makes vectors, `sees` when it is told to take images."""

    name: str
    embeds: bool = False
    sees: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """The models at an address, which may have been completed by its /v1."""

    base_url: str
    models: tuple[Offer, ...]


async def find_offers(base_url: str, api_key: str) -> Offers:
    """The models of a server, no matter whether its address was given with its /v1.

    Raises: UpstreamError.
    """
    role = ModelRole("", base_url, api_key, timeout_s=TIMEOUT_S)
    try:
        return await _list(role)
    except UpstreamRefusedError:
        if base_url.endswith("/v1"):
            raise
        return await _list(ModelRole("", f"{base_url}/v1", api_key, timeout_s=TIMEOUT_S))


async def vector_length(base_url: str, api_key: str, model: str) -> int:
    """The number of values in a vector of the model. Raises: UpstreamError."""
    role = ModelRole(model, base_url, api_key, timeout_s=TIMEOUT_S, model_setting="EMBEDDING_MODEL")
    with translate_openai_errors("embeddings", role):
        async with open_client(role.base_url, role.api_key) as client:
            answer = await client.embeddings.create(
                model=model, input=["hi"], encoding_format="float"
            )
        return len(answer.data[0].embedding)


async def _list(role: ModelRole) -> Offers:
    with translate_openai_errors("model server", role):
        async with open_client(role.base_url, role.api_key) as client:
            told = [model.model_dump() async for model in client.models.list()]
    return Offers(role.base_url, tuple(_read(one) for one in told))


def _read(told: Mapping[str, Any]) -> Offer:
    """Read what an entry of the list says of its model.

    LM Studio and Together tell a `type`, OpenRouter an `architecture`, Mistral `capabilities`.
    Of a server that tells nothing, only the name shows that a model makes vectors.
    """
    name, kind = str(told["id"]), str(told.get("type", ""))
    architecture, abilities = told.get("architecture"), told.get("capabilities")
    takes = architecture.get("input_modalities", ()) if isinstance(architecture, dict) else ()
    can = abilities if isinstance(abilities, dict) else {}
    return Offer(
        name,
        embeds=kind.startswith("embedding") or "embed" in name.lower(),
        sees=kind == "vlm" or "image" in takes or can.get("vision") is True,
    )
