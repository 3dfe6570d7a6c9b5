"""Arguments of the product's own tools as their user reads them; what they say is not changed."""

from rich_agent.phrases import say_argument, say_choice

_CHOICES = frozenset(
    {"block_type", "kind", "output_type", "priority", "status", "task_type", "timeframe"}
)


def say_value(name: str, value: object, locale: str) -> str:
    """The meaning of a value of this argument, "" for what is read as it is."""
    if not isinstance(value, str):
        return ""
    return say_choice(locale, value) if name in _CHOICES else ""


def say_label(name: str, locale: str, *, is_in_words: bool) -> str:
    """The label of an argument: minutes that are told as hours are a duration."""
    is_duration = is_in_words and name.endswith("_minutes")
    return say_argument(locale, "duration" if is_duration else name)
