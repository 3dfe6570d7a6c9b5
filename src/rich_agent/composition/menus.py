"""The menu of commands: the core's and those of open features, as far as the settings allow."""

from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL, IN_TELEGRAM_ONLY, Menu
from rich_agent.composition.features import OpenFeatures
from rich_agent.feature import loaded_features
from rich_agent.settings.settings import Settings


def unavailable_commands(settings: Settings) -> frozenset[str]:
    """The commands that could only say which setting or extra is missing."""
    has_address = settings.web.public_address
    needs = {
        ("tokens",): bool(has_address),
    }
    return frozenset(name for names, is_met in needs.items() if not is_met for name in names)


def make_menu(settings: Settings, features: OpenFeatures) -> Menu:
    """The commands of this bot; of its features those that they answer, since not all may open."""
    all_entries = [entry for feature in loaded_features() for entry in feature.menu]
    entries = [entry for entry in all_entries if entry.name in features.parts.commands]
    return Menu(
        for_all=(*FOR_ALL, *(entry.name for entry in entries if not entry.for_admins)),
        for_admins=(*FOR_ADMINS, *(entry.name for entry in entries if entry.for_admins)),
        in_telegram_only=IN_TELEGRAM_ONLY.union(
            entry.name for entry in entries if entry.needs_telegram
        ),
        unavailable=unavailable_commands(settings).union(
            entry.name
            for entry in entries
            if entry.is_available and not entry.is_available(settings)
        ),
        secret=frozenset(entry.name for entry in all_entries if entry.holds_secret),
    )
