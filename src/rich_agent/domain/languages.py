"""The languages of the product's own phrases, and the choice of one for a user.

Letters decide first: the script of most words, and letters that exclude languages. Then the app's
language decides, and then the planner's judgement of several messages.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from rich_agent.domain.retrieval.search_terms import tell_languages
from rich_agent.domain.text import HAN, HANGUL, HIRAGANA, KATAKANA, normalized

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
"""The name of each language in the language itself, by locale (BCP 47)."""
SUPPORTED_LOCALES = tuple(LANGUAGES)
ENGLISH = "en"
RIGHT_TO_LEFT = frozenset({"ar", "fa"})
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
LOCALE_BY_CODE: Mapping[str, str] = MappingProxyType(
    {locale.partition("-")[0]: locale for locale in reversed(SUPPORTED_LOCALES)}
)
"""The locale for each code of ISO 639. For Chinese, this is the simplified one."""
_SCRIPTS: Mapping[str, tuple[str, str, tuple[str, ...]]] = MappingProxyType(
    {
        "kana": (HIRAGANA + KATAKANA, "", ("ja",)),
        "han": (HAN, "", ("zh-Hans", "zh-Hant", "ja")),
        "hangul": (HANGUL, "", ("ko",)),
        "cyrillic": (r"\u0400-\u052f", "абвгдежзийклмнопрстуфхцчшщьюя", ("ru", "uk")),
        "arabic": (
            r"\u0620-\u065f\u066e-\u06d3\u06d5-\u06ef\u06fa-\u06ff\u0750-\u077f",
            "ءآأؤئابتثجحخدذرزسشصضطظعغفقلمنهويىك",
            ("ar", "fa"),
        ),
        "devanagari": (r"\u0900-\u097f", "", ("hi",)),
        "latin": (
            r"A-Za-z\u00c0-\u024f\u1e00-\u1eff",
            "abcdefghijklmnopqrstuvwxyz",
            ("en", "de", "es", "fr", "id", "it", "nl", "pl", "pt-BR", "tr", "vi"),
        ),
    }
)
"""For each script: its range, the letters that its languages share, its likeliest locales first."""
# Source: CLDR 46, exemplar characters of each language; Persian is typed with Arabic letters, too.
_LETTERS: Mapping[str, str] = MappingProxyType(
    {
        "ru": "ёъыэ",
        "uk": "ґєії",
        "ar": "إة",
        "fa": "پچژکگی",
        "de": "äöüß",
        "es": "áéíñóúü",
        "fr": "àâæçéèêëîïôœùûüÿ",
        "id": "é",
        "it": "àéèìíòóùú",
        "nl": "áäéèëíïóöúü",
        "pl": "ąćęłńóśźż",
        "pt-BR": "áàâãçéêíóôõú",
        "tr": "çğıi̇öşüâîû",
        "vi": "àảãáạăằẳẵắặâầẩẫấậđèẻẽéẹêềểễếệìỉĩíịòỏõóọôồổỗốộơờởỡớợùủũúụưừửữứựỳỷỹýỵ",
    }
)
"""Letters of a language that not all languages of its script have."""
_CHARSETS = MappingProxyType({"zh-Hans": "gb2312", "zh-Hant": "big5", "ja": "shift_jis"})
"""The national character set of each language that is written in Han."""
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "ar": "arabic",
        "en": "english",
        "de": "german",
        "es": "spanish",
        "fa": "persian",
        "fr": "french",
        "id": "indonesian",
        "it": "italian",
        "nl": "dutch",
        "pl": "polish",
        "pt-BR": "portuguese",
        "ru": "russian",
        "tr": "turkish",
        "uk": "ukrainian",
        "vi": "vietnamese",
    }
)
"""The name of a locale's language in `tell_languages`."""
_RUN = re.compile("|".join(f"(?P<{name}>[{span}]+)" for name, (span, *_) in _SCRIPTS.items()))
_OF_ONE_LANGUAGE = frozenset({"ja", "ko"})
# Addresses and code have no language; a quotation may be in another language.
_QUOTED = re.compile(
    r'`[^`\n]{1,200}`|"[^"\n]{1,200}"|«[^»\n]{1,200}»|[“„][^“”„\n]{1,200}[“”]'
    r"|[「『][^」』\n]{1,200}[」』]"
)
_ASCII = re.compile(r"[!-~]+")
_CODE = re.compile(r"[/@_#\\]")
_LONGEST_READ = 2_000
_LEAST_SHARE = 1 / 3
_KANA_SHARE = 10
"""Japanese has at least one kana to ten characters of Han."""


