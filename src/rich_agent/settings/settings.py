"""Reads the environment and `.env`, and checks all settings. No other module reads them."""

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Final, Literal, Self, TypeVar
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment

from pydantic import Field, PrivateAttr, SecretStr, ValidationError, create_model

from rich_agent.domain.usage_limits import Allowance, Prices
from rich_agent.errors import InvalidSettingsError, SettingsError, UnknownSettingError
from rich_agent.installed import (
    Declaration,
    absent_features,
    installed_features,
    leave_out,
    section_of,
)
from rich_agent.settings.checks import (
    FORMAT_CHECKS,
    check_proxies,
    misspelt_in_environment,
    misspelt_in_file,
)
from rich_agent.settings.chosen_features import choose_features_of
from rich_agent.settings.dotenv import ENV_FILE, read_env_file, use_proxies
from rich_agent.settings.error_messages import RequiredSetting, missing_setting, wrong_value
from rich_agent.settings.features import FeatureSettings
from rich_agent.settings.fields import Group, SectionSecrets, Setting, arrange, find_settings
from rich_agent.settings.models import ModelSettings
from rich_agent.settings.published_prices import PublishedPrices
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
"""Names of former settings, with the values that always apply now."""
_FEWEST_CONNECTIONS: Final = 10
_USERS_OF_A_CONNECTION: Final = 4
_OF_OPENTELEMETRY: Final = "OTEL_"
_SECTIONS: Final = "sections"
_ENDINGS_OF_SECRETS: Final = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_ADDRESSES: Final = frozenset(
    {"DATABASE_URL", "RAG_DATABASE_URL", "DATABASE_DIRECT_URL", "RAG_READ_URL"}
)
G = TypeVar("G", bound=Group)
S = TypeVar("S", bound="Settings")
Origin = Literal["default", ".env", "environment", "file", "command"]
"""The source of a setting's value; a file is one of a secret, a command has it as an option."""
_ORIGINS: Final[tuple[Origin, ...]] = (".env", "environment", "file", "command")


