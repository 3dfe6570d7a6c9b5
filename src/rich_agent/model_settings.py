"""The settings of the model server, the second part of all settings."""

from typing import NamedTuple

from pydantic import Field

from rich_agent.setting_types import OptionalSecret, OptionalText, Url
from rich_agent.setting_words import missing_setting
from rich_agent.telegram_settings import TelegramSettings


class ChosenModel(NamedTuple):
    """A model, and the setting that names it."""

    name: str
    setting: str


class ModelSettings(TelegramSettings):
    """Where models are served, and which of them does what."""

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
    planner_model: OptionalText = Field(
        None, description="Model that plans each turn; unset: CHAT_MODEL."
    )
    vision_model: OptionalText = Field(
        None, description="Model that describes images; unset: CHAT_MODEL."
    )
    embedding_model: str = Field(
        "text-embedding-3-small",
        min_length=1,
        description="Model that makes vectors; `none`: search by words only.",
    )
    embedding_dimensions: int = Field(
        1536, ge=8, le=4000, description="Length of these vectors, at most 4,000."
    )
    model_timeout_s: float = Field(
        60.0, gt=0, description="Deadline of one model call, in seconds."
    )
    model_budget_s: float = Field(
        60.0,
        gt=0,
        description="Seconds within which the first word of an answer must come, in up to three "
        "tries; raise it for a slow model.",
    )

    def require_api_key(self) -> str:
        """The key of the model server.

        Raises: SettingsError if it is missing.
        """
        if self.openai_api_key is None:
            raise missing_setting("openai_api_key")
        return self.openai_api_key.get_secret_value()

    @property
    def uses_embeddings(self) -> bool:
        """Whether vectors are made at all."""
        return self.embedding_model.lower() != "none"

    @property
    def planner(self) -> ChosenModel:
        """What plans, learns and sums up."""
        if self.planner_model:
            return ChosenModel(self.planner_model, "PLANNER_MODEL")
        return ChosenModel(self.chat_model, "CHAT_MODEL")

    @property
    def vision(self) -> ChosenModel:
        """What looks at images."""
        if self.vision_model:
            return ChosenModel(self.vision_model, "VISION_MODEL")
        return ChosenModel(self.chat_model, "CHAT_MODEL")
