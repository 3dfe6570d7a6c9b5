"""The settings in effect: those that the process began with, and what was changed since.

Only settings that are marked `changes_at_run_time` change. Each value is checked as at the start;
one that does not pass is left out, and told.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from rich_agent.domain.text import printable
from rich_agent.domain.usage_limits import DailyLimits
from rich_agent.errors import SettingsError
from rich_agent.settings.checks import FORMAT_CHECKS
from rich_agent.settings.error_messages import wrong_value
from rich_agent.settings.fields import Group, Setting
from rich_agent.settings.settings import Settings, all_settings

T = TypeVar("T")
_FIXED: Final = "does not change while the bot runs"
_MOST_CHARS: Final = 4_000
"""The longest value that is stored; a prompt has no room for a longer one either."""


class LiveSettings:
    """Hands out the settings that are in effect now.

    - `start`: the settings that the process read when it began.
    - `now`: the same with the values that were changed since; another object after each change.
    - `values`: these values, by environment name.
    - `refused`: what is wrong with changed values that are left out.
    """

    def __init__(self, start: Settings) -> None:
        self.start = start
        self.now = start
        self.values: Mapping[str, str] = {}
        self.refused: Mapping[str, SettingsError] = {}
        self._stored: Mapping[str, str] = {}
        self._version = -1
        self._reactions: list[Callable[[Settings], object]] = []

    def take(self, values: Mapping[str, str], version: int | None = None) -> None:
        """Put these values in effect, and no other changes; wrong ones are left out.

        An option of the command that began the process goes before them. Values as old as
        `version`, which was read before them, are left alone if newer ones are in effect.
        """
        if version is not None:
            if version < self._version:
                return
            self._version = version
        values = {
            name: value for name, value in values.items() if self.start.origin_of(name) != "command"
        }
        self._stored = values
        self.now, self.refused = with_values(self.start, values)
        self.values = {name: one for name, one in values.items() if name not in self.refused}
        for react in self._reactions:
            react(self.now)

    def check(self, values: Mapping[str, str]) -> None:
        """Check values that are about to be put in effect.

        Raises: SettingsError for the first that is wrong, unless it is so already.
        """
        _, refused = with_values(self.start, values)
        for name, problem in refused.items():
            if name not in self.refused or self._stored.get(name) != values[name]:
                raise problem

    def react(self, reaction: Callable[[Settings], object]) -> None:
        """Call `reaction` with the settings now, and after each change."""
        self._reactions.append(reaction)
        reaction(self.now)

    def derived(self, make: Callable[[Settings], T]) -> Callable[[], T]:
        """A function that returns what `make` makes of the settings now, made once per change."""
        kept: list[tuple[Settings, T]] = []

        def present() -> T:
            settings = self.now
            if not kept or kept[0][0] is not settings:
                kept[:] = [(settings, make(settings))]
            return kept[0][1]

        return present

    @property
    def allowance(self) -> "LiveAllowance":
        """The daily limits of users."""
        return LiveAllowance(self)


class LiveAllowance:
    """Implements `DailyAllowance` by the settings in effect."""

    def __init__(self, live: LiveSettings) -> None:
        self._live = live

    def of(self, user_id: int) -> DailyLimits:
        """See `DailyAllowance.of`."""
        return self._live.now.allowance.of(user_id)


def with_values(
    settings: Settings, values: Mapping[str, str]
) -> tuple[Settings, dict[str, SettingsError]]:
    """The settings with those of the values that pass the checks, and the problems of the rest."""
    refused: dict[str, SettingsError] = {}
    for name, value in values.items():
        try:
            _with_value(settings, changeable(name), value)
        except SettingsError as problem:
            refused[name] = problem
    changed = _with_all(settings, values, refused)
    for names, joint_problem in _problems_together(changed, values.keys() - refused.keys()):
        refused.update(dict.fromkeys(names, joint_problem))
    return _with_all(settings, values, refused), refused


def changeable(name: str) -> Setting:
    """The setting of this name. Raises: SettingsError if it is not one that changes."""
    setting = all_settings().get(name)
    if setting is None:
        raise SettingsError(
            name, "is not a setting", hint="`rich-agent settings` lists all settings."
        )
    if not setting.changes_at_run_time:
        raise SettingsError(
            name, _FIXED, hint="Change it in the environment or in .env, and start the bot again."
        )
    return setting


def _with_all(
    settings: Settings, values: Mapping[str, str], refused: Mapping[str, SettingsError]
) -> Settings:
    for name, value in values.items():
        if name not in refused:
            settings = _with_value(settings, changeable(name), value)
    return settings


def _with_value(settings: Settings, setting: Setting, value: str) -> Settings:
    """The settings with another value. Raises: SettingsError if the value is malformed."""
    if len(value) > _MOST_CHARS:
        raise SettingsError(
            setting.name, "is too long", hint=f"Write at most {_MOST_CHARS:,} characters."
        )
    if value != printable(value):
        raise SettingsError(
            setting.name, "has a character that nobody sees", hint="Write it again by hand."
        )
    first, *rest = setting.path
    group = _replaced(getattr(settings, first), tuple(rest), value, setting)
    return settings.with_group(first, group)


def _replaced(group: Group, path: tuple[str, ...], value: str, setting: Setting) -> Group:
    """A copy of the group whose field at the path has the value; all other objects stay the same.

    The value is checked together with the rest of its group.
    """
    field, *rest = path
    if rest:
        new: Any = _replaced(getattr(group, field), tuple(rest), value, setting)
    else:
        fields = {name: getattr(group, name) for name in group.model_fields_set}
        try:
            new = getattr(type(group).model_validate(fields | {field: value}), field)
        except ValidationError as error:
            item = error.errors()[0]
            location = (*setting.path[:-1], *item["loc"])
            raise wrong_value(setting, {**item, "loc": location}) from None
    copy = group.model_copy(update={field: new})
    for name in list(copy.__dict__):
        if isinstance(getattr(type(copy), name, None), cached_property):
            del copy.__dict__[name]
    return copy


def _problems_together(settings: Settings, names: set[str]) -> list[tuple[set[str], SettingsError]]:
    """Problems that the settings of these names have with one another, each with its names."""
    setting_by_name = all_settings()
    problems = []
    for checked_names, check in FORMAT_CHECKS.items():
        if concerned_names := names.intersection(checked_names):
            values = (setting_by_name[name].of(settings) for name in checked_names)
            problems += [
                (concerned_names & {problem.name} or concerned_names, problem)
                for problem in check(*values)
            ]
    for problem in settings.section_problems(()):
        section = setting_by_name[problem.name].path[:2]
        concerned_names = {name for name in names if setting_by_name[name].path[:2] == section}
        if concerned_names:
            problems.append((concerned_names, problem))
    return problems
