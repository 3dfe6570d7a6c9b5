"""Chooses among the models that run on this machine, and describes the choice in one line.

A server on this machine may be used without a question. A key of another program is only told.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import ValidationError

from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from rich_agent.errors import UpstreamError
from rich_agent.settings.models import ChatSettings, EmbeddingSettings
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.servers.local import (
    USUAL_PLACES,
    Patience,
    ServerPlace,
    find_local_servers,
)
from rich_agent.upstreams.servers.offers import SERVERS, Offer, Offers

KEYS: Mapping[str, str] = {
    "ANTHROPIC_API_KEY": "anthropic",
    "GEMINI_API_KEY": "gemini",
    "MISTRAL_API_KEY": "mistral",
    "GROQ_API_KEY": "groq",
    "DEEPSEEK_API_KEY": "deepseek",
    "OPENROUTER_API_KEY": "openrouter",
}
"""Names under which other programs keep keys of the servers that can be named."""
NO_KEY = "none"
_SMALL_WINDOW = 8_192
"""Tokens; a turn fits into less, but remembers and reads little."""
_OF_MEMORY = 0.8
_FIRST_VECTOR_S = 5.0
"""A server that loads the model first may take longer; then vectors are made otherwise."""
_SMALL_EMBEDDER = 1.0
"""Billions of parameters; a larger one reads documents slowly where there is no graphics card."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model, and the server that offers it."""

    server: Offers
    model: Offer

    @property
    def where(self) -> str:
        """The server as a person knows it."""
        return f"{self.server.title or 'a model server'} at {self.server.base_url}"


@dataclass(frozen=True, slots=True)
class Choice:
    """The models that are used; `others` are servers that could be used instead."""

    chat: Chosen | None = None
    vision: Chosen | None = None
    embedding: Chosen | None = None
    others: tuple[Offers, ...] = ()

    def summary(self) -> str:
        """One line on the models that were found, and their use; "" if nothing was found."""
        uses = [
            f"{one.model.name}{traits(one.model)} {task} ({one.where})"
            for one, task in self._used()
        ]
        line = f"found on this machine: {', '.join(uses)}" if uses else ""
        if self.others:
            server_names = ", ".join(
                f"{one.title or 'a model server'} at {one.base_url}" for one in self.others
            )
            line += (
                f"; also there, not used: {server_names}"
                if line
                else f"found, not used: {server_names}"
            )
        return line

    def _used(self) -> list[tuple[Chosen, str]]:
        tasks = ((self.chat, "answers"), (self.embedding, "makes vectors"))
        return [(one, task) for one, task in tasks if one]

    def settings(self) -> dict[str, str]:
        """The settings of the chosen models, by name."""
        settings: dict[str, str] = {}
        if self.chat:
            settings |= _address("OPENAI", self.chat)
            settings["CHAT_MODEL"] = self.chat.model.name
        if self.vision and self.vision != self.chat:
            settings["VISION_MODEL"] = self.vision.model.name
        if self.embedding:
            if self.chat is None or self.embedding.server != self.chat.server:
                settings |= _address("EMBEDDING", self.embedding)
            settings["EMBEDDING_MODEL"] = self.embedding.model.name
            settings["EMBEDDING_DIMENSIONS"] = str(self.embedding.model.dimensions)
        return settings


def choose(
    servers: Sequence[Offers], *, model_name: str = "", memory_bytes: int | None = None
) -> Choice:
    """The best models of these servers; as chat model `model_name`, if a server has it.

    A model that does not fit into `memory_bytes` comes last. Servers that pass questions on to
    others are not used: the words would leave the machine.
    """
    own_servers = [one for one in servers if not one.passes_on]
    candidates = [Chosen(server, model) for server in own_servers for model in server.models]

    def rank(candidate: Chosen) -> tuple[bool, bool, bool, bool, bool, float]:
        model, size = candidate.model, candidate.model.size_bytes
        return (
            model.name in {model_name, f"{model_name}:latest"} if model_name else False,
            not (size and memory_bytes and size > _OF_MEMORY * memory_bytes),
            model.window is None or model.window >= _SMALL_WINDOW,
            model.uses_tools is not False,
            model.is_loaded,
            model.billions or 0.0,
        )

    chat = max((one for one in candidates if one.model.chats), key=rank, default=None)
    same_server_candidates = [
        one for one in candidates if chat and one.server == chat.server and one.model.chats
    ]
    seeing_candidates = [one for one in same_server_candidates if one.model.sees]
    vision = chat if chat and chat.model.sees else max(seeing_candidates, key=rank, default=None)
    embedding = _choose_embedder([one for one in candidates if one.model.embeds], chat)
    used_servers = [one.server for one in (chat, embedding) if one]
    others = tuple(one for one in servers if one.models and one not in used_servers)
    return Choice(chat, vision, embedding, others)


