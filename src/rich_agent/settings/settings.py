"""The only reader of the environment (and of `.env`): all groups of settings, and their checks."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote, urlsplit

from pydantic import PrivateAttr, SecretStr, ValidationError

from rich_agent.domain.usage_limits import Allowance
from rich_agent.errors import InvalidSettingsError, SettingsError, UnknownSettingError
from rich_agent.settings.checks import FORMAT_CHECKS, misspelt_in_environment, misspelt_in_file
from rich_agent.settings.dotenv import ENV_FILE, read_env_file
from rich_agent.settings.error_messages import RequiredSetting, missing_setting, wrong_value
from rich_agent.settings.fields import Group, Setting, arrange, find_settings
from rich_agent.settings.models import ModelSettings, VoiceSettings
from rich_agent.settings.secret_files import SUFFIX, fill_in_secrets
from rich_agent.settings.storage import (
    DocumentSettings,
    LogSettings,
    StorageSettings,
    default_data_dir,
)
from rich_agent.settings.telegram import AccessSettings, TelegramSettings
from rich_agent.settings.tools import TaskListSettings, ToolSettings
from rich_agent.settings.turn import CostSettings, TurnSettings
from rich_agent.settings.web import WebSettings

REMOVED: Final[Mapping[str, str]] = {
    "APPROVAL_EXPIRES_H": "24",
    "DEAD_LETTER_DAYS": "90",
    "FILE_PARTS": "12",
    "IDLE_DAYS": "90",
    "INBOX_MAX_PENDING": "50",
    "QUESTION_EXPIRES_H": "24",
    "USAGE_DAYS": "400",
    "WEB_SESSION_DAYS": "30",
}
"""Names that were settings once, with the value that is in force now."""
_FEWEST_CONNECTIONS: Final = 10
_USERS_OF_A_CONNECTION: Final = 4
_OF_OPENTELEMETRY: Final = "OTEL_"
_ADDRESSES: Final = frozenset(
    {"DATABASE_URL", "RAG_DATABASE_URL", "DATABASE_DIRECT_URL", "RAG_READ_URL"}
)


class Settings(Group):
    """All settings, by subject. Made by itself, it has the defaults; `load` reads what is set."""

    telegram: TelegramSettings = TelegramSettings()
    web: WebSettings = WebSettings()
    access: AccessSettings = AccessSettings()
    models: ModelSettings = ModelSettings()
    voice: VoiceSettings = VoiceSettings()
    tools: ToolSettings = ToolSettings()
    task_lists: TaskListSettings = TaskListSettings()
    cost: CostSettings = CostSettings()
    documents: DocumentSettings = DocumentSettings()
    storage: StorageSettings = StorageSettings()
    turn: TurnSettings = TurnSettings()
    logs: LogSettings = LogSettings()
    _forgotten: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def load(cls, *required: RequiredSetting, **given: object) -> Self:
        """Read the environment and `.env`, and the files of secrets that these name.

        `required` are the settings without which the caller can do nothing. `given` are values that
        go before those of the environment, by its names, in capitals or not.
        Raises: InvalidSettingsError naming every setting that is misspelt, malformed or missing.
        """
        written, problems = read_env_file(Path(ENV_FILE))
        if any(problem.name == ENV_FILE for problem in problems):
            required = ()  # what may be missing stands in the file
        environment = {name.upper(): value for name, value in os.environ.items()}
        for name in sorted(REMOVED.keys() & (written | environment).keys()):
            _tell_removed(name)
        problems += _misspelt(written, environment)
        chosen = {name.upper(): value for name, value in given.items()}
        filled, unusable = fill_in_secrets(written | environment, IN_FILES - chosen.keys())
        settings, malformed = cls._build(written | environment | filled | chosen)
        problems += unusable + malformed
        told = {one.name for one in problems}
        for names, check in FORMAT_CHECKS.items():
            if told.isdisjoint(names):
                problems += check(*(SETTINGS[name].of(settings) for name in names))
        told = _concerned(problems)
        unset = [name for name in required if SETTINGS[name].of(settings) is None]
        problems += [missing_setting(name) for name in unset if name not in told]
        if problems:
            raise InvalidSettingsError(sorted(problems, key=_position))
        if "data_dir" in settings.storage.model_fields_set:
            return settings
        return settings.with_changes("storage", data_dir=default_data_dir(Path()))

    @classmethod
    def _build(cls, values: Mapping[str, object]) -> tuple[Self, list[SettingsError]]:
        """The settings of these values, with the defaults of those that are malformed."""
        try:
            return cls.model_validate(arrange(values, SETTINGS)), []
        except ValidationError as error:
            wrong = {_setting_at(one["loc"]): one for one in reversed(error.errors())}
        rest = {name: value for name, value in values.items() if name not in wrong}
        problems = [wrong_value(SETTINGS[name], one) for name, one in wrong.items()]
        return cls.model_validate(arrange(rest, SETTINGS)), problems

    @staticmethod
    def of_opentelemetry() -> dict[str, str]:
        """The variables that its specification names, `OTEL_…`, of `.env` and the environment."""
        written, _ = read_env_file(Path(ENV_FILE))
        return {
            name: value
            for name, value in (written | os.environ).items()
            if name.startswith(_OF_OPENTELEMETRY) and value
        }

    @staticmethod
    def from_files() -> dict[str, str]:
        """The values that come from files of secrets, by setting; unusable files are left out."""
        written, _ = read_env_file(Path(ENV_FILE))
        environment = {name.upper(): value for name, value in os.environ.items()}
        return fill_in_secrets(written | environment, IN_FILES)[0]

    @property
    def pool_size(self) -> int:
        """The most connections of this process to each database; a crowd takes turns at them."""
        follows = max(_FEWEST_CONNECTIONS, self.turn.worker_concurrency // _USERS_OF_A_CONNECTION)
        return self.storage.database_pool_size or follows

    def with_changes(self, group: str, **values: object) -> Self:
        """Return a copy with other values in one group; they are not checked."""
        return self.model_copy(update={group: getattr(self, group).model_copy(update=values)})

    def forget_secrets(self) -> None:
        """Take keys, tokens and the addresses of databases out of the environment.

        For a program that has read them: the processes that it starts, which decode images and
        documents of strangers, inherit what is left.
        """
        of_servers = self.tools.mcp_servers.variables  # read now: later they are gone
        for name in list(os.environ):
            if name.upper().removesuffix(SUFFIX) in IN_FILES or name in of_servers:
                self._forgotten[name] = os.environ.pop(name)

    @property
    def environment(self) -> dict[str, str]:
        """The environment with what was taken out of it, for a program that reads settings."""
        return {**os.environ, **self._forgotten}

    @cached_property
    def secrets(self) -> frozenset[str]:
        """The values that must not be written anywhere: keys, and passwords of addresses."""
        values = [setting.of(self) for setting in SETTINGS.values()]
        keys = {value.get_secret_value() for value in values if isinstance(value, SecretStr)}
        addresses = [value for value in values if isinstance(value, str) and "://" in value]
        passwords = {password for url in addresses if (password := urlsplit(url).password)}
        secrets = self.tools.mcp_servers.secrets.union(self.task_lists.credentials_keys, keys)
        return secrets.union(passwords, map(unquote, passwords))

    @cached_property
    def allowance(self) -> Allowance:
        """The daily limits of users."""
        return Allowance(self.cost.daily_limits, self.access.admin_users)


SETTINGS: Final[Mapping[str, Setting]] = {one.name: one for one in find_settings(Settings)}
"""Every setting by its environment name, in the order in which problems are told."""
SECRETS: Final = frozenset(name for name, setting in SETTINGS.items() if setting.is_secret)
"""The names of settings whose values must never be shown."""
IN_FILES: Final = SECRETS | _ADDRESSES
"""The names of settings that may stand in a file each, at the path in NAME_FILE."""
_NAMES: Final = (*SETTINGS, *sorted(name + SUFFIX for name in IN_FILES))
_BY_PATH: Final = {setting.path: name for name, setting in SETTINGS.items()}


def _setting_at(place: tuple[int | str, ...]) -> str:
    """The name of the setting to which the place of one of pydantic's errors belongs."""
    path = tuple(map(str, place))
    return _BY_PATH.get(path[:2]) or _BY_PATH[path[:3]]


