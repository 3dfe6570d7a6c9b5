"""The languages of the product's own phrases, and which of them a user is spoken to in.

Letters come first: most words tell the script, and letters within it exclude languages. Then comes
the language of the app, and then what the planner says of several messages.
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
"""The name of each language in itself, by its locale (BCP 47), which names its file of phrases."""
SUPPORTED_LOCALES = tuple(LANGUAGES)
ENGLISH = "en"
RIGHT_TO_LEFT = frozenset({"ar", "fa"})
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
LOCALE_BY_CODE: Mapping[str, str] = MappingProxyType(
    {locale.partition("-")[0]: locale for locale in reversed(SUPPORTED_LOCALES)}
)
"""The locale of each code of ISO 639; of the two of Chinese, the simplified one."""
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
"""By script: its range, the letters that its languages share, its locales, the likeliest first."""
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
"""The letters of a language that others of its script do not have."""
_CHARSETS = MappingProxyType({"zh-Hans": "gb2312", "zh-Hant": "big5", "ja": "shift_jis"})
"""The characters of each language that is written in Han: its national character set."""
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
"""The name of a language among those that common words tell."""
_RUN = re.compile("|".join(f"(?P<{name}>[{span}]+)" for name, (span, *_) in _SCRIPTS.items()))
_OF_ONE_LANGUAGE = frozenset({"ja", "ko"})
# Addresses and code are in no language, and a quotation is what a message is about.
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
    """The words of a text by script, and the locales that its main script and letters allow.

    `weights` has the number of words of each script; two characters of Han or kana are one.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    script: str = ""
    words: Sequence[str] = ()
    locales: tuple[str, ...] = ()

    def has(self, locale: str, share: float = 0.0) -> bool:
        """Whether so large a share of the words is in a script of the locale."""
        own = sum(n for name, n in self.weights.items() if locale in _SCRIPTS[name][2])
        return own > 0 and own >= share * sum(self.weights.values())

    def permits(self, locale: str, likely: str | None) -> bool:
        """Whether a text may be in a language, in which it has no more odd letters than needed."""
        if locale not in _locales_of(self.script):
            return self.has(locale, _LEAST_SHARE)
        if locale not in self.locales or likely not in self.locales:
            return locale in self.locales
        odd = _lacking(locale, self.script, self.words)
        return odd <= _lacking(likely, self.script, self.words)


def _locales_of(script: str) -> tuple[str, ...]:
    return _SCRIPTS[script][2] if script else ()


def message_script(text: str, likely: str | None = None) -> MessageScript:
    """The script of a text (its first 2,000 characters).

    `likely` wins where two scripts have equally many words. Without a whole word there is none.
    """
    text = normalized("NFC", text[:_LONGEST_READ]).lower()
    whole = [(match.lastgroup or "", match[0]) for match in _RUN.finditer(text)]
    apart = [(match.lastgroup or "", match[0]) for match in _RUN.finditer(_own_words(text))]
    runs = apart if sum(_weight(*run) for run in apart) >= 1 else whole
    weights = defaultdict[str, float](float)
    for name, run in runs:
        weights[name] += _weight(name, run)
    if not runs or (likely and sum(weights.values()) < 1):
        return MessageScript()
    if weights["kana"] and _KANA_SHARE * weights["kana"] >= weights["han"]:
        weights["kana"] += weights.pop("han", 0.0)
    top = max(weights.values())
    tied = [name for name in _SCRIPTS if weights[name] == top]
    main = next((name for name in tied if likely in _SCRIPTS[name][2]), tied[0])
    words = [run for name, run in runs if name == main]
    return MessageScript(weights, main, words, _possible_locales(main, words))


def _own_words(text: str) -> str:
    without = _QUOTED.sub(" ", text)
    return _ASCII.sub(lambda run: " " if _CODE.search(run[0]) else run[0], without)


def _weight(name: str, run: str) -> float:
    return len(run) / 2 if name in {"kana", "han"} else 1.0


