"""Forms of numbers and dates in a column: 1,234.56 or 1.234,56, 3/4/2025 or 04.03.2025.

A form is told from all values of a column, and else from other columns of the table. Where that
leaves a doubt, a note says so.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

DecimalMark = Literal[".", ","]

MOSTLY: Final = 0.9
"""Share of a column's values with a digit that have to be numbers, or dates, for it to be one of
them. Values without a digit say that there is none, such as "n/a"; at most half of them may."""
_LONGEST: Final = 64
WRITTEN: Final = "０１２３４５６７８９．，－−–▲△￥\u00a0\u202f\u2009\u3000"  # noqa: RUF100
READ: Final = "0123456789.,-----¥    "
"""Characters of numbers in other forms, and what they are read as, one by one."""
PLAIN: Final = r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?"
DOT: Final = r"[+-]?(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?|[+-]?\.\d+"
COMMA: Final = r"[+-]?(?:\d+|\d{1,3}(?:\.\d{2,3})*\.\d{3})(?:,\d+)?|[+-]?,\d+"
CODE: Final = r"[+-]?0\d.*"
"""With a zero in front it is a code, such as that of a town, and no number to compute with."""
_TRANSLATED: Final = str.maketrans(WRITTEN, READ)
_SPACES: Final = re.compile(r"[\s'’]")
_CURRENCY: Final = re.compile(r"[$€£¥₩₹₽₺₫₴₪฿]|[A-Z]{3} |R\$ ?|Rs\.? ")
_UNIT: Final = re.compile(r"(?:[%‰$€£¥₩₹₽₺₫₴₪฿°]|[^\W\d_]){1,6}\.?")
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
    """The form of the numbers of a column; `mark` is None where its values do not tell.

    `is_plain` where they need no reading at all.
    """

    unit: str = ""
    mark: DecimalMark | None = None
    is_plain: bool = False


def number_form(values: Sequence[str], *, is_typed: bool) -> NumberForm | None:
    """The form of a sample of values, None if most of them are no numbers, or in several units."""
    values, all_values = _with_digits(values), values
    if len(values) * 2 < max(1, len(all_values)):
        return None
    if any(re.match(CODE, value[:3]) for value in values):
        return None
    if _most(values, PLAIN) == len(values) and (is_typed or not _may_be_thousands(values)):
        return NumberForm(mark=".", is_plain=True)
    units: set[str] = set()
    read: list[str] = []
    for value in values:
        text = value[:_LONGEST].translate(_TRANSLATED).strip()
        inner = text[1:-1] if text.startswith("(") and text.endswith(")") else text
        unit = _unit_of(inner)
        if unit is not None:
            units.add(unit)
            read.append(bare_number(value, unit))
    units.discard("")
    if len(read) < MOSTLY * len(values) or len(units) > 1:
        return None
    dots, commas = _most(read, DOT), _most(read, COMMA)
    if max(dots, commas) < MOSTLY * len(values):
        return None
    mark: DecimalMark | None = None
    if dots != commas:
        mark = "." if dots > commas else ","
    elif is_typed:
        mark = "."
    return NumberForm(next(iter(units), ""), mark)


def bare_number(value: str, unit: str) -> str:
    """The number of a value as text, with a minus in front; as `columns` does it in SQL."""
    text = value[:_LONGEST].translate(_TRANSLATED).replace(unit, "") if unit else value[:_LONGEST]
    text = _SPACES.sub("", text.translate(_TRANSLATED))
    if text.startswith("(") and text.endswith(")"):
        return f"-{text[1:-1]}"
    return f"-{text[:-1]}" if text.endswith("-") else text


def _unit_of(text: str) -> str | None:
    """The unit before or behind the number, "" for nothing, None if that is no unit."""
    head = re.match(r"[+-]?([^\d.,+\-]*)", text)
    before = head[1] if head else ""
    tail = re.search(r"[^\d.,+\-]*\Z", text[-16:])
    behind = tail[0].strip() if tail else ""
    if before.strip() and behind:
        return None
    if before.strip():
        return before.strip() if _CURRENCY.fullmatch(before) else None
    return behind if not behind or _UNIT.fullmatch(behind) else None


def _may_be_thousands(values: Iterable[str]) -> bool:
    """Whether each fraction has three digits, as 1.234 has where the point separates thousands."""
    fractions = [value for value in values if "." in value]
    return bool(fractions) and all(re.fullmatch(COMMA, value) for value in fractions)


def _most(values: Iterable[str], pattern: str) -> int:
    expression = re.compile(pattern)
    return sum(expression.fullmatch(value) is not None for value in values)


def date_formats(values: Sequence[str]) -> list[str]:
    """The formats, as `strptime` has them, in which most of the values are dates."""
    with_digits = _with_digits(values)
    if len(with_digits) * 2 < max(1, len(values)):
        return []
    samples = [value.strip() for value in with_digits[:: max(1, len(with_digits) // _TRIED)]]
    if max(map(len, samples)) > _LONGEST_DATE:
        return []
    formats = (date + time for date in _DATE_FORMATS for time in _TIMES)
    return [one for one in formats if _share(samples, one) >= MOSTLY]


def _with_digits(values: Iterable[str]) -> list[str]:
    return [value for value in values if any(sign.isdigit() for sign in value[:_LONGEST])]


def _share(values: Sequence[str], date_format: str) -> float:
    read = 0
    for value in values:
        with suppress(ValueError):
            datetime.strptime(value, date_format).replace(tzinfo=UTC)
            read += 1
    return read / len(values)
