"""The only reader of the environment (and of `.env`): all groups of settings, and their checks."""

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Final, Self, TypeVar
from urllib.parse import unquote, urlsplit

from pydantic import Field, PrivateAttr, SecretStr, ValidationError, create_model

from rich_agent.domain.usage_limits import Allowance
from rich_agent.errors import InvalidSettingsError, SettingsError, UnknownSettingError
from rich_agent.installed import (
    Declaration,
    absent_features,
    installed_features,
    leave_out,
    section_of,
)
from rich_agent.settings.checks import FORMAT_CHECKS, misspelt_in_environment, misspelt_in_file
from rich_agent.settings.chosen_features import choose_features_of
from rich_agent.settings.dotenv import ENV_FILE, read_env_file
from rich_agent.settings.error_messages import RequiredSetting, missing_setting, wrong_value
from rich_agent.settings.features import FeatureSettings
from rich_agent.settings.fields import Group, SectionSecrets, Setting, arrange, find_settings
from rich_agent.settings.models import ModelSettings
from rich_agent.settings.secret_files import SUFFIX, fill_in_secrets
from rich_agent.settings.storage import (
    DocumentSettings,
    LogSettings,
    StorageSettings,
    default_data_dir,
)
from rich_agent.settings.telegram import AccessSettings, TelegramSettings
from rich_agent.settings.tools import ToolSettings
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
_SECTIONS: Final = "sections"
_ENDINGS_OF_SECRETS: Final = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_ADDRESSES: Final = frozenset(
    {"DATABASE_URL", "RAG_DATABASE_URL", "DATABASE_DIRECT_URL", "RAG_READ_URL"}
)
G = TypeVar("G", bound=Group)