def _choose_embedder(candidates: Sequence[Chosen], chat: Chosen | None) -> Chosen | None:
    """One of the server that chats, if it has any: loaded, then small, then the larger."""

    def rank(candidate: Chosen) -> tuple[bool, bool, bool, float]:
        billions = candidate.model.billions or 0.0
        is_small = billions <= _SMALL_EMBEDDER
        is_beside = chat is not None and candidate.server == chat.server
        return is_beside, candidate.model.is_loaded, is_small, billions if is_small else -billions

    return max(candidates, key=rank, default=None)


@dataclass(frozen=True, slots=True)
class ModelSearch:
    """A search for models on this machine: where, and for how long."""

    places: Sequence[ServerPlace] = USUAL_PLACES
    patience: Patience | None = None

    def without(self, port: int) -> "ModelSearch":
        """The search that leaves a port out, since the demo's own stand-in is no model to find."""
        return replace(self, places=[one for one in self.places if one.port != port])

    async def choose(self, settings: Settings) -> Choice:
        """The best that runs on this machine, with an embedder whose vectors have a length."""
        servers = await find_local_servers(self.places, self.patience)
        choice = choose(servers, model_name=wanted_model(settings), memory_bytes=physical_memory())
        return await with_dimensions(choice)


async def with_dimensions(choice: Choice) -> Choice:
    """The choice with the length of its vectors, or without an embedder if these cannot be used."""
    embedder = choice.embedding
    if embedder is None:
        return choice
    if embedder.model.dimensions:
        return choice if _is_usable(embedder.model.dimensions) else replace(choice, embedding=None)
    # Loads the client, for which a search that finds nothing should not wait.
    from rich_agent.commands.diagnosis.model_offers import vector_length  # noqa: PLC0415 - see above

    try:
        async with asyncio.timeout(_FIRST_VECTOR_S):
            length = await vector_length(embedder.server.base_url, NO_KEY, embedder.model.name)
    except (UpstreamError, TimeoutError):
        return replace(choice, embedding=None)
    if not _is_usable(length):
        return replace(choice, embedding=None)
    model = replace(embedder.model, dimensions=length)
    return replace(choice, embedding=Chosen(embedder.server, model))


def _is_usable(dimensions: int) -> bool:
    """Whether the settings allow vectors of this length, because the database can index them."""
    try:
        EmbeddingSettings(dimensions=dimensions)
    except ValidationError:
        return False
    return True


def wanted_model(settings: Settings) -> str:
    """The CHAT_MODEL that was set, "" if it was not."""
    chat = settings.models.chat
    return chat.model if "model" in chat.model_fields_set else ""


def has_server(settings: Settings) -> bool:
    """Whether a model server was set: by its address, or by a key for OpenAI's."""
    chat = settings.models.chat
    return chat.api_key is not None or chat.base_url != ChatSettings().base_url


def physical_memory() -> int | None:
    """The bytes of memory of this machine, None if the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def keys_of_others(environment: Mapping[str, str]) -> list[str]:
    """The names of keys in the environment that other programs use."""
    return [name for name in KEYS if environment.get(name)]


def how_to_use(key: str, program: Literal["rich-agent demo", "rich-agent setup"]) -> str:
    """A line that says that a key is set but not used, and how to use it."""
    server = KEYS[key]
    notice = f"{key} is set, and not used without your word"
    if program == "rich-agent setup":
        return f"{notice}: answer {server!r} to have its models"
    wish = f"OPENAI_BASE_URL={SERVERS[server]} OPENAI_API_KEY=${key} CHAT_MODEL=NAME"
    return f"{notice}: {wish} {program}"


def for_env(choice: Choice) -> dict[str, str]:
    """The settings for `.env` with the chosen models.

    Without a server's embedding model, it is that of this machine if it is installed, else none.
    """
    return choice.settings() | ({} if choice.embedding else {"EMBEDDING_MODEL": without_embedder()})


def without_embedder() -> str:
    """`EMBEDDING_MODEL` where no server makes vectors: this machine if it can, else none."""
    return LOCAL if MODELS[LOCAL].is_installed else "none"


def as_lines(settings: Mapping[str, str]) -> str:
    """The settings as lines of `.env`."""
    return "\n".join(f"{name}={value}" for name, value in settings.items())


def _address(role: str, model: Chosen) -> dict[str, str]:
    return {f"{role}_BASE_URL": model.server.base_url, f"{role}_API_KEY": NO_KEY}


def traits(model: Offer) -> str:
    """The traits that its server tells of a model, in brackets; "" if it tells none."""
    size = f"{model.billions:.3g}B" if model.billions else ""
    window = f"{model.window:,} tokens" if model.window and model.chats else ""
    abilities = ["tools" if model.uses_tools else "", "photos" if model.sees else ""]
    traits = [one for one in (size, *abilities, window) if one]
    return f" [{', '.join(traits)}]" if traits else ""
