"""The settings of the model servers, the second part of all settings."""

from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr

from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.retrieval.embedding_prefixes import Prefixes, known_prefixes
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.settings.error_messages import missing_setting
from rich_agent.settings.telegram import TelegramSettings
from rich_agent.settings.types import (
    OptionalSecret,
    OptionalText,
    OptionalUrl,
    Parameters,
    Url,
)

RoleName = Literal["chat", "planner", "vision", "embedding", "transcription", "speech"]
_ALWAYS: tuple[RoleName, ...] = ("chat", "planner", "vision")
_NO_KEY = "none"
"""Sent where a role has a server of its own and no key: most such servers ask for none."""
KEY = "Its key; unset: OPENAI_API_KEY, but only for the host of OPENAI_BASE_URL."


class ModelSettings(TelegramSettings):
    """Settings for models: where they are served, and which of them does what."""

    openai_api_key: OptionalSecret = Field(
        None, description="Key of the model server; any word if it needs none."
    )
    openai_base_url: Url = Field(
        "https://api.openai.com/v1",
        description="Address of an OpenAI-compatible API, with its /v1.",
    )
    chat_model: str = Field(
        "gpt-4.1-mini", min_length=1, description="Model that writes the answers."
    )
    chat_parameters: Parameters = Field(
        {},
        description="Further parameters of its requests, as JSON: "
        '`{"reasoning_effort": "low", "max_tokens": 800, "temperature": 0.2}`.',
    )
    planner_model: OptionalText = Field(
        None, description="Model that plans each turn; unset: CHAT_MODEL."
    )
    planner_base_url: OptionalUrl = Field(
        None, description="Where it is served; unset: OPENAI_BASE_URL."
    )
    planner_api_key: OptionalSecret = Field(None, description=KEY)
    planner_parameters: Parameters = Field(
        {}, description="Like CHAT_PARAMETERS, which do not apply here."
    )
    vision_model: OptionalText = Field(
        None, description="Model that describes images; unset: CHAT_MODEL."
    )
    vision_base_url: OptionalUrl = Field(
        None, description="Where it is served; unset: OPENAI_BASE_URL."
    )
    vision_api_key: OptionalSecret = Field(None, description=KEY)
    vision_parameters: Parameters = Field(
        {}, description="Like CHAT_PARAMETERS, which do not apply here."
    )
    embedding_model: str = Field(
        "text-embedding-3-small",
        min_length=1,
        description="Model that makes vectors; `none`: search by words only.",
    )
    embedding_dimensions: int = Field(
        1536, ge=8, le=4000, description="Length of these vectors, at most 4,000."
    )
    embedding_base_url: OptionalUrl = Field(
        None, description="Where it is served; unset: OPENAI_BASE_URL."
    )
    embedding_api_key: OptionalSecret = Field(None, description=KEY)
    embedding_query_prefix: OptionalText = Field(
        None,
        description='Prefix that the model needs before a question, in quotes: `"query: "`. '
        "Unset: the model's own, if it is known (e5, nomic and others); `none`: no prefix.",
    )
    embedding_passage_prefix: OptionalText = Field(
        None,
        description="The same before a passage. Run `ingest sync` after a change.",
    )
    embedding_parameters: Parameters = Field(
        {}, description="Further parameters of its requests, as JSON."
    )
    model_timeout_s: float = Field(
        60.0,
        gt=0,
        description="Deadline of a call for embeddings, in seconds; of any other call too, if it "
        "is longer than MODEL_BUDGET_S.",
    )
    model_budget_s: float = Field(
        180.0,
        gt=0,
        description="Longest silence of a model before its first word, in seconds. Streamed "
        "reasoning does not count as silence.",
    )

    def require_api_key(self) -> str:
        """The common key of the model servers.

        Raises: SettingsError if it is missing.
        """
        if self.openai_api_key is None:
            raise missing_setting("openai_api_key")
        return self.openai_api_key.get_secret_value()

    @property
    def uses_embeddings(self) -> bool:
        """Whether vectors are made at all."""
        return self.embedding_model.lower() != "none"

    def role(self, name: RoleName) -> ModelRole:
        """Return the model that serves one role.

        Raises: SettingsError without a key.
        """
        own_model = getattr(self, f"{name}_model")
        own_url = getattr(self, f"{name}_base_url", None)
        own_key = getattr(self, f"{name}_api_key", None)
        prefix = name.upper()
        return ModelRole(
            model=own_model or self.chat_model,
            base_url=own_url or self.openai_base_url,
            api_key=self._key(own_url or self.openai_base_url, own_key),
            timeout_s=self.model_timeout_s
            if name == "embedding"
            else max(self.model_timeout_s, self.model_budget_s),
            parameters=getattr(self, f"{name}_parameters"),
            model_setting=f"{prefix}_MODEL" if own_model else "CHAT_MODEL",
            url_setting=f"{prefix}_BASE_URL" if own_url else "OPENAI_BASE_URL",
            key_setting=f"{prefix}_API_KEY" if own_key or own_url else "OPENAI_API_KEY",
            parameters_setting=f"{prefix}_PARAMETERS",
        )

    @property
    def embedding_prefixes(self) -> Prefixes:
        """The texts put before questions and passages."""
        known = known_prefixes(self.embedding_model)
        query, passage = (
            found if told is None else "" if told == "none" else told
            for told, found in (
                (self.embedding_query_prefix, known.query),
                (self.embedding_passage_prefix, known.passage),
            )
        )
        return Prefixes(query, passage)

    @property
    def vector_space(self) -> VectorSpace:
        """The space of new vectors."""
        return self.embedding_prefixes.space(self.embedding_model, self.embedding_dimensions)

    @property
    def roles(self) -> tuple[ModelRole, ...]:
        """The model of each role in a turn: the embeddings only if there are any."""
        names: tuple[RoleName, ...] = ("embedding",) if self.uses_embeddings else ()
        return tuple(map(self.role, _ALWAYS + names))

    def _key(self, base_url: str, own: SecretStr | None) -> str:
        """The common key goes to no host that it was not given for."""
        if own is not None:
            return own.get_secret_value()
        if urlsplit(base_url)[:2] == urlsplit(self.openai_base_url)[:2]:
            return self.require_api_key()
        return _NO_KEY