class Settings(Group):
    """All settings, by subject. Made by itself, it has the defaults; `load` reads what is set.

    `sections` are those of the features, each under the feature's name.
    """

    telegram: TelegramSettings = TelegramSettings()
    web: WebSettings = WebSettings()
    access: AccessSettings = AccessSettings()
    models: ModelSettings = ModelSettings()
    tools: ToolSettings = ToolSettings()
    cost: CostSettings = CostSettings()
    documents: DocumentSettings = DocumentSettings()
    storage: StorageSettings = StorageSettings()
    turn: TurnSettings = TurnSettings()
    logs: LogSettings = LogSettings()
    features: FeatureSettings = FeatureSettings()
    sections: Group = Field(default_factory=lambda: _with_sections().sections)
    _forgotten: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def load(cls, *required_settings: RequiredSetting, **values: object) -> Self:
        """Read the environment and `.env`, and the files of secrets that these name.

        `required_settings` are those without which the caller can do nothing. `values` go before
        those of the environment, by its names, in capitals or not.
        Raises: InvalidSettingsError naming every setting that is misspelt, malformed or missing.
        """
        in_file, problems = read_env_file(Path(ENV_FILE))
        if any(problem.name == ENV_FILE for problem in problems):
            required_settings = ()  # what may be missing stands in the file
        environment = {name.upper(): value for name, value in os.environ.items()}
        overrides = {name.upper(): value for name, value in values.items()}
        choose_features_of(in_file | environment | overrides)
        for name in sorted(REMOVED.keys() & (in_file | environment).keys()):
            _warn(f"{name} is no longer a setting: its value is always {REMOVED[name]}. Remove it.")
        problems += _misspelt_names(in_file, environment)
        secrets, unusable = fill_in_secrets(
            in_file | environment, names_in_files() - overrides.keys()
        )
        settings, wrong_values = cls._build(in_file | environment | secrets | overrides)
        problems += unusable + wrong_values
        by_name, problem_names = all_settings(), {one.name for one in problems}
        for names, check in FORMAT_CHECKS.items():
            if problem_names.isdisjoint(names):
                problems += check(*(by_name[name].of(settings) for name in names))
        problems += settings.section_problems(problem_names)
        problem_names = _reported_names(problems)
        unset = [name for name in required_settings if by_name[name].of(settings) is None]
        problems += [missing_setting(name) for name in unset if name not in problem_names]
        if problems:
            raise InvalidSettingsError(sorted(problems, key=_position))
        if "data_dir" in settings.storage.model_fields_set:
            return settings
        return settings.with_changes("storage", data_dir=default_data_dir(Path()))

    @classmethod
    def _build(cls, values: Mapping[str, object]) -> tuple[Self, list[SettingsError]]:
        """The settings of these values, with the defaults of those that are malformed."""
        by_name, model = all_settings(), type(_with_sections())
        try:
            return cls._of(model.model_validate(arrange(values, by_name))), []
        except ValidationError as error:
            wrong = {_setting_at(one["loc"]): one for one in reversed(error.errors())}
        units = {_unit_of(by_name[name]) for name in wrong}
        right = {name: one for name, one in by_name.items() if _unit_of(one) not in units}
        problems = [wrong_value(by_name[name], one) for name, one in wrong.items()]
        return cls._of(model.model_validate(arrange(values, right))), problems

    @classmethod
    def _of(cls, settings: "Settings") -> Self:
        """The settings as an instance of this class; those of the same values are equal."""
        return cls(**{name: getattr(settings, name) for name in cls.model_fields})

    @staticmethod
    def of_opentelemetry() -> dict[str, str]:
        """The variables that its specification names, `OTEL_…`, of `.env` and the environment."""
        in_file, _ = read_env_file(Path(ENV_FILE))
        return {
            name: value
            for name, value in (in_file | os.environ).items()
            if name.startswith(_OF_OPENTELEMETRY) and value
        }

    @staticmethod
    def from_files() -> dict[str, str]:
        """The values that come from files of secrets, by setting; unusable files are left out."""
        in_file, _ = read_env_file(Path(ENV_FILE))
        environment = {name.upper(): value for name, value in os.environ.items()}
        return fill_in_secrets(in_file | environment, names_in_files())[0]

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
        in_files = names_in_files()
        variables = self._secrets_of_sections.variables
        for name in list(os.environ):
            secret = name.upper().removesuffix(SUFFIX)
            if secret in in_files or name in variables or _may_be_of_an_absent_feature(secret):
                self._forgotten[name] = os.environ.pop(name)

    @property
    def environment(self) -> dict[str, str]:
        """The environment with what was taken out of it, for a program that reads settings."""
        return {**os.environ, **self._forgotten}

    @cached_property
    def secrets(self) -> frozenset[str]:
        """The values that must not be written anywhere: keys, and passwords of addresses."""
        values = [setting.of(self) for setting in all_settings().values()]
        keys = {value.get_secret_value() for value in values if isinstance(value, SecretStr)}
        addresses = [value for value in values if isinstance(value, str) and "://" in value]
        passwords = {password for url in addresses if (password := urlsplit(url).password)}
        absent = _secrets_of_absent_features(self.environment)
        of_sections = self._secrets_of_sections.values
        keys.update(self.storage.credentials_keys, passwords, map(unquote, passwords))
        return of_sections.union(keys, absent)

    @cached_property
    def _secrets_of_sections(self) -> SectionSecrets:
        """The secrets that features find; read once, while the environment is whole."""
        values, variables = set[str](), set[str]()
        for name, section in self._sections():
            with _leaving_out(name):
                secrets = section.find_secrets()
                values |= secrets.values
                variables |= secrets.variables
        return SectionSecrets(frozenset(values), frozenset(variables))

    def section_problems(self, problem_names: Collection[str]) -> list[SettingsError]:
        """The problems that features find in sections of whose settings none is `problem_names`."""
        problems: list[SettingsError] = []
        for name, section in self._sections():
            names = (one.name for one in find_settings(type(section), (_SECTIONS, name)))
            if not any(one in problem_names for one in names):
                with _leaving_out(name):
                    problems += section.find_problems()
        return problems

    def _sections(self) -> Iterator[tuple[str, Group]]:
        for name in type(self.sections).model_fields:
            yield name, getattr(self.sections, name)

    def section(self, group: type[G]) -> G:
        """The settings of a feature; their defaults if the feature is not loaded."""
        return next((one for _, one in self._sections() if type(one) is group), group())

    @cached_property
    def allowance(self) -> Allowance:
        """The daily limits of users."""
        return Allowance(self.cost.daily_limits, self.access.admin_users)


