"""The product's own sentences, in the user's language. Models write all other text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.resolver import Message

from rich_agent.domain.languages import ENGLISH, RIGHT_TO_LEFT, SUPPORTED_LOCALES
from rich_agent.domain.text import printable
from rich_agent.domain.time.recurrence import frequency_of
from rich_agent.installed import installed_features

_PHRASE = re.compile(r"^([a-z][\w-]*+) =", re.MULTILINE | re.ASCII)
_NO_ISOLATES = {0x2068: None, 0x2069: None}
# In text from right to left, the slash of a command would move to its end.
_COMMAND = re.compile(r"(?<![^\s(«“])/(\u2068?)(?=[a-z])")
_CHOICE_WORD = re.compile(r"[a-z0-9]++")
_LEFT_TO_RIGHT_MARK = "\u200e"


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The phrases of a language. Each is parsed at its first use: to parse all takes long."""

    sources: Mapping[str, str]
    bundle: FluentBundle

    def find(self, key: str) -> Message | None:
        if not self.bundle.has_message(key):
            if key not in self.sources:
                return None
            self.bundle.add_resource(FluentResource(self.sources[key]))
        return self.bundle.get_message(key)


def _phrases(locale: str) -> _Phrases:
    folders = (feature.locales for feature in installed_features().features)
    return _phrases_in(locale, tuple(folder for folder in folders if folder))


@cache
def _phrases_in(locale: str, folders: tuple[Path, ...]) -> _Phrases:
    """The phrases of the core and of features. Right-to-left languages isolate the values."""
    sources = _read(files("rich_agent").joinpath("locales", f"{locale}.ftl"))
    for folder in folders:
        if (file := folder / f"{locale}.ftl").is_file():
            sources = {**_read(file), **sources}
    return _Phrases(sources, FluentBundle([locale], use_isolating=locale in RIGHT_TO_LEFT))


def _read(file: Traversable) -> dict[str, str]:
    """The unparsed phrases of a file, by their names."""
    _, *parts = _PHRASE.split(file.read_text(encoding="utf-8"))
    return {key: f"{key} ={pattern}" for key, pattern in zip(parts[::2], parts[1::2], strict=True)}


def phrase_keys() -> list[str]:
    """The keys of all phrases, as English has them."""
    return list(_phrases(ENGLISH).sources)


def is_phrase(key: str) -> bool:
    """Whether English has a sentence with this key."""
    return key in _phrases(ENGLISH).sources


def without_isolates(text: str) -> str:
    """A sentence without the isolates around its values, which a card would write out."""
    return text.translate(_NO_ISOLATES)


def say(locale: str, key: str, **values: str | float) -> str:
    """The sentence `key` of `locales/<locale>.ftl`; the English one if that file lacks the key.

    If the core does not have the key, the sentence is one of a feature.

    Raises: KeyError if there is no such sentence, ValueError if a value is missing.
    """
    language = locale if locale in SUPPORTED_LOCALES else ENGLISH
    message = _phrases(language).find(key)
    if message is None:
        language, message = ENGLISH, _phrases(ENGLISH).find(key)
    if message is None or message.value is None:
        raise KeyError(key)
    # Control characters in a value could reverse the sentence or end its line.
    safe_values = {name: printable(v) if isinstance(v, str) else v for name, v in values.items()}
    text, problems = _phrases(language).bundle.format_pattern(message.value, safe_values)
    if problems:
        raise ValueError(f"phrase {key!r} in {language}: {problems[0]}")
    sentence = str(text)
    return (
        _COMMAND.sub(rf"\1{_LEFT_TO_RIGHT_MARK}/", sentence)
        if language in RIGHT_TO_LEFT
        else sentence
    )


def say_parts(locale: str, counts: Mapping[str, int]) -> str:
    """Name parts of a document, by `PartKind`, as a list: "3 charts and 2 pictures"."""
    # Babel takes a while to load, and most commands list nothing.
    from babel.lists import format_list  # noqa: PLC0415 - see above

    parts = [say(locale, f"file-part-{kind}", count=count) for kind, count in counts.items()]
    language = locale if locale in SUPPORTED_LOCALES else ENGLISH
    return format_list(parts, locale=language.replace("-", "_"))


def say_tool(locale: str, name: str) -> str:
    """Name a tool in a few words. Without a phrase, return its name: "issues: create issue"."""
    return _phrase_or_nothing(locale, f"tool-{name}") or name.replace("__", ": ").replace("_", " ")


def say_argument(locale: str, name: str) -> str:
    """Name an argument of the product's own tools. Without a phrase, return its plain name."""
    return _phrase_or_nothing(locale, f"argument-{name}") or name.replace("_", " ")


def say_choice(locale: str, value: str) -> str:
    """Say a value that an argument of the product's own tools can have; "" without a phrase."""
    return _phrase_or_nothing(locale, f"value-{'-'.join(_CHOICE_WORD.findall(value.lower()))}")


def say_doing(locale: str, name: str) -> str:
    """Name the bot's activity while a tool runs: "Looking through your tasks…"."""
    return _phrase_or_nothing(locale, f"doing-{name}") or say(
        locale, "status-acting", tool=say_tool(locale, name)
    )


def _phrase_or_nothing(locale: str, key: str) -> str:
    try:
        return say(locale, key)
    except LookupError:
        return ""


def say_repeats(rule: str, locale: str) -> str:
    """Say roughly how often an RRULE repeats: "every 2 weeks"; "" without a rule."""
    if not rule:
        return ""
    unit, count = frequency_of(rule)
    return say(locale, "time-repeats", unit=unit.lower(), count=count)
