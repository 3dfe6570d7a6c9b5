"""Numbers in the digits of any script: which of them were given, and which a calculation shows.

A number is known by its significant digits, without zeros around them, so that units of ten, signs
of grouping and percentages do not matter: 0.4 and 400, 1,500,000 and 1.5 million, 50 % and 0.5.
Numbers in words are not read.
"""

import re
import unicodedata
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from itertools import pairwise

from rich_agent.domain.text import normalized

_SPACED = r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![.,]?\d)"
_WRITTEN = rf"{_SPACED}|\d+(?:[.,'’٫٬]\d+)*"
_ANY = re.compile(_WRITTEN)
# No part of a name: SHA-256, N95, 3D4.
_NUMBER = re.compile(rf"(?<![A-Za-z_\d.])(?<![A-Za-z]-)({_WRITTEN})(?![A-Za-z]*\d)\s?([%٪])?")
_WHOLE = re.compile(r"\d{1,3}(?:[.,'’٬ ]\d{3})+(?:[.,٫]\d+)?|\d+[.,٫]\d+|\d+")
_DIGITS = re.compile(r"\d+")
_GROUPING = re.compile(r"[.,'’٬ ](?=\d{3}(?!\d))")
_CLAUSE = re.compile(r"[=≈();:]|[,.] ")
_SIGN = re.compile(r"[×*·⋅÷/+−]|\\times|\\cdot|(?<=\s)[x–-](?=\s)")
_MOST_DIGITS = 16
_CONVERSIONS = frozenset({"12", "24", "30", "31", "52", "60", "100", "365", "366", "1000", "1024"})
"""What a working may use without a source: hours of a day, days of a year and their like."""


def strange_numbers(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """The numbers of a text that are not `known`, each once, as they are written.

    Integers below 10, and numbers that are part of a name, are passed over.
    """
    found = (match for match in _NUMBER.finditer(_normalise(text)) if not _is_in(known, match))
    return tuple(dict.fromkeys(match[0].strip() for match in found))


def known_numbers(text: str) -> frozenset[str]:
    """The significant digits of all numbers in a text, also cut and rounded to two or more."""
    plain = _normalise(text)
    found = {_significant(one) for one in (*_ANY.findall(plain), *_DIGITS.findall(plain))}
    shorter = {
        cut.strip("0")
        for one in found
        for length in range(2, len(one))
        for cut in (one[:length], str(int(one[:length]) + (one[length] >= "5")))
    }
    return frozenset(found | shorter)


def worked_out(text: str, known: frozenset[str]) -> frozenset[str]:
    """The significant digits of what a text works out from `known` numbers, line by line.

    "12 × $20 = $240" and "168 hours (7 days × 24)" show their working, in any language.
    """
    reached = set(known)
    for line in _normalise(text).replace("**", "").splitlines():
        results = {_significant(number[1]) for number in _NUMBER.finditer(line)}
        for clause in _CLAUSE.split(line):
            numbers = list(_NUMBER.finditer(clause))
            between = (clause[a.end() : b.start()] for a, b in pairwise(numbers))
            signs = [found_signs[-1] for text in between if (found_signs := _SIGN.findall(text))]
            is_known = all(_is_in(reached, n) or n[1] in _CONVERSIONS for n in numbers)
            if is_known and len(numbers) == len(signs) + 1 > 1:
                value = known_numbers(_result([n[1] for n in numbers], signs))
                if results & value:
                    reached |= results & value
                    reached.update(_significant(number[1]) for number in numbers)
    return frozenset(reached - known)


def _normalise(text: str) -> str:
    """The text with ASCII digits; superscripts and numbers in circles, which are none, go."""
    kept = "".join(c for c in text if unicodedata.category(c) != "No")
    folded = normalized("NFKC", kept)
    return re.sub(r"[^\D0-9]", lambda found: str(unicodedata.digit(found[0])), folded)


def _significant(number: str) -> str:
    return "".join(_DIGITS.findall(number)).strip("0")[:_MOST_DIGITS]


def _is_in(known: AbstractSet[str], match: re.Match[str]) -> bool:
    """Whether the number was given or is small; one such as a date or a list, by its parts."""
    parts = [match[1]] if _WHOLE.fullmatch(match[1]) else _DIGITS.findall(match[1])
    small = 0 if match[2] else 1
    return all(
        len(p.lstrip("0")) <= small or not (digits := _significant(p)) or digits in known
        for p in parts
    )


def _result(numbers: Sequence[str], signs: Sequence[str]) -> str:
    """The significant digits of what numbers with signs between them come to, at most nine."""
    terms = [_value(numbers[0])]
    for sign, number in zip(signs, map(_value, numbers[1:]), strict=True):
        if sign in "+−–-":
            terms.append(number if sign == "+" else -number)
        elif sign in "÷/":
            terms[-1] = terms[-1] / number if number else Decimal(0)
        else:
            terms[-1] *= number
    return _significant(f"{sum(terms):.8e}".partition("e")[0])


def _value(number: str) -> Decimal:
    whole, *rest = _DIGITS.findall(_GROUPING.sub("", number[: 2 * _MOST_DIGITS]))
    return Decimal(f"{whole}.{''.join(rest)}")