@contextmanager
def _leaving_out(feature: str) -> Iterator[None]:
    """Do without a feature whose section breaks."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module does
        leave_out(feature, f"its settings: {type(error).__name__}: {error}")


def all_settings() -> Mapping[str, Setting]:
    """Every setting by its environment name, in the order in which problems are told.

    Those of the features of this process come last.
    """
    return _settings_with(installed_features().features)


def secret_names() -> frozenset[str]:
    """The names of settings whose values must never be shown."""
    return frozenset(name for name, setting in all_settings().items() if setting.is_secret)


def names_in_files() -> frozenset[str]:
    """The names of settings that may stand in a file each, at the path in NAME_FILE."""
    return secret_names() | _ADDRESSES


def _with_sections() -> Settings:
    """Default settings with a section for each feature of this process that has settings."""
    return _defaults_with(installed_features().features)


@cache
def _defaults_with(features: tuple[Declaration, ...]) -> Settings:
    groups = {name: (section, section()) for name, section in _sections_of(features)}
    sections = create_model("Sections", __base__=Group, **groups)  # type: ignore[call-overload]
    model = create_model("SettingsWithSections", __base__=Settings, sections=(sections, sections()))
    return model()


def _sections_of(features: Iterable[Declaration]) -> Iterator[tuple[str, type[Group]]]:
    """The sections of features by name; a feature whose section cannot be used is left out.

    Each name is one setting: of the core, or of the first feature that has it.
    """
    owners = {one.name: "the core" for one in find_settings(Settings)}
    for feature in features:
        section: object = section_of(feature)
        if section is None:
            continue
        if not (isinstance(section, type) and issubclass(section, Group)):
            leave_out(feature.name, "its settings are no `Group`")
            continue
        names = [one.name for one in find_settings(section, (_SECTIONS, feature.name))]
        if both := [name for name in names if name in owners]:
            leave_out(feature.name, f"its setting {both[0]} belongs to {owners[both[0]]}")
            continue
        owners.update(dict.fromkeys(names, feature.name))
        yield feature.name, section


@cache
def _settings_with(features: tuple[Declaration, ...]) -> Mapping[str, Setting]:
    return {one.name: one for one in find_settings(type(_defaults_with(features)))}


def _setting_at(place: tuple[int | str, ...]) -> str:
    """The name of the setting to which the place of one of pydantic's errors belongs.

    The first of a group for an error of the whole group.
    """
    path, by_name = tuple(map(str, place)), all_settings()
    return next(
        name
        for end in range(len(path), -1, -1)
        for name, one in by_name.items()
        if one.path[:end] == path[:end]
    )


def _unit_of(setting: Setting) -> tuple[str, ...]:
    """The place of what is left at its defaults if a setting is wrong: of a feature, all."""
    return setting.path[:2] if setting.path[0] == _SECTIONS else setting.path


def _misspelt_names(
    in_file: Collection[str], environment: Collection[str]
) -> Sequence[UnknownSettingError]:
    """Problems with names in `.env` and in the environment that look like a setting.

    While features are absent, only warnings: their settings may stay, and nobody knows their names.
    """
    settings = all_settings()  # leaves out features whose settings cannot be loaded
    absent = sorted(absent_features())
    others = (_OF_OPENTELEMETRY, *(f"{name}_".upper() for name in absent))
    names = {
        name for name in {*in_file, *environment} - REMOVED.keys() if not name.startswith(others)
    }
    valid_names = (*settings, *sorted(name + SUFFIX for name in names_in_files()))
    in_environment = misspelt_in_environment(names, valid_names, secret_names())
    problems = [
        *misspelt_in_file([name for name in in_file if name in names], valid_names),
        *(one for one in in_environment if one.name not in in_file),
    ]
    if not absent:
        return problems
    for problem in problems:
        _warn(
            f"{problem.name}: there is no such setting (but {' or '.join(problem.meant)}), unless "
            f"it belongs to a feature that is absent: {', '.join(absent)}."
        )
    return ()


def _may_be_of_an_absent_feature(name: str) -> bool:
    """Whether the name is no setting of this process and may be a secret of an absent feature."""
    return (
        name.endswith(_ENDINGS_OF_SECRETS)
        and not name.startswith(_OF_OPENTELEMETRY)
        and name not in all_settings()
        and bool(absent_features())
    )


def _secrets_of_absent_features(environment: Mapping[str, str]) -> frozenset[str]:
    """Values that may be secrets of absent features, in the environment, in `.env` and in files."""
    in_file, _ = read_env_file(Path(ENV_FILE))
    values = in_file | {name.upper(): value for name, value in environment.items()}
    names = {
        secret
        for name in values
        if _may_be_of_an_absent_feature(secret := name.removesuffix(SUFFIX))
    }
    # A name of another program may lead to what is no file, and never ends.
    paths = {
        name + SUFFIX: path
        for name in names
        if (path := values.get(name + SUFFIX)) and Path(path).is_file()
    }
    in_files, _ = fill_in_secrets(paths, names)
    return frozenset({*in_files.values(), *(values.get(name, "") for name in names)} - {""})


@cache
def _warn(text: str) -> None:
    """Write a warning once; the log is not set up yet."""
    sys.stderr.write(f"warning: {text}\n")


def _position(problem: SettingsError) -> int:
    """Return the place of the setting among all; what is no setting comes first."""
    name = problem.meant[0] if isinstance(problem, UnknownSettingError) else problem.name
    all_names = [*all_settings()]
    return all_names.index(name) if name in all_names else -1


def _reported_names(problems: Iterable[SettingsError]) -> set[str]:
    """The settings that a problem was told of already, also under a wrong name."""
    misspelt = (one for one in problems if isinstance(one, UnknownSettingError))
    likely_names = {name.removesuffix(SUFFIX) for one in misspelt for name in one.meant}
    return {one.name for one in problems} | likely_names
