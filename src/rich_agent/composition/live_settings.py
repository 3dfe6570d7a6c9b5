"""Keeps the settings of a process as operators change them, on whichever process they do so."""

import asyncio
import logging
from typing import TYPE_CHECKING

import structlog

from rich_agent.domain.languages import ENGLISH
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.setting_changes import SettingChanges
from rich_agent.repositories.inbox.wakeups import SETTINGS_CHANNEL
from rich_agent.runtime.concurrency import happens_within, survived, unless
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.composition.repositories import Repositories

LOOK_S = 5.0
"""Seconds between two looks at the version, for a process that missed a notification."""
_log = structlog.get_logger()


async def load_live_settings(settings: Settings, changes: SettingChanges) -> LiveSettings:
    """The settings with what is stored now. Raises: DatabaseUnavailableError."""
    live = LiveSettings(settings)
    await _Following(live, changes).look()
    return live


async def open_live_settings(settings: Settings, repositories: "Repositories") -> LiveSettings:
    """As `load_live_settings`, and users' accounts have the language that is in effect."""
    live = await load_live_settings(settings, repositories.setting_changes)

    def assume(changed: Settings) -> None:
        language = changed.turn.default_language
        repositories.accounts.assume_language(None if language == ENGLISH else language)

    live.react(assume)
    return live


async def follow_changes(
    live: LiveSettings, repositories: "Repositories", stop: asyncio.Event, look_s: float = LOOK_S
) -> None:
    """Put changes in effect as soon as they are notified, and within `look_s` else."""
    following = _Following(live, repositories.setting_changes)
    async with repositories.inbox.hearing(SETTINGS_CHANNEL) as news_event:
        while not stop.is_set():
            news_event.clear()
            with survived("settings.not_read", DatabaseUnavailableError, level="warning"):
                await following.look()
            await unless(stop, happens_within(news_event, look_s))


class _Following:
    """The changes that a process has read so far."""

    def __init__(self, live: LiveSettings, changes: SettingChanges) -> None:
        self._live = live
        self._changes = changes
        self._version = -1

    async def look(self) -> None:
        """Read the values if there was a change since, and put them in effect."""
        version = await self._changes.version()
        if version == self._version:
            return
        changes = await self._changes.present()
        values = {name: change.value for name, change in changes.items()}
        earlier_values = self._live.values
        present = {name: value for name, value in values.items() if value is not None}
        self._live.take(present, version)
        self._version = version
        differences = self._live.values.items() ^ earlier_values.items()
        for name in sorted({name for name, _ in differences}):
            _log.info("setting.changed", setting=name)
        for name, problem in self._live.refused.items():
            _log.warning("setting.refused", setting=name, problem=str(problem), do=problem.hint)


def set_log_level(settings: Settings) -> None:
    """Log from the level of these settings on."""
    level = logging.getLevelName(settings.logs.level.upper())
    logging.getLogger().setLevel(level)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(level))
