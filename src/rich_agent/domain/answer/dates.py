"""Dates of a text, in the words of the bot's languages and in digits, and which of two differ.

Days, months and years are compared apart. A date that may be worked out from another is no other.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from babel import Locale

from rich_agent.domain.languages import SUPPORTED_LOCALES

_TOKEN = re.compile(r"\d+|(?:[^\W\d_]|[\u0900-\u0903\u093a-\u094f])+")
_IN_DIGITS = re.compile(r"(?<!\d)(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?!\d)")
_EASTERN = re.compile(
    r"(?:(?<!\d)(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?[月월]\s?(?:(\d{1,2})\s?[日號号일])?"
)
_VIETNAMESE = re.compile(r"(?:(\d{1,2})\s)?tháng\s(\d{1,2})(?:\snăm\s(\d{4}))?", re.IGNORECASE)
_MOST_DATES = 100
_NEAR = 3
"""Words between a month and its year."""
_LONGEST_JOINT = 2
"""A word between a day and its month ("de", "of", "th") has no more letters."""
_LEAP_YEAR = 2000


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as it is written; a day or year that is not there is 0."""

    day: int
    month: int
    year: int

    def may_be(self, other: "WrittenDate") -> bool:
        """Whether nothing that both tell is different."""
        mine, theirs = (self.day, self.month, self.year), (other.day, other.month, other.year)
        return all(a == b or not (a and b) for a, b in zip(mine, theirs, strict=True))


@lru_cache(maxsize=1)
def _months() -> Mapping[str, int]:
    """The months by their names and abbreviations of one word, in all languages of the bot."""
    months: dict[str, set[int]] = {}
    for tag in SUPPORTED_LOCALES:
        names = Locale.parse(tag, sep="-").months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in names[context][width].items():
                    word = name.casefold().rstrip(".")
                    if _TOKEN.fullmatch(word) and not word[0].isdigit():
                        months.setdefault(word, set()).add(number)
    return {word: min(numbers) for word, numbers in months.items() if len(numbers) == 1}


def is_month(word: str) -> bool:
    """Whether a word in small letters is the name of a month, or short for it."""
    return word in _months()


def dates_in(text: str) -> list[frozenset[WrittenDate]]:
    """The dates of a text in ASCII digits, each as all that it may be: 5/4 is one of two days."""
    dates = [frozenset({one}) for one in (*_in_words(text), *_eastern(text))]
    return [*dates, *_in_digits(text)][:_MOST_DATES]


def _in_words(text: str) -> Iterator[WrittenDate]:
    tokens, months = [one[0].casefold() for one in _TOKEN.finditer(text)], _months()
    for at, token in enumerate(tokens):
        if month := months.get(token, 0):
            before, behind = tokens[max(0, at - 2) : at][::-1], tokens[at + 1 : at + 1 + _NEAR]
            is_joint = bool(before) and len(before[0]) <= _LONGEST_JOINT
            near = (*before[: 1 + is_joint], *behind[:1])
            day = next(filter(None, map(_day, near)), 0)
            year = next(filter(None, map(_year, (*behind, *before))), 0)
            if day or year:
                yield WrittenDate(day, month, year)


def _eastern(text: str) -> Iterator[WrittenDate]:
    for year, month, day in _EASTERN.findall(text):
        if (day or year) and 0 < int(month) <= 12:
            yield WrittenDate(int(day or 0), int(month), int(year or 0))
    for day, month, year in _VIETNAMESE.findall(text):
        if (day or year) and 0 < int(month) <= 12:
            yield WrittenDate(int(day or 0), int(month), int(year or 0))


def _in_digits(text: str) -> Iterator[frozenset[WrittenDate]]:
    for first, _, middle, last in _IN_DIGITS.findall(text):
        year, one = (first, last) if len(first) == 4 else (last, first)
        if len(year) != 4 or len(one) > 2:
            continue
        orders = [(int(one), int(middle)), (int(middle), int(one))]
        if len(first) == 4:
            del orders[1]
        dates = {WrittenDate(d, m, int(year)) for d, m in orders if 0 < d <= 31 and 0 < m <= 12}
        if dates:
            yield frozenset(dates)


def _day(token: str) -> int:
    return int(token) if len(token) < 3 and token.isdigit() and 0 < int(token) <= 31 else 0


def _year(token: str) -> int:
    return int(token) if len(token) == 4 and token.isdigit() else 0


def dates_differ(
    own: Sequence[frozenset[WrittenDate]],
    theirs: Sequence[frozenset[WrittenDate]],
    numbers: AbstractSet[Decimal],
) -> bool:
    """Whether one of `own` is none of `theirs`, of which one is left out.

    `numbers` of days, weeks, months or years between two may make one of the other.
    """
    others = [one for date_ in theirs for one in date_]
    own_readings = [one for date_ in own for one in date_]
    missing = [o for o in others if not any(o.may_be(one) for one in own_readings)]
    for readings in own:
        rivals = [o for o in missing if bool(o.day) == any(one.day for one in readings)]
        if (
            rivals
            and not any(one.may_be(o) for one in readings for o in others)
            and not any(_follows(one, o, numbers) for one in readings for o in others)
        ):
            return True
    return False


def _follows(one: WrittenDate, other: WrittenDate, numbers: AbstractSet[Decimal]) -> bool:
    """Whether so many days, weeks, months or years as one of the `numbers` are between two."""
    years = one.year - other.year if one.year and other.year else 0
    months = abs(12 * years + one.month - other.month)
    spans = {months, months / 12} if one.day == other.day else {0}
    try:
        year = one.year or other.year or _LEAP_YEAR
        first = date(year, one.month, one.day or 1)
        days = abs((first - date(other.year or year, other.month, other.day or 1)).days)
        spans |= {days - 1, days, days + 1, days / 7}
    except ValueError:
        pass
    return any(Decimal(span) in numbers for span in spans)
