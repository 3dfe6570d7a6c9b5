"""Roles of models and their capabilities: what each is used for, where, and what it has shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class ModelRole:
    """A model in one of its roles: chat, planner, vision or embedding.

    `timeout_s` is the deadline of one call. `parameters` go with every request. The settings are
    those that a message about an error names: where a role has none of its own, the common ones.
    """

    model: str
    base_url: str
    api_key: str = field(repr=False)
    timeout_s: float = 60.0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    model_setting: str = "CHAT_MODEL"
    url_setting: str = "OPENAI_BASE_URL"
    key_setting: str = "OPENAI_API_KEY"
    parameters_setting: str = "CHAT_PARAMETERS"

    @property
    def server(self) -> str:
        """Host, port and path of the address, without a name and password."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2] + urlsplit(self.base_url).path


Step = Literal["json_schema", "tool_call", "json_mode", "words"]
"""How structured output is asked for, the surest way first."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Capabilities that a model has shown on its server.

    `step` is the way in which it gives structured output, None before it gave any; `refused` are
    the parameters of a request that its server does not take. `demanded` are parameters that it
    wants in requests that are not streamed; `stream` among them means that it wants a stream.
    `most_tokens` is the highest limit of an output that it takes, None for any.
    `marks_ends`: whether its streams end with a mark, None before one came to an end.
    `answers_whole`: whether its server sends one JSON object where a stream is asked for.
    `thinks`: whether it has written thoughts, which count as output.
    """

    step: Step | None = None
    refused: frozenset[str] = frozenset()
    demanded: Mapping[str, bool] = field(default_factory=dict)
    most_tokens: int | None = None
    marks_ends: bool | None = None
    answers_whole: bool = False
    thinks: bool = False