class Settings(Group):
    """All settings, by subject. A new instance has the defaults; `load` reads the environment.

    `sections`: the settings of features, each under the name of its feature.
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
    _origins: dict[str, Origin] = PrivateAttr(default_factory=dict)
    _options: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def load(cls, *required_settings: RequiredSetting, **values: object) -> Self:
        """Read the environment, `.env`, and the files of secrets that these name.

        Proxies that `.env` names are used by this process from then on.
        `required_settings` are settings that the caller cannot do without. `values` override the
        environment, by environment name in any case.
        Raises: InvalidSettingsError naming every setting that is misspelt, malformed or missing.
        """
        file_values, problems = read_env_file(Path(ENV_FILE))
        use_proxies(file_values)
        if any(problem.name == ENV_FILE for problem in problems):
            required_settings = ()  # missing settings may stand in the file
        environment = {name.upper(): value for name, value in os.environ.items()}
        overrides = {name.upper(): value for name, value in values.items()}
        choose_features_of(file_values | environment | overrides)
        for name in sorted(REMOVED.keys() & (file_values | environment).keys()):
            _warn(f"{name} is no longer a setting: its value is always {REMOVED[name]}. Remove it.")
        problems += _misspelt_names(file_values, environment)
        secrets, file_problems = fill_in_secrets(
            file_values | environment, names_in_files() - overrides.keys()
        )
        settings, value_problems = cls._build(file_values | environment | secrets | overrides)
        problems += file_problems + value_problems
        setting_by_name, problem_names = all_settings(), {problem.name for problem in problems}
        for names, check in FORMAT_CHECKS.items():
            if problem_names.isdisjoint(names):
                problems += check(*(setting_by_name[name].of(settings) for name in names))
        problems += check_proxies(getproxies_environment())
        problems += settings.section_problems(problem_names)
        problem_names = _reported_names(problems)
        unset_names = [
            name for name in required_settings if setting_by_name[name].of(settings) is None
        ]
        problems += [missing_setting(name) for name in unset_names if name not in problem_names]
        if problems:
            raise InvalidSettingsError(sorted(problems, key=_position))
        settings.note_origins(file_values, environment, secrets, overrides)
        settings.note_options(overrides)
        return _in_default_folder(settings)

    @classmethod
    def _build(cls, values: Mapping[str, object]) -> tuple[Self, list[SettingsError]]:
        """The settings with these values, and the problems; malformed values are left out."""
        setting_by_name, model = all_settings(), type(_with_sections())
        try:
            return cls._of(model.model_validate(arrange(values, setting_by_name))), []
        except ValidationError as error:
            errors = {_setting_at(item["loc"]): item for item in reversed(error.errors())}
        wrong_units = {_unit_of(setting_by_name[name]) for name in errors}
        valid_settings = {
            name: setting
            for name, setting in setting_by_name.items()
            if _unit_of(setting) not in wrong_units
        }
        problems = [wrong_value(setting_by_name[name], item) for name, item in errors.items()]
        return cls._of(model.model_validate(arrange(values, valid_settings))), problems

    @classmethod
    def _of(cls, settings: "Settings") -> Self:
        """Convert to this class: settings with the same values are equal only in one class."""
        return cls(**{name: getattr(settings, name) for name in cls.model_fields})

    @staticmethod
    def of_opentelemetry() -> dict[str, str]:
        """The variables `OTEL_…` of OpenTelemetry, from `.env` and the environment."""
        file_values, _ = read_env_file(Path(ENV_FILE))
        return {
            name: value
            for name, value in (file_values | os.environ).items()
            if name.startswith(_OF_OPENTELEMETRY) and value
        }

    @staticmethod
    def from_files() -> dict[str, str]:
        """The values read from files of secrets, by setting; unusable files are left out."""
        file_values, _ = read_env_file(Path(ENV_FILE))
        environment = {name.upper(): value for name, value in os.environ.items()}
        return fill_in_secrets(file_values | environment, names_in_files())[0]

    @property
    def pool_size(self) -> int:
        """The most connections of this process to each database; many users take turns at them."""
        derived_size = max(
            _FEWEST_CONNECTIONS, self.turn.worker_concurrency // _USERS_OF_A_CONNECTION
        )
        return self.storage.database_pool_size or derived_size

    def with_changes(self, group: str, **values: object) -> Self:
        """Return a copy with other values in one group; the values are not checked."""
        return self.with_group(group, getattr(self, group).model_copy(update=values))

    def with_group(self, name: str, group: Group) -> Self:
        """Return a copy with another group of settings."""
        settings = self.model_copy(update={name: group})
        for derived in ("prices", "allowance"):
            settings.__dict__.pop(derived, None)
        return settings

    def note_origins(self, *values_of_origins: Collection[str]) -> None:
        """Note the sources of values, each with the names that it has; later ones go before."""
        for origin, names in zip(_ORIGINS, values_of_origins, strict=True):
            self._origins.update(dict.fromkeys(all_settings().keys() & set(names), origin))

    def note_options(self, values: Mapping[str, object]) -> None:
        """Note values that stand in no environment, for the programs that this one starts."""
        self._options.update({name: str(value) for name, value in values.items()})

    def origin_of(self, name: str) -> Origin:
        """The source of a setting's value, by its environment name."""
        return self._origins.get(name, "default")

    def forget_secrets(self) -> None:
        """Remove keys, tokens and database addresses from the environment.

        Call it after the settings are read: processes that this program starts inherit the rest,
        and some of them decode untrusted images and documents.
        """
        file_names = names_in_files()
        variables = self._secrets_of_sections.variables
        for name in list(os.environ):
            setting_name = name.upper().removesuffix(SUFFIX)
            if (
                setting_name in file_names
                or name in variables
                or _may_be_of_an_absent_feature(setting_name)
            ):
                self._forgotten[name] = os.environ.pop(name)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a program that is to read these settings, removed secrets included."""
        return {**os.environ, **self._forgotten, **self._options}

    @cached_property
    def secrets(self) -> frozenset[str]:
        """The values that must not be written anywhere: keys, and passwords in addresses."""
        values = [setting.of(self) for setting in all_settings().values()]
        keys = {value.get_secret_value() for value in values if isinstance(value, SecretStr)}
        addresses = [value for value in values if isinstance(value, str) and "://" in value]
        passwords = {password for url in addresses if (password := urlsplit(url).password)}
        absent_secrets = _secrets_of_absent_features(self.environment)
        section_secrets = self._secrets_of_sections.values
        keys.update(self.storage.credentials_keys, passwords, map(unquote, passwords))
        return section_secrets.union(keys, absent_secrets)

    @cached_property
    def _secrets_of_sections(self) -> SectionSecrets:
        """The secrets that features find; found once, while the environment is complete."""
        values, variables = set[str](), set[str]()
        for name, section in self._sections():
            with _leaving_out(name):
                secrets = section.find_secrets()
                values |= secrets.values
                variables |= secrets.variables
        return SectionSecrets(frozenset(values), frozenset(variables))

    def section_problems(self, problem_names: Collection[str]) -> list[SettingsError]:
        """The problems that features find in their sections.

        A section with a setting among `problem_names` is not checked.
        """
        problems: list[SettingsError] = []
        for name, section in self._sections():
            setting_names = (
                setting.name for setting in find_settings(type(section), (_SECTIONS, name))
            )
            if not any(setting_name in problem_names for setting_name in setting_names):
                with _leaving_out(name):
                    problems += section.find_problems()
        return problems

    def _sections(self) -> Iterator[tuple[str, Group]]:
        """The name and section of each feature with settings."""
        for name in type(self.sections).model_fields:
            yield name, getattr(self.sections, name)

    def section(self, group: type[G]) -> G:
        """The settings of a feature; the defaults if the feature is not loaded."""
        return next((section for _, section in self._sections() if type(section) is group), group())

    @cached_property
    def prices(self) -> Prices:
        """The prices of use: the operator's own, and those of the table for all other models."""
        return replace(self.cost.prices, table=PublishedPrices(self.models.server_by_model))

    @cached_property
    def allowance(self) -> Allowance:
        """The daily limits of users."""
        return Allowance(self.cost.daily_limits, self.access.admin_users)


