"""Forms of numbers and dates in a column: 1,234.56 or 1.234,56, 3/4/2025 or 04.03.2025.

A form is derived from all values of a column, or else from other columns of the table. If a doubt
remains, a note says so.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

DecimalMark = Literal[".", ","]

MOSTLY: Final = 0.9
"""Share of the values with a digit that have to be numbers, or dates, in a column of these.

Values without a digit stand for a missing value, such as "n/a"; at most half of the values may be
such.
"""
_LONGEST: Final = 64
WRITTEN: Final = "０１２３４５６７８９．，－−–▲△￥\u00a0\u202f\u2009\u3000"  # noqa: RUF100
READ: Final = "0123456789.,-----¥    "
"""Characters that replace those of `WRITTEN`, one by one, when a number is read."""
PLAIN: Final = r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?"
DOT: Final = r"[+-]?(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?|[+-]?\.\d+"
COMMA: Final = r"[+-]?(?:\d+|\d{1,3}(?:\.\d{2,3})*\.\d{3})(?:,\d+(?:[eE][+-]?\d+)?)?|[+-]?,\d+"
CODE: Final = r"[+-]?0\d.*"
"""Pattern of codes, which begin with a zero, such as postal codes.

They are no numbers to compute with.
"""
SPACED_CODE: Final = (
    r"\+(?: ?\d){9,30}"
    r"|\+?\d{1,30} (?:\d{3} ){0,9}(?:\d{1,2}|\d{4,30})(?: [\d ]{1,30})?"
    r"|\d{4,30} [\d ]{1,30}"
)
"""Pattern of numbers of phones and cards: long with a plus, or in groups that are no thousands."""
CLOCK: Final = re.compile(r"-?\d{1,5}:[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?: ?[AaPp]\.?[Mm]\.?)?")
"""Hours and minutes, of a day or worked, such as 8:30, 41:45 or 5:15 PM."""
ISO_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
"""A date as workbooks have it."""
ERROR: Final = "#"
"""The first character of an error of a spreadsheet, such as #DIV/0!, which lacks a value."""
_TRANSLATED: Final = str.maketrans(WRITTEN, READ)
_SPACES: Final = re.compile(r"[\s'’]")
FOOTNOTES: Final = "*†‡"
"""Marks behind a number that refer to a note."""
_CURRENCY: Final = re.compile(r"[$€£¥₩₹₽₺₫₴₪฿]|[A-Z]{3} |R\$ ?|Rs\.? ")
UNIT: Final = re.compile(r"(?:[%‰$€£¥₩₹₽₺₫₴₪฿°/]|[^\W\d_]){1,8}\.?")
"""A unit of numbers, such as kg, m² or €/h."""
_DATE_FORMATS: Final = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日",
    "%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y",
    "%d-%m-%Y", "%m-%d-%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y",
)  # fmt: skip
_TIMES: Final = ("", " %H:%M", " %H:%M:%S", "T%H:%M:%S", "T%H:%M:%SZ", " %H:%M:%S.%f", ", %H:%M")
_TRIED: Final = 40
_LONGEST_DATE: Final = 32


@dataclass(frozen=True, slots=True)
class NumberForm:
    """The form of the numbers of a column."""

    unit: str = ""
    mark: DecimalMark | None = None
    """Decimal mark, None if the values do not show it."""
    is_plain: bool = False
    """Whether the numbers are in their plain form, which needs no reading."""


def number_form(values: Sequence[str], *, is_typed: bool) -> NumberForm | None:
    """The form of a sample of values.

    None if too few values are numbers, or if the numbers are in several units.
    """
    values, all_values = _with_digits(values), values
    if len(values) * 2 < max(1, len(all_values)):
        return None
    if any(re.match(CODE, value[:3]) for value in values):
        return None
    if _most(values, PLAIN) == len(values) and (is_typed or not _may_be_thousands(values)):
        return NumberForm(mark=".", is_plain=True)
    units: set[str] = set()
    number_texts: list[str] = []
    for value in values:
        text = value[:_LONGEST].translate(_TRANSLATED).strip()
        text = text.rstrip(FOOTNOTES)
        unsigned_text = text[1:-1] if text.startswith("(") and text.endswith(")") else text
        unit = _unit_of(unsigned_text)
        if unit is not None:
            units.add(unit)
            number_texts.append(bare_number(value, unit))
    units.discard("")
    if len(number_texts) < MOSTLY * len(values) or len(units) > 1:
        return None
    dot_count, comma_count = _most(number_texts, DOT), _most(number_texts, COMMA)
    if max(dot_count, comma_count) < MOSTLY * len(values):
        return None
    mark: DecimalMark | None = None
    if dot_count != comma_count:
        mark = "." if dot_count > comma_count else ","
    elif is_typed:
        mark = "."
    return NumberForm(next(iter(units), ""), mark)


def bare_number(value: str, unit: str) -> str:
    """The number of a value as text, with a minus in front. `columns` does the same in SQL."""
    text = value[:_LONGEST].translate(_TRANSLATED).replace(unit, "") if unit else value[:_LONGEST]
    text = text.translate(_TRANSLATED)
    if re.fullmatch(SPACED_CODE, text.strip()):
        return ""
    text = _SPACES.sub("", text).rstrip(FOOTNOTES)
    if text.startswith("(") and text.endswith(")"):
        return f"-{text[1:-1]}"
    return f"-{text[:-1]}" if text.endswith("-") else text


def _unit_of(text: str) -> str | None:
    """The unit before or after the number, "" without one, None if that text is no unit."""
    prefix_match = re.match(r"[+-]?([^\d.,+\-]*)", text)
    prefix = prefix_match[1] if prefix_match else ""
    suffix_match = re.search(r"[^\d.,+\-]*\Z", text[-16:])
    suffix = suffix_match[0].strip() if suffix_match else ""
    if prefix.strip() and suffix:
        return None
    if prefix.strip():
        return prefix.strip() if _CURRENCY.fullmatch(prefix) else None
    return suffix if not suffix or UNIT.fullmatch(suffix) else None


def _may_be_thousands(values: Iterable[str]) -> bool:
    """Whether each fraction has three digits, so that its point may separate thousands."""
    fractions = [value for value in values if "." in value]
    return bool(fractions) and all(re.fullmatch(COMMA, value) for value in fractions)


def _most(values: Iterable[str], pattern: str) -> int:
    regex = re.compile(pattern)
    return sum(regex.fullmatch(value) is not None for value in values)


def date_formats(values: Sequence[str]) -> list[str]:
    """The formats for `strptime` in which most of the values are dates."""
    digit_values = _with_digits(values)
    if len(digit_values) * 2 < max(1, len(values)):
        return []
    samples = [value.strip() for value in digit_values[:: max(1, len(digit_values) // _TRIED)]]
    if max(map(len, samples)) > _LONGEST_DATE:
        return []
    formats = (date_form + time_form for date_form in _DATE_FORMATS for time_form in _TIMES)
    return [candidate for candidate in formats if _share(samples, candidate) >= MOSTLY]


def _with_digits(values: Iterable[str]) -> list[str]:
    return [
        value
        for value in values
        if any(map(str.isdigit, value[:_LONGEST])) and not value.startswith(ERROR)
    ]


def _share(values: Sequence[str], date_format: str) -> float:
    date_count = 0
    for value in values:
        with suppress(ValueError):
            datetime.strptime(value, date_format).replace(tzinfo=UTC)
            date_count += 1
    return date_count / len(values)
