"""The languages of the product's own phrases, and which of them a user is spoken to in.

A script is certain, a language within it is not: the planner says which one a message is in.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rich_agent.domain.text import HAN, HANGUL, HIRAGANA, KATAKANA

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "en": "English",
        "ar": "العربية",
        "de": "Deutsch",
        "es": "Español",
        "fa": "فارسی",
        "fr": "Français",
        "hi": "हिन्दी",
        "id": "Bahasa Indonesia",
        "it": "Italiano",
        "ja": "日本語",
        "ko": "한국어",
        "nl": "Nederlands",
        "pl": "Polski",
        "pt-BR": "Português (Brasil)",
        "ru": "Русский",
        "tr": "Türkçe",
        "uk": "Українська",
        "vi": "Tiếng Việt",
        "zh-Hans": "简体中文",
        "zh-Hant": "繁體中文",
    }
)
"""The name of each language in itself, by its locale (BCP 47), which names its file of phrases."""
SUPPORTED_LOCALES = tuple(LANGUAGES)
ENGLISH = "en"
RIGHT_TO_LEFT = frozenset({"ar", "fa"})
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
LOCALE_BY_CODE: Mapping[str, str] = MappingProxyType(
    {locale.partition("-")[0]: locale for locale in reversed(SUPPORTED_LOCALES)}
)
"""The locale of each code of ISO 639; of the two of Chinese, the simplified one."""
_LATIN = r"A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_SCRIPTS = (
    (re.compile(rf"[{HIRAGANA}{KATAKANA}]"), ("ja",)),
    (re.compile(rf"[{HANGUL}]"), ("ko",)),
    (re.compile(rf"[{HAN}]"), ("zh-Hans", "zh-Hant", "ja")),
    (re.compile(r"[\u0400-\u052f]"), ("ru", "uk")),
    (re.compile(r"[\u0600-\u06ff\u0750-\u077f]"), ("ar", "fa")),
    (re.compile(r"[\u0900-\u097f]"), ("hi",)),
    (
        re.compile(f"[{_LATIN}]"),
        ("en", "de", "es", "fr", "id", "it", "nl", "pl", "pt-BR", "tr", "vi"),
    ),
)
"""The locales that are written in a script, the likeliest first; rarer scripts before Latin."""
_OF_ONE_LANGUAGE = frozenset({"ja", "ko"})


def written_in(text: str, planned: str) -> str | None:
    """The locale of a message: that of the planned tag, if one of its scripts is written so.

    Else the one that its script alone decides, None where several are possible.
    """
    allowed = [locales for script, locales in _SCRIPTS if script.search(text)]
    locale = locale_of_tag(planned)
    if locale and any(locale in locales for locales in allowed):
        return locale
    possible = allowed[0] if len(allowed) == 1 else ()
    return possible[0] if len(possible) == 1 else None


MOST_OBSERVED = 3
"""Messages that tell in which language a user writes; two of them decide."""


def settled_locale(observed: Sequence[str]) -> str | None:
    """The locale of most of the last messages, None while they differ; a single one counts."""
    if not observed:
        return None
    locale, count = Counter(observed[-MOST_OBSERVED:]).most_common(1)[0]
    return locale if count > 1 or len(observed) == 1 else None


def choose_locale(text: str, language_code: str | None) -> str:
    """The language for the product's own phrases: one of the text's script, else of the client.

    `language_code` (BCP 47) is the client's, or what the user wrote last: of the languages of the
    script it is the first choice, and it decides where the text has no letters; else English. A
    client in a language without phrases (Bulgarian) has a neighbour's script, not its language.
    """
    preferred = locale_of_tag(language_code or "")
    for script, locales in _SCRIPTS:
        if script.search(text):
            if preferred and preferred in locales:
                return preferred
            is_foreign = bool(language_code) and preferred is None
            return ENGLISH if is_foreign and locales[0] not in _OF_ONE_LANGUAGE else locales[0]
    return preferred or ENGLISH


def locale_of_tag(tag: str) -> str | None:
    """The locale with the product's phrases in a language (BCP 47: "ja-JP"), None without any."""
    code, *regions = tag.replace("_", "-").lower().split("-")
    if code == "zh" and not _TRADITIONAL.isdisjoint(regions):
        return "zh-Hant"
    return LOCALE_BY_CODE.get(code)
