"""Number formats of cells: the number, unit or word that a person sees instead of what is stored.

Source: ECMA-376, part 1, 18.8.30 and 18.8.31. Dates and times are told by their values.
"""

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from rich_agent.documents.extract.sheets.forms import UNIT

BUILT_IN: Final = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??",
    17: "mmm-yy", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00",
    40: "#,##0.00;-#,##0.00",
}  # fmt: skip
"""Codes of the formats that a file does not declare, by their number."""
_LONGEST_CODE: Final = 300
_PIECES: Final = re.compile(
    r'"([^"]{0,99})"'  # words as they are
    r"|\\(.)|[_*].|"  # a character as it is; space of a character's width, or filled with it
    r"\[([^\[\]]{0,99})\]"  # colour, condition, elapsed time, or currency
    r"|([Ee][+-]|[0#?.,/@%]|General)|([A-Za-z])|(.)",
    re.DOTALL,
)
_COMPARISONS: Final = {
    "<=": operator.le, ">=": operator.ge, "<>": operator.ne, "<": operator.lt, ">": operator.gt,
    "=": operator.eq,
}  # fmt: skip
_SIGNS: Final = re.compile("[()\\-\u2212]")
_NOT_IN_UNIT: Final = re.compile(r"[\s.]")
_LARGEST_WHOLE: Final = 1e15
_SMALLEST: Final = 1e-12
_LARGEST: Final = 1e18
_WIDEST_PAD: Final = 20
_SHOWN_DECIMALS: Final = 2
_CONDITION: Final = re.compile(r"(<=|>=|<>|<|>|=)(-?\d{1,15}(?:\.\d{1,15})?)")


