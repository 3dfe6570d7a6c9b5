"""Arguments of the product's own tools as their user reads them; what they say is not changed."""

from rich_agent.phrases import say_choice, say_repeats

_CHOICES = frozenset(
    {"block_type", "kind", "output_type", "priority", "status", "task_type", "timeframe"}
)


def say_value(name: str, value: object, locale: str) -> str:
    """The meaning of a value of this argument, "" for what is read as it is."""
    if not isinstance(value, str):
        return ""
    if name in _CHOICES:
        return say_choice(locale, value)
    return _repeats(value, locale) if name == "recurrence" else ""


def _repeats(rule: str, locale: str) -> str:
    """Say roughly how often, with the rule: which days it means stands there alone."""
    try:
        said = say_repeats(rule, locale)
    except (KeyError, ValueError):
        return ""
    return f"{said} ({rule})" if said else ""
