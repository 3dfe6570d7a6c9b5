"""Roles of models, the servers behind them, and the capabilities that a model has shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class ModelRole:
    """A model in one of its roles: chat, planner, vision or embedding.

    The fields that end in `_setting` name the settings to mention in an error message. If a role
    has no such setting of its own, this is the common one.
    """

    model: str
    base_url: str
    api_key: str = field(repr=False)
    timeout_s: float = 60.0
    """Deadline of one call."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of every request."""
    model_setting: str = "CHAT_MODEL"
    url_setting: str = "OPENAI_BASE_URL"
    key_setting: str = "OPENAI_API_KEY"
    parameters_setting: str = "CHAT_PARAMETERS"

    @property
    def server(self) -> str:
        """Host, port and path of the address, without user name and password."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2] + urlsplit(self.base_url).path


Step = Literal["json_schema", "tool_call", "json_mode", "words"]
"""Ways to request structured output, the most reliable first."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Capabilities that a model has shown on its server."""

    step: Step | None = None
    """Way in which the model gives structured output, None until it has given some."""
    refused: frozenset[str] = frozenset()
    """Parameters that the server does not accept."""
    demanded: Mapping[str, bool] = field(default_factory=dict)
    """Parameters that the server demands in requests without a stream. If `stream` is among them,
    the server answers only in streams."""
    most_tokens: int | None = None
    """Highest limit of output tokens that the server accepts, None for any."""
    marks_ends: bool | None = None
    """Whether the server's streams end with a mark, None until a stream has ended."""
    answers_whole: bool = False
    """Whether the server sends one JSON object when a stream is requested."""
    thinks: bool = False
    """Whether the model has written thoughts, which count as output."""
