"""Units of measure and currencies by their names in CLDR, in the bot's languages."""

import unicodedata
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache

from babel import Locale
from babel.numbers import get_currency_name
from babel.units import format_unit

from rich_agent.domain.languages import SUPPORTED_LOCALES

_UNITS = (
    *(
        "mass-gram",
        "mass-kilogram",
        "mass-milligram",
        "mass-tonne",
        "mass-ton",
        "mass-pound",
        "mass-ounce",
    ),
    *("length-millimeter", "length-centimeter", "length-meter", "length-kilometer"),
    *("length-mile", "length-foot", "length-inch", "length-yard"),
    *("area-square-meter", "area-square-kilometer", "area-hectare", "area-acre"),
    *("volume-liter", "volume-milliliter", "volume-cubic-meter", "volume-gallon"),
    *("duration-second", "duration-minute", "duration-hour", "duration-day"),
    *("duration-week", "duration-month", "duration-year"),
    *("temperature-celsius", "temperature-fahrenheit"),
    *("power-watt", "power-kilowatt", "power-megawatt", "energy-kilowatt-hour"),
    *("digital-kilobyte", "digital-megabyte", "digital-gigabyte", "digital-terabyte"),
    *("speed-kilometer-per-hour", "speed-mile-per-hour", "speed-meter-per-second"),
)
_TAKEN_AS = {"mass-ton": "mass-tonne"}
"""Units that everyday words do not distinguish."""
_CURRENCIES = ("EUR", "USD", "GBP", "JPY", "CNY", "INR", "RUB", "PLN", "CHF", "KRW", "TRY", "BRL")
_COUNTS = (1, 2, 3, 5, 11, 1.5)
"""A number for each form of the plural."""
_FEWEST_CHARS = 4
"""The fewest characters of the beginning of a name ("kilo")."""
_OTHER_WORDS = frozenset({"in", "won", "real"})
"""Names of units and currencies that are mostly other words."""


@lru_cache(maxsize=1)
def _names() -> Mapping[str, frozenset[str]]:
    """The units by each of their names."""
    units_by_name: dict[str, set[str]] = {}
    for tag in SUPPORTED_LOCALES:
        locale = Locale.parse(tag, sep="-")
        for unit in _UNITS:
            for count in _COUNTS:
                for length in ("long", "short"):
                    phrase = format_unit(count, unit, length=length, locale=locale)
                    words = phrase.strip("0123456789.,٫ \u00a0\u202f٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")
                    units_by_name.setdefault(_plain(words), set()).add(_TAKEN_AS.get(unit, unit))
        for currency in _CURRENCIES:
            for count in _COUNTS:
                name = get_currency_name(currency, count, locale=locale)
                units_by_name.setdefault(_plain(name), set()).add(currency)
                units_by_name.setdefault(_plain(name.split()[-1]), set()).add(currency)
    return {
        unit_name: frozenset(units)
        for unit_name, units in units_by_name.items()
        if unit_name and unit_name not in _OTHER_WORDS
    }


@lru_cache(maxsize=1)
def _names_in_order() -> Sequence[str]:
    return sorted(_names())


@lru_cache(maxsize=1)
def _longest() -> int:
    return max(map(len, _names()))


@lru_cache(maxsize=4_096)
def units_at(text: str) -> frozenset[str]:
    """The units that a text may begin with: several for "kilo", none for other words."""
    units_by_name, plain_text = _names(), _plain(text[: _longest()])
    for length in range(len(plain_text), 0, -1):
        is_word = (
            not plain_text[length - 1].isascii() or not plain_text[length : length + 1].isalpha()
        )
        if is_word and (units := units_by_name.get(plain_text[:length])):
            return units
    word = plain_text.split()[0].rstrip(".,;:!?)") if plain_text.split() else ""
    for beginning in (word, word[:-1]):
        if len(beginning) >= _FEWEST_CHARS and (units := _units_beginning_with(beginning)):
            return units
    return frozenset()


def _units_beginning_with(beginning: str) -> frozenset[str]:
    """The units whose names begin so."""
    unit_names = _names_in_order()
    start_index, end_index = (
        bisect_left(unit_names, word) for word in (beginning, f"{beginning}\U0010ffff")
    )
    return frozenset[str]().union(*(_names()[name] for name in unit_names[start_index:end_index]))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip(" \u00a0\u202f.")
