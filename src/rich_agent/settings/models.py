"""The settings of the model servers: their addresses, and the model of each role."""

from typing import Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import model_validator

from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.model_speed import CallPolicy
from rich_agent.domain.retrieval.embedding_prefixes import Prefixes, known_prefixes
from rich_agent.domain.retrieval.local_models import LOCAL, LocalModel, local_model
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.settings.error_messages import missing_setting
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import (
    Number,
    OptionalCount,
    OptionalUrl,
    Parameters,
    Secret,
    Text,
    Url,
)

RoleName = Literal["chat", "planner", "vision", "embedding", "rerank"]
_SHORT = frozenset({"embedding", "rerank"})
_ALWAYS: tuple[RoleName, ...] = ("chat", "planner", "vision")
_OPENAI: Final = "https://api.openai.com/v1"
_NO_KEY = "none"
"""Sent if a role has its own server and no key, because most such servers need none."""


class ChatSettings(Group):
    """The model that writes answers, and the server that is common to all roles."""

    base_url: Url = setting(
        "Address of an OpenAI-compatible API, with its /v1.",
        _OPENAI,
        name="OPENAI_BASE_URL",
    )
    api_key: Secret = setting(
        "Key of the model server; any word if it needs none.", name="OPENAI_API_KEY"
    )
    model: str = setting(default="gpt-4.1-mini", min_length=1)
    parameters: Parameters = setting(
        'Further parameters of requests to CHAT_MODEL, as JSON: `{"reasoning_effort": "low", '
        '"max_tokens": 800, "temperature": 0.2}`.',
        {},
    )


class RoleSettings(Group):
    """The model of another role. A setting that is unset is as for chat, except for parameters."""

    model: Text = None
    base_url: OptionalUrl = setting("Address of the role's server; unset: OPENAI_BASE_URL.")
    api_key: Secret = setting(
        "Key of that server; unset: OPENAI_API_KEY, but only for the host of OPENAI_BASE_URL."
    )
    parameters: Parameters = setting(
        "Further parameters of the role's requests, as JSON, in place of CHAT_PARAMETERS.", {}
    )


class EmbeddingSettings(RoleSettings):
    """The model that makes vectors, with their length and the prefixes of texts."""

    model: str = setting(default="text-embedding-3-small", min_length=1)
    dimensions: int = setting("Length of these vectors, at most 4,000.", 1536, ge=8, le=4000)
    query_prefix: Text = setting(
        'Prefix that the model needs before a question, in quotes: `"query: "`. Unset: the '
        "model's own, if it is known (e5, nomic and others); `none`: no prefix."
    )
    passage_prefix: Text = setting("The same before a passage. Run `ingest sync` after a change.")

    @property
    def is_used(self) -> bool:
        """Whether vectors are made at all."""
        return self.model.lower() != "none"

    @property
    def local(self) -> LocalModel | None:
        """The model that makes vectors on this machine, None if a server does or nothing does."""
        return local_model(self.model)

    @property
    def prefixes(self) -> Prefixes:
        """The texts that are put before questions and passages."""
        model_prefixes = known_prefixes(self.model)
        query = model_prefixes.query if self.query_prefix is None else self.query_prefix
        passage = model_prefixes.passage if self.passage_prefix is None else self.passage_prefix
        return Prefixes(*("" if prefix == "none" else prefix for prefix in (query, passage)))

    @property
    def vector_space(self) -> VectorSpace:
        """The space of new vectors."""
        if self.local:
            return self.local.space
        return self.prefixes.space(self.model, self.dimensions)


RANKS_BY_PLANNER = "planner"
_WAITED_FOR_SERVER_S, _WAITED_FOR_PLANNER_S = 0.4, 4.0


class RerankSettings(RoleSettings):
    """The model that ranks passages, and the limits of its work."""

    candidates: int = setting(
        "Passages of a search that are put in order. More are slower and cost more tokens.",
        50,
        ge=2,
        le=1_000,
    )
    timeout_s: Number = setting(
        "Longest wait for the new order of a search, in seconds; then the old one stays. Unset: "
        "0.4, and 4 for the planner's model.",
        gt=0,
    )

    @property
    def is_by_planner(self) -> bool:
        """Whether the planner's model ranks the passages."""
        return (self.model or "").lower() == RANKS_BY_PLANNER

    @property
    def waits_s(self) -> float:
        """The longest wait for a ranking, in seconds."""
        default_s = _WAITED_FOR_PLANNER_S if self.is_by_planner else _WAITED_FOR_SERVER_S
        return self.timeout_s or default_s