@dataclass(frozen=True, slots=True)
class MessageScript:
    """The scripts of a text, and the locales that its letters allow."""

    weights: Mapping[str, float] = field(default_factory=dict)
    """Number of words by script. Two characters of Han or kana count as a word."""
    script: str = ""
    """Script of most words, "" without words."""
    words: Sequence[str] = ()
    """Words in this script."""
    locales: tuple[str, ...] = ()
    """Locales that the letters of these words allow."""

    def has(self, locale: str, share: float = 0.0) -> bool:
        """Whether some words, and at least this share, are in a script of the locale."""
        weight = sum(
            word_count for name, word_count in self.weights.items() if locale in _SCRIPTS[name][2]
        )
        return weight > 0 and weight >= share * sum(self.weights.values())

    def permits(self, locale: str, likely: str | None) -> bool:
        """Whether the text may be in the locale's language, given the `likely` locale."""
        if locale not in _locales_of(self.script):
            return self.has(locale, _LEAST_SHARE)
        if locale not in self.locales or likely not in self.locales:
            return locale in self.locales
        foreign_count = _lacking(locale, self.script, self.words)
        return foreign_count <= _lacking(likely, self.script, self.words)


def _locales_of(script: str) -> tuple[str, ...]:
    """The locales whose languages are written in the script."""
    return _SCRIPTS[script][2] if script else ()


def message_script(text: str, likely: str | None = None) -> MessageScript:
    """The script of a text (its first 2,000 characters).

    If two scripts have equally many words, the script of the `likely` locale wins. If there is a
    `likely` locale, a text without a whole word has no script.
    """
    text = normalized("NFC", text[:_LONGEST_READ]).lower()
    all_runs = [(match.lastgroup or "", match[0]) for match in _RUN.finditer(text)]
    own_runs = [(match.lastgroup or "", match[0]) for match in _RUN.finditer(_own_words(text))]
    runs = own_runs if sum(_weight(*run) for run in own_runs) >= 1 else all_runs
    weights = defaultdict[str, float](float)
    for name, run in runs:
        weights[name] += _weight(name, run)
    if not runs or (likely and sum(weights.values()) < 1):
        return MessageScript()
    if weights["kana"] and _KANA_SHARE * weights["kana"] >= weights["han"]:
        weights["kana"] += weights.pop("han", 0.0)
    highest_weight = max(weights.values())
    heaviest_scripts = [name for name in _SCRIPTS if weights[name] == highest_weight]
    main_script = next(
        (name for name in heaviest_scripts if likely in _SCRIPTS[name][2]), heaviest_scripts[0]
    )
    words = [run for name, run in runs if name == main_script]
    return MessageScript(weights, main_script, words, _possible_locales(main_script, words))


def _own_words(text: str) -> str:
    """The text without quotations, addresses and code."""
    unquoted_text = _QUOTED.sub(" ", text)
    return _ASCII.sub(lambda run: " " if _CODE.search(run[0]) else run[0], unquoted_text)


def _weight(name: str, run: str) -> float:
    """The number of words that a run of letters counts as."""
    return len(run) / 2 if name in {"kana", "han"} else 1.0


