"""Roles of models: what each is used for, where it is served, and which settings say so."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
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
