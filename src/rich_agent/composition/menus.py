"""The menu of commands: the core's and those of open features, as far as the settings allow."""

from collections.abc import Collection, Iterator

import structlog

from rich_agent.chat_commands.menu import (
    FIRST_FOR_ALL,
    FOR_ADMINS,
    FOR_ALL,
    IN_GROUPS,
    IN_TELEGRAM_ONLY,
    Menu,
)
from rich_agent.composition.features import OpenFeatures
from rich_agent.feature import MenuEntry, loaded_features
from rich_agent.phrases import is_phrase
from rich_agent.settings.settings import Settings

_log = structlog.get_logger()


def make_menu(settings: Settings, features: OpenFeatures) -> Menu:
    """The commands of this bot; of its features those that they answer, since not all may open."""
    entries = features.menu
    names_for_all = (entry.name for entry in entries if not entry.for_admins)
    secrets = (one for feature in loaded_features() for one in feature.menu if one.holds_secret)
    return Menu(
        for_all=(*FIRST_FOR_ALL, *names_for_all, *FOR_ALL[len(FIRST_FOR_ALL) :]),
        for_admins=(*FOR_ADMINS, *(entry.name for entry in entries if entry.for_admins)),
        in_telegram_only=IN_TELEGRAM_ONLY.union(
            entry.name for entry in entries if entry.needs_telegram
        ),
        unavailable=frozenset(
            entry.name for entry in entries if not _is_available(entry, settings)
        ),
        secret=frozenset(entry.name for entry in secrets),
        in_groups=IN_GROUPS.union(entry.name for entry in entries if entry.in_groups),
        help_phrases=tuple(_help_phrases(entries)),
    )


def _help_phrases(entries: Collection[MenuEntry]) -> Iterator[str]:
    """The phrases `<name>-help` of features with a command in the menu."""
    for feature in loaded_features():
        key = f"{feature.name}-help"
        if is_phrase(key) and any(entry in entries for entry in feature.menu):
            yield key


def _is_available(entry: MenuEntry, settings: Settings) -> bool:
    """Whether the menu lists a command; not if its feature cannot tell."""
    try:
        return entry.is_available is None or bool(entry.is_available(settings))
    except Exception:  # noqa: BLE001 - whatever a stranger's function does
        _log.exception("feature.availability_unknown", command=entry.name)
        return False