def _possible_locales(script: str, words: Sequence[str]) -> tuple[str, ...]:
    """The locales of a script that lack the letters of fewest words.

    In Latin script a loanword tells nothing: half of the words have to leave one language alone.
    """
    locales = _SCRIPTS[script][2]
    lacking = {locale: _lacking(locale, script, words) for locale in locales}
    least = min(lacking.values())
    possible = tuple(locale for locale in locales if lacking[locale] == least)
    if script != "latin":
        return possible
    is_told = len(possible) == 1 and all(
        2 * number >= len(words) for locale, number in lacking.items() if locale not in possible
    )
    return possible if is_told else locales


def _lacking(locale: str, script: str, words: Sequence[str]) -> int:
    """The words with a letter that the locale's language does not have."""
    if script == "han":
        return sum(len(word) - len(_encodable(word, _CHARSETS[locale])) for word in words)
    common_letters = _SCRIPTS[script][1]
    if not common_letters:
        return 0
    own = frozenset(common_letters + _LETTERS.get(locale, ""))
    return sum(any(c.isalpha() and c not in own for c in word) for word in words)


def _encodable(word: str, charset: str) -> str:
    return word.encode(charset, "ignore").decode(charset)


def locale_of_message(text: str, planned_tag: str, likely: str | None = None) -> str | None:
    """The locale of a message, None where nobody knows: neither letters, app nor planner.

    `planned_tag` is the planner's tag for it (BCP 47), `likely` the locale of the app, or of
    earlier messages. Neither counts where the letters exclude it; and where a language shares
    its script with few, or common words tell it, the planner does not count against the other.
    """
    script, locale = message_script(text, likely), locale_of_tag(planned_tag)
    if planned_tag and locale is None:
        # Of a language without phrases: its script may be that of one with phrases.
        return next((one for one in script.locales if one in _OF_ONE_LANGUAGE), None)
    is_main = locale in _locales_of(script.script)
    if locale and locale == likely and not is_main and script.has(locale):
        return locale
    if len(script.locales) == 1:
        return script.locales[0]
    return _likeliest(script, likely) or (
        locale if locale and script.permits(locale, likely) else None
    )


def _likeliest(script: MessageScript, likely: str | None) -> str | None:
    """The locale that app or common words tell, before a planner is believed."""
    names = tell_languages(script.words)
    by_words = next((one for one in script.locales if _NAMES.get(one) in names), None)
    if likely in script.locales and (by_words == likely or script.script != "latin"):
        return likely
    return by_words if script.script != "latin" else None


MOST_OBSERVED = 3
"""Messages that tell in which language a user writes; two of them decide."""


def usual_locale(locales: Sequence[str]) -> str | None:
    """The locale of most of the last messages, None while they differ; a single one counts."""
    if not locales:
        return None
    locale, count = Counter(locales[-MOST_OBSERVED:]).most_common(1)[0]
    return locale if count > 1 or len(locales) == 1 else None


def choose_locale(text: str, language_code: str | None) -> str:
    """The language for the product's own phrases: one that the letters allow, else of the client.

    `language_code` (BCP 47) is the client's, or what the user wrote last: of the languages that are
    left it is the first choice, and it decides where the text has no words; else English. A client
    in a language without phrases (Bulgarian) has a neighbour's script, not its language.
    """
    client_locale = locale_of_tag(language_code or "")
    locales = message_script(text, client_locale).locales
    if not locales or client_locale in locales:
        return client_locale or ENGLISH
    is_foreign = bool(language_code) and client_locale is None
    return ENGLISH if is_foreign and locales[0] not in _OF_ONE_LANGUAGE else locales[0]


def locale_of_tag(tag: str) -> str | None:
    """The locale with the product's phrases in a language (BCP 47: "ja-JP"), None without any."""
    code, *regions = tag.replace("_", "-").lower().split("-")
    if code == "zh" and not _TRADITIONAL.isdisjoint(regions):
        return "zh-Hant"
    return LOCALE_BY_CODE.get(code)
