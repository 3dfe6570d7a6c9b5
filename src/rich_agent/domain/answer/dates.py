"""The dates of a text, in words of the bot's languages and in digits; finds dates that differ.

Days, months and years are compared separately. A date that may be computed from another does not
differ.
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
"""The most words between a month and its year."""
_LONGEST_JOINT = 2
"""The most letters of a word between a day and its month ("de", "of", "th")."""
_LEAP_YEAR = 2000


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as it is written; a missing day or year is 0."""

    day: int
    month: int
    year: int

    def may_be(self, other: "WrittenDate") -> bool:
        """Whether two dates may be the same: no part that both have differs."""
        own_parts, other_parts = (
            (self.day, self.month, self.year),
            (other.day, other.month, other.year),
        )
        return all(
            own_part == other_part or not (own_part and other_part)
            for own_part, other_part in zip(own_parts, other_parts, strict=True)
        )


@lru_cache(maxsize=1)
def _months() -> Mapping[str, int]:
    """The months by their names and abbreviations of one word, in all languages of the bot."""
    months: dict[str, set[int]] = {}
    for tag in SUPPORTED_LOCALES:
        month_names = Locale.parse(tag, sep="-").months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in month_names[context][width].items():
                    word = name.casefold().rstrip(".")
                    if _TOKEN.fullmatch(word) and not word[0].isdigit():
                        months.setdefault(word, set()).add(number)
    return {word: min(numbers) for word, numbers in months.items() if len(numbers) == 1}


def is_month(word: str) -> bool:
    """Whether a word in small letters is the name or abbreviation of a month."""
    return word in _months()


def dates_in(text: str) -> list[frozenset[WrittenDate]]:
    """The dates of a text with ASCII digits; each as the set of its meanings, two for 5/4."""
    dates = [frozenset({written_date}) for written_date in (*_in_words(text), *_eastern(text))]
    return [*dates, *_in_digits(text)][:_MOST_DATES]


def _in_words(text: str) -> Iterator[WrittenDate]:
    """The dates with the name of a month."""
    tokens, months = [match[0].casefold() for match in _TOKEN.finditer(text)], _months()
    for index, token in enumerate(tokens):
        if month := months.get(token, 0):
            earlier_tokens, later_tokens = (
                tokens[max(0, index - 2) : index][::-1],
                tokens[index + 1 : index + 1 + _NEAR],
            )
            is_joint = bool(earlier_tokens) and len(earlier_tokens[0]) <= _LONGEST_JOINT
            day_tokens = (*earlier_tokens[: 1 + is_joint], *later_tokens[:1])
            day = next(filter(None, map(_day, day_tokens)), 0)
            year = next(filter(None, map(_year, (*later_tokens, *earlier_tokens))), 0)
            if day or year:
                yield WrittenDate(day, month, year)


def _eastern(text: str) -> Iterator[WrittenDate]:
    """The dates in Chinese, Japanese, Korean and Vietnamese notation."""
    for year, month, day in _EASTERN.findall(text):
        if (day or year) and 0 < int(month) <= 12:
            yield WrittenDate(int(day or 0), int(month), int(year or 0))
    for day, month, year in _VIETNAMESE.findall(text):
        if (day or year) and 0 < int(month) <= 12:
            yield WrittenDate(int(day or 0), int(month), int(year or 0))


def _in_digits(text: str) -> Iterator[frozenset[WrittenDate]]:
    """The dates in digits, each with all its meanings."""
    for first_digits, _, middle_digits, last_digits in _IN_DIGITS.findall(text):
        year, outer_digits = (
            (first_digits, last_digits) if len(first_digits) == 4 else (last_digits, first_digits)
        )
        if len(year) != 4 or len(outer_digits) > 2:
            continue
        day_month_orders = [
            (int(outer_digits), int(middle_digits)),
            (int(middle_digits), int(outer_digits)),
        ]
        if len(first_digits) == 4:
            del day_month_orders[1]
        dates = {
            WrittenDate(day, month, int(year))
            for day, month in day_month_orders
            if 0 < day <= 31 and 0 < month <= 12
        }
        if dates:
            yield frozenset(dates)


def _day(token: str) -> int:
    """The token as a day of a month, 0 if it is none."""
    return int(token) if len(token) < 3 and token.isdigit() and 0 < int(token) <= 31 else 0


def _year(token: str) -> int:
    """The token as a year, 0 if it is none."""
    return int(token) if len(token) == 4 and token.isdigit() else 0


def dates_differ(
    statement_dates: Sequence[frozenset[WrittenDate]],
    source_dates: Sequence[frozenset[WrittenDate]],
    numbers: AbstractSet[Decimal],
) -> bool:
    """Whether a date of a statement differs from the dates of its source.

    It differs if it is none of them, and the source has another date of the same kind that the
    statement lacks. `numbers` are spans of days, weeks, months or years by which one date may
    follow from another.
    """
    source_readings = [reading for written_date in source_dates for reading in written_date]
    statement_readings = [reading for written_date in statement_dates for reading in written_date]
    missing_readings = [
        source_reading
        for source_reading in source_readings
        if not any(source_reading.may_be(reading) for reading in statement_readings)
    ]
    for readings in statement_dates:
        rivals = [
            source_reading
            for source_reading in missing_readings
            if bool(source_reading.day) == any(reading.day for reading in readings)
        ]
        if (
            rivals
            and not any(
                reading.may_be(source_reading)
                for reading in readings
                for source_reading in source_readings
            )
            and not any(
                _follows(reading, source_reading, numbers)
                for reading in readings
                for source_reading in source_readings
            )
        ):
            return True
    return False


def _follows(date_: WrittenDate, other_date: WrittenDate, numbers: AbstractSet[Decimal]) -> bool:
    """Whether the span between two dates, in days, weeks, months or years, is in `numbers`."""
    years = date_.year - other_date.year if date_.year and other_date.year else 0
    month_distance = abs(12 * years + date_.month - other_date.month)
    spans = {month_distance, month_distance / 12} if date_.day == other_date.day else {0}
    try:
        year = date_.year or other_date.year or _LEAP_YEAR
        earlier_day = date(year, date_.month, date_.day or 1)
        day_distance = abs(
            (
                earlier_day - date(other_date.year or year, other_date.month, other_date.day or 1)
            ).days
        )
        spans |= {day_distance - 1, day_distance, day_distance + 1, day_distance / 7}
    except ValueError:
        pass
    return any(Decimal(span) in numbers for span in spans)
