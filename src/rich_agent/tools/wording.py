"""Arguments of the product's own tools as their user reads them; what they say is not changed."""

from rich_agent.domain.reminders.reminder import span_from_now, written_when
from rich_agent.phrases import say_choice, say_repeats, say_wait

_TIMES = frozenset({"when", "until"})
_CHOICES = frozenset(
    {"block_type", "kind", "output_type", "priority", "status", "task_type", "timeframe"}
)


def say_value(name: str, value: object, locale: str) -> str:
    """The meaning of a value of this argument, "" for what is read as it is."""
    if not isinstance(value, str):
        return ""
    if name in _CHOICES:
        return say_choice(locale, value)
    if name == "recurrence":
        return _repeats(value, locale)
    return _say_when(value, locale) if name in _TIMES else ""


def _say_when(text: str, locale: str) -> str:
    if span := span_from_now(text):
        return say_wait(span.total_seconds(), locale)
    found = written_when(text)
    if found is None:
        return ""
    start, rule = found
    parts = (f"{start:%Y-%m-%d %H:%M}", _repeats(rule, locale))
    return " · ".join(filter(None, parts))


def _repeats(rule: str, locale: str) -> str:
    """Say roughly how often, with the rule: which days it means stands there alone."""
    try:
        said = say_repeats(rule, locale)
    except (KeyError, ValueError):
        return ""
    return f"{said} ({rule})" if said else ""