def _misspelt(written: Iterable[str], environment: Iterable[str]) -> Iterator[SettingsError]:
    """Problems with names in `.env` and in the environment that look like a setting."""
    found = {*written, *environment} - REMOVED.keys()
    names = {name for name in found if not name.startswith(_OF_OPENTELEMETRY)}
    yield from misspelt_in_file([name for name in written if name in names], _NAMES)
    for problem in misspelt_in_environment(names, _NAMES, SECRETS):
        if problem.name not in written:
            yield problem


@cache
def _tell_removed(name: str) -> None:
    """Say once that a name is no setting any more; the log is not set up yet."""
    told = f"{name} is no longer a setting: its value is always {REMOVED[name]}. Remove it.\n"
    sys.stderr.write(f"warning: {told}")


def _position(problem: SettingsError) -> int:
    """Return the place of the setting among all; what is no setting comes first."""
    name = problem.meant[0] if isinstance(problem, UnknownSettingError) else problem.name
    return [*SETTINGS].index(name) if name in SETTINGS else -1


def _concerned(problems: Iterable[SettingsError]) -> set[str]:
    """The settings that a problem was told of already, also under a wrong name."""
    misspelt = (one for one in problems if isinstance(one, UnknownSettingError))
    meant = {name.removesuffix(SUFFIX) for one in misspelt for name in one.meant}
    return {one.name for one in problems} | meant
