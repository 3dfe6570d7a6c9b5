"""Commands that the settings leave without a use, and that menus and help leave out."""

from rich_agent.composition.task_lists import missing_for_lists
from rich_agent.composition.web import calendar_address
from rich_agent.settings.settings import Settings


def unavailable_commands(settings: Settings) -> frozenset[str]:
    """The commands that could only say which setting or extra is missing."""
    has_address, has_speech = settings.web.public_address, settings.models.speech.model
    needs = {
        ("tokens", "web"): bool(has_address),
        ("calendar",): calendar_address(settings) is not None,
        ("connect", "disconnect"): not missing_for_lists(settings),
        ("voice",): bool(has_speech),
    }
    return frozenset(name for names, is_met in needs.items() if not is_met for name in names)