def _possible_locales(script: str, words: Sequence[str]) -> tuple[str, ...]:
    """The locales of a script whose languages have the letters of most words.

    In Latin script, loanwords prove nothing: only if half of the words exclude all languages but
    one, is this language chosen; otherwise all locales are possible.
    """
    locales = _SCRIPTS[script][2]
    foreign_count_by_locale = {locale: _lacking(locale, script, words) for locale in locales}
    least_count = min(foreign_count_by_locale.values())
    fitting_locales = tuple(
        locale for locale in locales if foreign_count_by_locale[locale] == least_count
    )
    if script != "latin":
        return fitting_locales
    is_certain = len(fitting_locales) == 1 and all(
        2 * foreign_count >= len(words)
        for locale, foreign_count in foreign_count_by_locale.items()
        if locale not in fitting_locales
    )
    return fitting_locales if is_certain else locales


def _lacking(locale: str, script: str, words: Sequence[str]) -> int:
    """The number of words with a letter that the locale's language does not have."""
    if script == "han":
        return sum(len(word) - len(_encodable(word, _CHARSETS[locale])) for word in words)
    common_letters = _SCRIPTS[script][1]
    if not common_letters:
        return 0
    letters = frozenset(common_letters + _LETTERS.get(locale, ""))
    return sum(
        any(character.isalpha() and character not in letters for character in word)
        for word in words
    )


def _encodable(word: str, charset: str) -> str:
    """The characters of the word that the character set has."""
    return word.encode(charset, "ignore").decode(charset)


def locale_of_message(text: str, planned_tag: str, likely: str | None = None) -> str | None:
    """The locale of a message, None if neither letters, app nor planner tell it.

    `planned_tag` is the planner's tag for the message (BCP 47), `likely` the locale of the app or
    of earlier messages. Neither counts if the letters exclude it. `likely` counts more than the
    planner if common words confirm it, or if the script is not Latin.
    """
    script, locale = message_script(text, likely), locale_of_tag(planned_tag)
    if planned_tag and locale is None:
        # The language has no phrases, but its script may be that of a language with phrases.
        return next(
            (
                script_locale
                for script_locale in script.locales
                if script_locale in _OF_ONE_LANGUAGE
            ),
            None,
        )
    is_main = locale in _locales_of(script.script)
    if locale and locale == likely and not is_main and script.has(locale):
        return locale
    if len(script.locales) == 1:
        return script.locales[0]
    return _likeliest(script, likely) or (
        locale if locale and script.permits(locale, likely) else None
    )


def _likeliest(script: MessageScript, likely: str | None) -> str | None:
    """The locale by app or common words, which count more than the planner."""
    names = tell_languages(script.words)
    word_locale = next(
        (script_locale for script_locale in script.locales if _NAMES.get(script_locale) in names),
        None,
    )
    if likely in script.locales and (word_locale == likely or script.script != "latin"):
        return likely
    return word_locale if script.script != "latin" else None


MOST_OBSERVED = 3
"""Last messages from which a user's language is detected. Two of them decide."""


def usual_locale(locales: Sequence[str]) -> str | None:
    """The locale of most of the last messages; None if all differ."""
    if not locales:
        return None
    locale, count = Counter(locales[-MOST_OBSERVED:]).most_common(1)[0]
    return locale if count > 1 or len(locales) == 1 else None


def choose_locale(text: str, language_code: str | None) -> str:
    """The locale for the product's own phrases, by the letters of a text and the client.

    `language_code` (BCP 47) is the client's language, or the one that the user wrote last. It is
    chosen if the letters allow it, or if the text has no words. Otherwise the letters decide. The
    last choice is English, for instance for a client in a language without phrases (Bulgarian).
    """
    client_locale = locale_of_tag(language_code or "")
    locales = message_script(text, client_locale).locales
    if not locales or client_locale in locales:
        return client_locale or ENGLISH
    is_foreign = bool(language_code) and client_locale is None
    return ENGLISH if is_foreign and locales[0] not in _OF_ONE_LANGUAGE else locales[0]


def locale_of_tag(tag: str) -> str | None:
    """The locale of phrases for a language tag (BCP 47: "ja-JP"), None without phrases."""
    code, *regions = tag.replace("_", "-").lower().split("-")
    if code == "zh" and not _TRADITIONAL.isdisjoint(regions):
        return "zh-Hant"
    return LOCALE_BY_CODE.get(code)