@dataclass(frozen=True, slots=True)
class _Part:
    """A section of a format."""

    prefix: str
    suffix: str
    exponent: int
    """The power of ten by which the stored number is multiplied."""
    decimals: int
    pad: int
    """The least number of digits before the point."""
    has_digits: bool
    is_plain: bool
    """Whether a number is shown in full, as those in fractions and with exponents are."""
    condition: tuple[str, float] | None
    """Comparison and limit of the numbers that the section is for, None if their sign decides."""
    unit: str
    """The words around a number without spaces and points, "" if they are no unit."""

    def takes(self, value: float) -> bool:
        """Whether the section is for the number, by its condition."""
        if self.condition is None:
            return False
        compare, limit = self.condition
        return bool(_COMPARISONS[compare](value, limit))


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A format: its sections for positive, negative and zero numbers."""

    parts: tuple[_Part, ...]
    has_one_unit: bool = True
    """Whether all numbers have the same unit, and are multiplied by the same."""
    hides: bool = False
    """Whether nothing is seen of any number."""
    date: str = ""
    """"month" or "year" if the format shows no more of a date, else ""."""

    @property
    def changes_number(self) -> bool:
        """Whether a person sees another number than the stored one, or one with a unit."""
        return bool(self.date) or any(
            part.exponent or part.pad > 1 or not part.has_digits or part.unit for part in self.parts
        )

    def exact(self, value: float) -> str:
        """The number that is seen, in full, with its unit: 12.5% for 0.125.

        Without a unit that can be told, or if other numbers have other units, it is as stored.
        """
        part = self._part_of(value)
        if not part.has_digits:
            words = f"{part.prefix}{part.suffix}"
            return words if any(map(str.isalnum, words)) else plain_number(value)
        if not self.has_one_unit or (part.exponent and not part.unit):
            return plain_number(value)
        number = plain_number(value, part.exponent)
        if part.pad > 1 and number.isdigit():
            number = number.rjust(part.pad, "0")
        return f"{number}{part.unit}"

    def shown(self, value: float) -> str:
        """The number as a person sees it, with two decimals if there are more."""
        part = self._part_of(value)
        if not part.has_digits:
            return f"{part.prefix}{part.suffix}"
        number = plain_number(abs(value), part.exponent)
        if not part.is_plain and "e" not in number:
            number = _rounded(number, part)
        return f"{'-' if value < 0 else ''}{part.prefix}{number}{part.suffix}"

    def _part_of(self, value: float) -> _Part:
        """The section for a number."""
        if self.parts[0].condition:
            return next((part for part in self.parts if part.takes(value)), self.parts[-1])
        section = 1 if value < 0 else 2 if value == 0 else 0
        return self.parts[section if section < len(self.parts) else 0]


def _rounded(number: str, part: _Part) -> str:
    """A number without sign as its section shows it."""
    whole, _, fraction = number.partition(".")
    decimals = max(part.decimals, _SHOWN_DECIMALS)
    if len(fraction) > decimals:
        whole, _, fraction = f"{Decimal(number):.{decimals}f}".partition(".")
        fraction = fraction.rstrip("0")
    fraction = fraction.ljust(part.decimals, "0")
    return f"{whole.rjust(part.pad, '0')}{'.' if fraction else ''}{fraction}"


def number_format(code: str) -> NumberFormat | None:
    """The format of a code, None if it shows numbers as they are, or full dates and times."""
    code = code[:_LONGEST_CODE]
    if code in {"General", "@", ""}:
        return None
    sections = _sections(code)
    if date_letters := {letter for pieces in sections[:1] for letter in _date_letters(pieces)}:
        date = ""
        if "y" in date_letters and not date_letters & set("dhs"):
            date = "month" if "m" in date_letters else "year"
        return NumberFormat((), date=date) if date else None
    parts = tuple(map(_part, sections[:3]))
    units = {(part.unit, part.exponent) for part in parts if part.has_digits}
    is_seen = any(part.has_digits or part.prefix or part.suffix for part in parts)
    hides = len(parts) > 1 and not is_seen
    return NumberFormat(parts, has_one_unit=len(units) < 2, hides=hides)


def plain_number(value: float, exponent: int = 0) -> str:
    """A number in its plain form, with the 15 digits that spreadsheets keep."""
    if exponent:
        value = value * 10**exponent
    if value.is_integer() and abs(value) < _LARGEST_WHOLE:
        return str(int(value))
    text = f"{value:.15g}"
    if "e" in text and _SMALLEST < abs(value) < _LARGEST:
        text = f"{Decimal(text):f}"
    return text


def _sections(code: str) -> list[list[re.Match[str]]]:
    """The pieces of each section of a code."""
    sections: list[list[re.Match[str]]] = [[]]
    for piece in _PIECES.finditer(code):
        if piece[6] == ";":
            sections.append([])
        else:
            sections[-1].append(piece)
    return sections


def _date_letters(pieces: Sequence[re.Match[str]]) -> set[str]:
    return {piece[5].lower() for piece in pieces if piece[5] and piece[5] in "yYmMdDhHsS"} | {
        "h" for piece in pieces if piece[3] and set(piece[3].lower()) <= set("hms")
    }


def _part(pieces: Sequence[re.Match[str]]) -> _Part:
    """A section: the words around its digits, and what is done to a number."""
    digits = "".join(piece[4] for piece in pieces if piece[4])
    is_general = "General" in digits
    placeholders = digits.replace("General", "0").replace("%", "").replace("@", "")
    has_digits = bool(placeholders.strip(".,/Ee"))
    last = max((index for index, piece in enumerate(pieces) if _is_digit(piece)), default=-1)
    words = ["", ""]
    for index, piece in enumerate(pieces):
        words[index > last] += _literal(piece)
    whole, _, fraction = placeholders.partition(".")
    thousands = len(placeholders) - len(placeholders.rstrip(","))
    thousands += len(whole) - len(whole.rstrip(",")) if fraction else 0
    percents = digits.count("%")
    is_plain = is_general or bool(set("/Ee") & set(placeholders))
    if has_digits:
        # Brackets and a minus stand for the sign, and belong to no unit.
        words = [_SIGNS.sub("", text) for text in words]
    conditions = (_CONDITION.fullmatch(piece[3]) for piece in pieces if piece[3])
    condition = next(filter(None, conditions), None)
    unit = _NOT_IN_UNIT.sub("", "".join(words))
    return _Part(
        prefix=words[0].lstrip(),
        suffix=words[1].rstrip(),
        exponent=2 * percents - 3 * thousands,
        decimals=0 if is_plain else min(_WIDEST_PAD, len(fraction.strip(","))),
        pad=0 if is_plain else min(_WIDEST_PAD, whole.count("0")),
        has_digits=has_digits,
        is_plain=is_plain,
        condition=(condition[1], float(condition[2])) if condition else None,
        unit=unit if UNIT.fullmatch(unit) else "",
    )


def _is_digit(piece: re.Match[str]) -> bool:
    return bool(piece[4]) and piece[4] not in "%@"


def _literal(piece: re.Match[str]) -> str:
    """The text that a piece shows besides digits: words, a currency, a percent sign."""
    if piece[3] is not None:
        return piece[3][1:].partition("-")[0] if piece[3].startswith("$") else ""
    if piece[4] == "%":
        return "%"
    return piece[1] or piece[2] or piece[5] or piece[6] or ""
