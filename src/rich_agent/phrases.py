"""The product's own sentences, in the user's language; models write everything else."""

from datetime import date, datetime
from functools import cache
from importlib.resources import files

from fluent.runtime import FluentBundle, FluentResource

from rich_agent.domain.text import SUPPORTED_LOCALES
from rich_agent.errors import DailyLimitError


@cache
def _bundle(locale: str) -> FluentBundle:
    bundle = FluentBundle([locale], use_isolating=False)
    source = files("rich_agent").joinpath("locales", f"{locale}.ftl").read_text(encoding="utf-8")
    bundle.add_resource(FluentResource(source))
    return bundle


def say(locale: str, key: str, **values: str | float | date) -> str:
    """The sentence `key` of `locales/<locale>.ftl` (English for a locale that is not there).

    Raises: KeyError if no such sentence exists, ValueError if a value it needs is missing.
    """
    bundle = _bundle(locale if locale in SUPPORTED_LOCALES else "en")
    message = bundle.get_message(key)
    if message.value is None:
        raise KeyError(key)
    text, problems = bundle.format_pattern(message.value, values)
    if problems:
        raise ValueError(f"phrase {key!r} in {locale}: {problems[0]}")
    return str(text)


def say_tool(locale: str, name: str) -> str:
    """What a tool is for, in a word or two; without a phrase its name: "issues: create issue"."""
    return _known(locale, f"tool-{name}") or name.replace("__", ": ").replace("_", " ")


def say_doing(locale: str, name: str) -> str:
    """What is happening while a tool runs: "Looking through your tasks…"."""
    return _known(locale, f"doing-{name}") or say(
        locale, "status-acting", tool=say_tool(locale, name)
    )


def _known(locale: str, key: str) -> str:
    try:
        return say(locale, key)
    except LookupError:
        return ""


def say_limit(error: DailyLimitError, locale: str) -> str:
    """What cannot be done today, when it can again, and what can be done until then."""
    return say(
        locale,
        f"limit-{error.resource}",
        limit=error.limit,
        at=show_moment(error.resets_at),
        wait=say_wait(error.left_s, locale),
    )


def show_moment(at: datetime) -> str:
    """A time of UTC, to the minute."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def say_wait(seconds: float, locale: str) -> str:
    """How long it is until then: "in 5 h 20 min", never less than a minute."""
    hours, minutes = divmod(max(1, round(seconds / 60)), 60)
    return say(locale, "limit-wait", hours=hours, minutes=minutes)