def _in_default_folder(settings: S) -> S:
    """The settings; without a folder for data, with the one that fits where they are read."""
    if "data_dir" in settings.storage.model_fields_set:
        return settings
    return settings.with_changes("storage", data_dir=default_data_dir(Path()))


@contextmanager
def _leaving_out(feature: str) -> Iterator[None]:
    """Leave out a feature whose section raises an error inside the block."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module does
        leave_out(feature, f"its settings: {type(error).__name__}: {error}")


def all_settings() -> Mapping[str, Setting]:
    """All settings by environment name, in the order in which problems are shown.

    The settings of this process's features come last.
    """
    return _settings_with(installed_features().features)


def secret_names() -> frozenset[str]:
    """The names of settings whose values must never be shown."""
    return frozenset(name for name, setting in all_settings().items() if setting.is_secret)


def names_in_files() -> frozenset[str]:
    """The names of settings whose values may be read from files, at the path in NAME_FILE."""
    return secret_names() | _ADDRESSES


def _with_sections() -> Settings:
    """Default settings with a section for each feature of this process that has settings."""
    return _defaults_with(installed_features().features)


@cache
def _defaults_with(features: tuple[Declaration, ...]) -> Settings:
    """The default settings with the sections of these features."""
    groups = {name: (section, section()) for name, section in _sections_of(features)}
    sections = create_model("Sections", __base__=Group, **groups)  # type: ignore[call-overload]
    model = create_model("SettingsWithSections", __base__=Settings, sections=(sections, sections()))
    return model()


def _sections_of(features: Iterable[Declaration]) -> Iterator[tuple[str, type[Group]]]:
    """The sections of features by name; a feature with an unusable section is left out.

    Each environment name belongs to the core, or to the first feature that has it.
    """
    owners = {setting.name: "the core" for setting in find_settings(Settings)}
    for feature in features:
        section: object = section_of(feature)
        if section is None:
            continue
        if not (isinstance(section, type) and issubclass(section, Group)):
            leave_out(feature.name, "its settings are no `Group`")
            continue
        setting_names = [
            setting.name for setting in find_settings(section, (_SECTIONS, feature.name))
        ]
        if shared_names := [name for name in setting_names if name in owners]:
            leave_out(
                feature.name, f"its setting {shared_names[0]} belongs to {owners[shared_names[0]]}"
            )
            continue
        owners.update(dict.fromkeys(setting_names, feature.name))
        yield feature.name, section


@cache
def _settings_with(features: tuple[Declaration, ...]) -> Mapping[str, Setting]:
    """All settings with those of these features, by environment name."""
    return {setting.name: setting for setting in find_settings(type(_defaults_with(features)))}


def _setting_at(location: tuple[int | str, ...]) -> str:
    """The name of the setting that an error of pydantic is about, by the error's location.

    For an error of a whole group, the first setting of the group is returned.
    """
    path, setting_by_name = tuple(map(str, location)), all_settings()
    return next(
        name
        for end in range(len(path), -1, -1)
        for name, setting in setting_by_name.items()
        if setting.path[:end] == path[:end]
    )


def _unit_of(setting: Setting) -> tuple[str, ...]:
    """The path that is left at its defaults if a setting is wrong: for a feature, its section."""
    return setting.path[:2] if setting.path[0] == _SECTIONS else setting.path


def _misspelt_names(
    in_file: Collection[str], environment: Collection[str]
) -> Sequence[UnknownSettingError]:
    """Problems with names in `.env` and in the environment that resemble a setting.

    While features are absent, problems are only written as warnings, because nobody knows the names
    of absent features' settings.
    """
    settings = all_settings()  # leaves out features whose settings cannot be loaded
    absent_names = sorted(absent_features())
    foreign_prefixes = (_OF_OPENTELEMETRY, *(f"{name}_".upper() for name in absent_names))
    names = {
        name
        for name in {*in_file, *environment} - REMOVED.keys()
        if not name.startswith(foreign_prefixes)
    }
    valid_names = (*settings, *sorted(name + SUFFIX for name in names_in_files()))
    environment_problems = misspelt_in_environment(names, valid_names, secret_names())
    problems = [
        *misspelt_in_file([name for name in in_file if name in names], valid_names),
        *(problem for problem in environment_problems if problem.name not in in_file),
    ]
    if not absent_names:
        return problems
    for problem in problems:
        _warn(
            f"{problem.name}: there is no such setting (but {' or '.join(problem.meant)}), unless "
            f"it belongs to a feature that is absent: {', '.join(absent_names)}."
        )
    return ()


def _may_be_of_an_absent_feature(name: str) -> bool:
    """Whether the name is no setting of this process, but may be a secret of an absent feature."""
    return (
        name.endswith(_ENDINGS_OF_SECRETS)
        and not name.startswith(_OF_OPENTELEMETRY)
        and name not in all_settings()
        and bool(absent_features())
    )


def _secrets_of_absent_features(environment: Mapping[str, str]) -> frozenset[str]:
    """Values that may be secrets of absent features, in the environment, in `.env` and in files."""
    file_values, _ = read_env_file(Path(ENV_FILE))
    values = file_values | {name.upper(): value for name, value in environment.items()}
    names = {
        secret
        for name in values
        if _may_be_of_an_absent_feature(secret := name.removesuffix(SUFFIX))
    }
    # A path of another program may lead to a device whose content never ends.
    paths = {
        name + SUFFIX: path
        for name in names
        if (path := values.get(name + SUFFIX)) and Path(path).is_file()
    }
    file_secrets, _ = fill_in_secrets(paths, names)
    return frozenset({*file_secrets.values(), *(values.get(name, "") for name in names)} - {""})


@cache
def _warn(text: str) -> None:
    """Write a warning once, to stderr, because the log is not set up yet."""
    sys.stderr.write(f"warning: {text}\n")


def _position(problem: SettingsError) -> int:
    """Return the index of the setting among all settings, -1 if the name is not a setting."""
    name = problem.meant[0] if isinstance(problem, UnknownSettingError) else problem.name
    all_names = [*all_settings()]
    return all_names.index(name) if name in all_names else -1


def _reported_names(problems: Iterable[SettingsError]) -> set[str]:
    """The settings that problems are about already, including those that a wrong name may mean."""
    misspelt_problems = (
        problem for problem in problems if isinstance(problem, UnknownSettingError)
    )
    likely_names = {
        name.removesuffix(SUFFIX) for problem in misspelt_problems for name in problem.meant
    }
    return {problem.name for problem in problems} | likely_names
