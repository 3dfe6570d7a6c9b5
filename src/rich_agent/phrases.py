"""The product's own sentences, in the user's language; models write everything else."""

from functools import cache
from importlib.resources import files

from fluent.runtime import FluentBundle, FluentResource

from rich_agent.domain.text import SUPPORTED_LOCALES


@cache
def _bundle(locale: str) -> FluentBundle:
    bundle = FluentBundle([locale], use_isolating=False)
    source = files("rich_agent").joinpath("locales", f"{locale}.ftl").read_text(encoding="utf-8")
    bundle.add_resource(FluentResource(source))
    return bundle


def say(locale: str, key: str, **values: str | float) -> str:
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