class ModelSettings(Group):
    """Settings for each role of a model, and for all roles."""

    chat: ChatSettings = setting("Model that writes the answers.", ChatSettings())
    planner: RoleSettings = setting(
        "Model that plans each turn; unset: CHAT_MODEL.", RoleSettings()
    )
    vision: RoleSettings = setting(
        "Model that describes images; unset: CHAT_MODEL.", RoleSettings()
    )
    embedding: EmbeddingSettings = setting(
        "Model that makes vectors; `local`: the one of the extra `local`, on this machine without "
        "a server; `none`: search by words only. Unset: `local` if that is installed and neither "
        "OPENAI_API_KEY nor EMBEDDING_API_KEY is set, else as written here.",
        EmbeddingSettings(),
    )
    rerank: RerankSettings = setting(
        "Model that puts the passages found into a better order, on a server with `/rerank` below "
        "its address; `planner`: PLANNER_MODEL does it; unset: nothing does.",
        RerankSettings(),
    )
    speculation: Literal["auto", "on", "off"] = setting(
        "Whether an answer is begun while its turn is still planned: about half a second earlier, "
        "for some more tokens. `auto`: if the server of CHAT_MODEL takes calls side by side.",
        "auto",
        name="SPECULATION",
    )
    optional_calls: CallPolicy = setting(
        "Whether calls are made that an answer can do without: a further search of the documents, "
        "the check of an answer, a lesson for the memory before the next message. `auto`: if the "
        "server of PLANNER_MODEL, by its measured speed, is fast enough for them; `always`; "
        "`never`.",
        "auto",
        name="OPTIONAL_CALLS",
        changes_at_run_time=True,
    )
    timeout_s: float = setting(
        "Deadline of a call for embeddings, in seconds; of any other call too, if it is longer "
        "than MODEL_BUDGET_S.",
        60.0,
        name="MODEL_TIMEOUT_S",
        gt=0,
    )
    budget_s: float = setting(
        "Longest silence of a model before its first word, in seconds. Streamed reasoning does not "
        "count as silence.",
        180.0,
        name="MODEL_BUDGET_S",
        gt=0,
    )
    max_context_tokens: int = setting(
        "Maximum tokens in a prompt: conversation, memory, passages and question.", 12_000, ge=4_000
    )
    context_window: OptionalCount = setting(
        "Context window of the model in tokens, for prompt and answer. Unset: what the server "
        "reports; if it reports nothing, only MAX_CONTEXT_TOKENS limits a prompt.",
        ge=4_096,
    )
    tokenizer: str = setting(
        "How tokens are counted: `auto` (CHAT_MODEL's own tokenizer, if tiktoken has it), the name "
        "of a tiktoken encoding, or `estimate`.",
        "auto",
        min_length=1,
    )

    @model_validator(mode="after")
    def _embed_without_server(self) -> Self:
        """Choose the model of this machine if none is named and there is no key for a server.

        The vectors of two models cannot be compared. So where a server may have made some, an
        installed extra changes nothing: `setup`, `demo` and `run` name the model they chose.
        """
        is_named = bool(self.embedding.model_fields_set & {"model", "base_url", "api_key"})
        has_server = self.chat.api_key is not None
        local = local_model(LOCAL)
        if not is_named and not has_server and local and local.is_installed:
            embedding = self.embedding.model_copy(update={"model": LOCAL})
            embedding.model_fields_set.discard("model")  # nobody has set it
            object.__setattr__(self, "embedding", embedding)
        return self

    def require_api_key(self) -> str:
        """The common key of the model servers. Raises: SettingsError if it is missing."""
        if self.chat.api_key is None:
            raise missing_setting("OPENAI_API_KEY")
        return self.chat.api_key.get_secret_value()

    def role(self, name: RoleName) -> ModelRole:
        """Return the model that serves one role. Raises: SettingsError without a key."""
        return self.role_with(name, getattr(self, name))

    def role_with(self, name: str, role_settings: ChatSettings | RoleSettings) -> ModelRole:
        """Return the model of a role, which may be a feature's, with the role's own settings.

        Raises: SettingsError without a key.
        """
        prefix = name.upper()
        server = "OPENAI" if name == "chat" else prefix
        has_own_key = role_settings.api_key or role_settings.base_url
        return ModelRole(
            model=role_settings.model or self.chat.model,
            base_url=role_settings.base_url or self.chat.base_url,
            api_key=self._key(role_settings),
            timeout_s=self.timeout_s if name in _SHORT else max(self.timeout_s, self.budget_s),
            parameters=role_settings.parameters,
            model_setting=f"{prefix if role_settings.model else 'CHAT'}_MODEL",
            url_setting=f"{server if role_settings.base_url else 'OPENAI'}_BASE_URL",
            key_setting=f"{server if has_own_key else 'OPENAI'}_API_KEY",
            parameters_setting=f"{prefix}_PARAMETERS",
        )

    @property
    def roles(self) -> tuple[ModelRole, ...]:
        """The models of servers of all roles in a turn; embeddings only if a server makes them."""
        has_server = self.embedding.is_used and not self.embedding.local
        role_names: tuple[RoleName, ...] = ("embedding",) if has_server else ()
        return tuple(map(self.role, _ALWAYS + role_names))

    @property
    def server_by_model(self) -> dict[str, str]:
        """The addresses of the servers of all models in a turn, by model; a key is not needed."""
        others = (self.planner, self.vision, self.embedding, self.rerank)
        servers = {one.model: one.base_url or self.chat.base_url for one in others if one.model}
        return servers | {self.chat.model: self.chat.base_url}

    def _key(self, role_settings: ChatSettings | RoleSettings) -> str:
        """The role's own key; the common key only on the host of the common server, else "none"."""
        if role_settings.api_key is not None:
            return role_settings.api_key.get_secret_value()
        common_url = self.chat.base_url
        if urlsplit(role_settings.base_url or common_url)[:2] == urlsplit(common_url)[:2]:
            return self.require_api_key()
        return _NO_KEY
