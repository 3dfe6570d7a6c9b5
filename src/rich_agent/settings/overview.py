"""Settings as an operator sees them: values and their sources, what can change, and models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from rich_agent.domain.redaction import redact
from rich_agent.errors import SettingsError
from rich_agent.settings.fields import Setting, as_text
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.models import ChatSettings, RoleSettings
from rich_agent.settings.settings import Origin, Settings, all_settings, names_in_files

GROUP_TITLES: Final[Mapping[str, str]] = {
    "telegram": "Telegram",
    "web": "HTTP",
    "access": "Access",
    "models": "Models",
    "tools": "Tools",
    "cost": "The cost",
    "documents": "Reading documents",
    "storage": "Storage",
    "turn": "The turn",
    "logs": "Logs",
    "features": "Features",
}
"""Headings of the core's groups; a feature's settings stand under its own name."""

_FEWEST_CHARACTERS: Final = 16


@dataclass(frozen=True, slots=True)
class SettingState:
    """A setting with its value, as text; the values of secrets are "".

    - `start_value`: the value without changes, from the `start_origin`.
    - `problem`: the reason why a changed value is left out.
    """

    setting: Setting
    group: str
    value: str
    origin: Origin | Literal["changed"]
    start_value: str
    start_origin: Origin
    default: str
    is_secret: bool
    is_set: bool
    problem: SettingsError | None = None

    @property
    def name(self) -> str:
        """Its name in the environment."""
        return self.setting.name


def list_settings(live: LiveSettings) -> Iterator[SettingState]:
    """All settings of this process, in the order of the reference page."""
    hidden_names = names_in_files()
    # A key of a server that needs none is any word, which may be part of its address.
    secrets = {secret for secret in live.start.secrets if len(secret) >= _FEWEST_CHARACTERS}

    def text_of(setting: Setting, value: object) -> str:
        return "" if setting.name in hidden_names else redact(as_text(value), secrets)

    for name, setting in all_settings().items():
        value, start_value = setting.of(live.now), setting.of(live.start)
        start_origin = live.start.origin_of(name)
        yield SettingState(
            setting=setting,
            group=_group_of(setting),
            value=text_of(setting, value),
            origin="changed" if name in live.values else start_origin,
            start_value=text_of(setting, start_value),
            start_origin=start_origin,
            default=text_of(setting, setting.field.get_default()),
            is_secret=name in hidden_names,
            is_set=value is not None,
            problem=live.refused.get(name),
        )


def _group_of(setting: Setting) -> str:
    first, second, *_ = setting.path
    return GROUP_TITLES.get(first) or second.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model in a role; `server` is "" for one of this machine, and without user and password."""

    role: str
    model: str
    server: str
    base_url: str


def list_models(settings: Settings) -> Iterator[ModelState]:
    """The models of all roles, those of features too; a role without one of its own has chat's."""
    models = settings.models
    yield _server_state(settings, "chat", models.chat)
    for name in ("planner", "vision"):
        yield _server_state(settings, name, getattr(models, name))
    if models.embedding.local:
        yield ModelState("embedding", models.embedding.model, "", "")
    elif models.embedding.is_used:
        yield _server_state(settings, "embedding", models.embedding)
    if models.rerank.is_by_planner:
        yield _server_state(settings, "rerank", models.planner)
    elif models.rerank.model:
        yield _server_state(settings, "rerank", models.rerank)
    for section_name in type(settings.sections).model_fields:
        section = getattr(settings.sections, section_name)
        for name in type(section).model_fields:
            role_settings = getattr(section, name)
            if isinstance(role_settings, RoleSettings) and role_settings.model:
                yield _server_state(settings, name, role_settings)


def _server_state(
    settings: Settings, role: str, role_settings: ChatSettings | RoleSettings
) -> ModelState:
    chat = settings.models.chat
    base_url = role_settings.base_url or chat.base_url
    parts = urlsplit(base_url)
    server = parts.netloc.rpartition("@")[2] + parts.path
    return ModelState(role, role_settings.model or chat.model, server, base_url)
