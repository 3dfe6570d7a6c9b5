"""Numbers of an answer compared with those of what it was written from, in digits and in words.

What may be the same number, or worked out, is no other one.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from itertools import islice, pairwise

from babel import Locale

from rich_agent.domain.answer.dates import dates_differ, dates_in
from rich_agent.domain.answer.number_words import with_digits
from rich_agent.domain.answer.units import units_at
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.retrieval.search_terms import Languages, languages_in, terms_in
from rich_agent.domain.text import CJK, KATAKANA, normalized

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


def strange_numbers(
    text: str, known_digits: frozenset[str], *, least_digits: int = 2
) -> tuple[str, ...]:
    """The numbers of a text that are not `known_digits`, each once, as they are written.

    Integers of fewer than `least_digits`, and numbers that are part of a name, are passed over.
    """
    numbers = _NUMBER.finditer(_normalise(text))
    strange_ones = (match for match in numbers if not _is_in(known_digits, match, least_digits))
    return tuple(dict.fromkeys(match[0].strip() for match in strange_ones))


def known_numbers(text: str) -> frozenset[str]:
    """The significant digits of all numbers in a text, also cut and rounded to two or more."""
    plain = _normalise(text)
    digits = {_significant(one) for one in (*_ANY.findall(plain), *_DIGITS.findall(plain))}
    shorter = {
        cut.strip("0")
        for one in digits
        for length in range(2, len(one))
        for cut in (one[:length], str(int(one[:length]) + (one[length] >= "5")))
    }
    return frozenset(digits | shorter)


def derived_numbers(text: str, known_digits: frozenset[str]) -> frozenset[str]:
    """The significant digits of what a text works out from `known_digits` numbers, line by line.

    "12 × $20 = $240" and "168 hours (7 days × 24)" show their working, in any language.
    """
    results_so_far = set(known_digits)
    for line in _normalise(text).replace("**", "").splitlines():
        results = {_significant(number[1]) for number in _NUMBER.finditer(line)}
        for clause in _CLAUSE.split(line):
            numbers = list(_NUMBER.finditer(clause))
            between = (clause[a.end() : b.start()] for a, b in pairwise(numbers))
            signs = [found_signs[-1] for text in between if (found_signs := _SIGN.findall(text))]
            is_known = all(_is_in(results_so_far, n) or n[1] in _CONVERSIONS for n in numbers)
            if is_known and len(numbers) == len(signs) + 1 > 1:
                value = known_numbers(_result([n[1] for n in numbers], signs))
                if results & value:
                    results_so_far |= results & value
                    results_so_far.update(_significant(number[1]) for number in numbers)
    return frozenset(results_so_far - known_digits)


def _normalise(text: str) -> str:
    """The text with ASCII digits; superscripts and numbers in circles, which are none, go."""
    text_without_signs = "".join(c for c in text if unicodedata.category(c) != "No")
    plain = normalized("NFKC", text_without_signs)
    return re.sub(r"[^\D0-9]", lambda match: str(unicodedata.digit(match[0])), plain)


def _significant(number: str) -> str:
    return "".join(_DIGITS.findall(number)).strip("0")[:_MOST_DIGITS]


def _is_in(known_digits: AbstractSet[str], match: re.Match[str], least_digits: int = 2) -> bool:
    """Whether the number was given or is small; one such as a date or a list, by its parts."""
    parts = [match[1]] if _WHOLE.fullmatch(match[1]) else _DIGITS.findall(match[1])
    small = 0 if match[2] else least_digits - 1
    return all(
        len(p.lstrip("0")) <= small or not (digits := _significant(p)) or digits in known_digits
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


_CLOCK = re.compile(r"(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
_SPACES, _SIGNS = "\u0020\u00a0\u202f-", "%٪‰°"
_UNIT = re.compile(rf"[{KATAKANA}]{{1,12}}|[{CJK}]|[^\W\d_{CJK}]{{1,30}}")
_LONGEST_UNIT, _MOST_NUMBERS = 40, 500
"""Characters behind a number that may be its unit, and numbers of one text that are compared."""
_MOST_TIMES = 12
"""A number may be so many times another one: months of a year, the price of several."""
_OTHER_SIZE = Decimal(10)
"""Ten times another number is a slip, not the price of ten."""
_EXACTLY = Context(prec=4 * _MOST_DIGITS)
"""For numbers longer than decimals usually are."""


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A number with the sign or word at it, in every way to read its points and commas.

    `measures` are the units of measure and the currencies that the word may name.
    """

    readings: frozenset[Decimal]
    unit: frozenset[str]
    measures: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def _magnitudes() -> Mapping[str, frozenset[int]]:
    """The words for thousands, millions and more in the languages of the bot, with their values.

    Source: CLDR's compact decimal formats. A word may be worth more in one language than another.
    """
    sizes_of_word: dict[str, set[int]] = {}
    for tag in SUPPORTED_LOCALES:
        formats = Locale.parse(tag, sep="-").compact_decimal_formats
        for size, pattern in (
            (int(size), str(pattern.pattern))
            for form in formats
            for by_size in formats[form].values()
            for size, pattern in by_size.items()
        ):
            word = pattern.replace("0", "").replace("'", "").strip(f" .{_SPACES}").casefold()
            if word and (len(word) > 1 or not word.isascii()):
                sizes_of_word.setdefault(word, set()).add(size // 10 ** (pattern.count("0") - 1))
    return {word: frozenset(values) for word, values in sizes_of_word.items()}


@dataclass(frozen=True, slots=True)
class GivenNumbers:
    """The numbers and times of all that a model read, whatever they count."""

    values: frozenset[Decimal]
    times: frozenset[tuple[int, int]]
    significant: frozenset[str]

    @classmethod
    def of(cls, text: str, languages: Languages = frozenset()) -> "GivenNumbers":
        """The numbers of a text. Hours without minutes are times, too."""
        return _given_numbers(text, languages)


@lru_cache(maxsize=4)
def _given_numbers(text: str, languages: Languages) -> GivenNumbers:
    plain = _plain_digits(text, languages | languages_in(text))
    values = frozenset[Decimal]().union(*(values for _, values, _ in _values_of(plain)))
    hours = {(int(n) % 12, 0) for n in _DIGITS.findall(plain) if len(n) < 3}
    significant = known_numbers(text) | known_numbers(plain)
    return GivenNumbers(values, _clock_times(plain) | hours, significant)


def differs(sentence: str, source: str, material: GivenNumbers, languages: Languages) -> bool:
    """Whether a sentence has a number, a time or a date that its `source` has otherwise.

    It does if the source has another one with the same unit that the sentence leaves out, and the
    sentence's is nowhere in the `material`, is not rounded from it, and not worked out; or if the
    source has it with other units of measure only. Terms are read as being in the `languages`.
    """
    statement, evidence = (
        _plain_digits(sentence, languages, certain=True),
        _source_digits(source, languages),
    )
    own, theirs = _clock_times(statement), _clock_times(evidence)
    # Noon and midnight have words.
    is_other_time = bool(own - material.times - {(0, 0)}) and bool(theirs - own)
    return (
        is_other_time
        or dates_differ(dates_in(statement), dates_in(evidence), _values_in(evidence))
        or _measures_differ(statement, evidence, languages)
        or _quantities_differ(statement, evidence, material, languages)
    )


def is_invented(sentence: str, source: str, material: GivenNumbers, languages: Languages) -> bool:
    """Whether a sentence has a number that is nowhere in the `material`.

    It is not shown to be worked out, and does not follow from the numbers of the `source`. Numbers
    such as the hours of a day, and a share where the source has none in digits, have words.
    """
    statement, evidence = (
        _plain_digits(sentence, languages, certain=True),
        _source_digits(source, languages),
    )
    strange = strange_numbers(
        statement, material.significant | derived_numbers(statement, material.significant)
    )
    if not strange:
        return False
    near, date_numbers = _values_in(evidence), _date_numbers(statement)
    has_shares = any(sign in evidence for sign in _SIGNS)
    return any(
        match[0].strip() in strange
        and match[1] not in _CONVERSIONS
        and (has_shares or not match[2])
        and not values & date_numbers
        and not any(_follows(value, near) or _is_span(value, near, material) for value in values)
        for match, values, _ in _values_of(statement)
    )


def _is_span(value: Decimal, near: frozenset[Decimal], material: GivenNumbers) -> bool:
    """Whether it is the difference of a number of the source and one that was given elsewhere."""
    return any(one + value in material.values or one - value in material.values for one in near)


def _values_in(text: str) -> frozenset[Decimal]:
    return frozenset[Decimal]().union(*(values for _, values, _ in _values_of(text)))


def _date_numbers(text: str) -> frozenset[Decimal]:
    """The days and years of the dates in a text, which are compared as dates."""
    return frozenset(
        Decimal(part) for one in dates_in(text) for date in one for part in (date.day, date.year)
    )


def _measures_differ(statement: str, evidence: str, languages: Languages) -> bool:
    """Whether a number of a sentence stands in its source with other units of measure only."""
    by_reading = dict[Decimal, list[_Quantity]]()
    for other in _quantities(evidence, languages):
        for reading in other.readings:
            by_reading.setdefault(reading, []).append(other)
    for one in _quantities(statement, languages):
        same = [other for reading in one.readings for other in by_reading.get(reading, ())]
        if one.measures and same and not any(_may_be_of(one, other) for other in same):
            return True
    return False


def _may_be_of(one: _Quantity, other: _Quantity) -> bool:
    """Whether two equal numbers may tell the same, also as 1,200 m and 1.2 km do."""
    if not other.measures or one.measures & other.measures or one.unit & other.unit:
        return True
    digits = {_significant(f"{value:f}") for value in one.readings}
    return any(
        value not in one.readings and _significant(f"{value:f}") in digits
        for value in other.readings
    )


def _clock_times(text: str) -> frozenset[tuple[int, int]]:
    return frozenset((int(hour) % 12, int(minute)) for hour, minute in _CLOCK.findall(text))


def _quantities_differ(
    statement: str, evidence: str, material: GivenNumbers, languages: Languages
) -> bool:
    date_numbers = _date_numbers(statement)
    own = [one for one in _quantities(statement, languages) if not one.readings & date_numbers]
    theirs = list(_quantities(evidence, languages))
    free = _missing_from(own, theirs)
    if not free:
        return False
    from_working = derived_numbers(statement, material.significant)
    rivals: dict[frozenset[str], frozenset[Decimal]] = {}
    for one in own:
        is_known = one.readings & material.values or any(
            _significant(f"{value:f}") in from_working for value in one.readings
        )
        if is_known or not any(other.unit & one.unit for other in free):
            continue
        if one.unit not in rivals:
            rivals[one.unit] = frozenset(
                reading for other in theirs if other.unit & one.unit for reading in other.readings
            ) - {Decimal(0)}
        if not any(_follows(value, rivals[one.unit]) for value in one.readings):
            return True
    return False


def _missing_from(own: Sequence[_Quantity], theirs: Sequence[_Quantity]) -> list[_Quantity]:
    """Return those of `theirs` that no number of `own` with the same unit says, also rounded."""
    units: dict[Decimal, set[frozenset[str]]] = {}
    for one in own:
        for reading in one.readings:
            units.setdefault(reading, set()).add(one.unit)
    return [
        other
        for other in theirs
        if not any(
            unit & other.unit
            for reading in other.readings
            for value in _roundings(reading) & units.keys()
            for unit in units[value]
        )
    ]


def _follows(value: Decimal, sources: frozenset[Decimal]) -> bool:
    """Whether a number is one of these, rounded, a multiple or part, or a sum or difference."""
    if any(value in _roundings(one) or _is_multiple(value, one) for one in sources):
        return True
    return bool(value) and any(
        value + one in sources or (value - one != one and value - one in sources) for one in sources
    )


def _is_multiple(one: Decimal, other: Decimal) -> bool:
    low, high = sorted((one, other))
    if not low or high > low * _MOST_TIMES:
        return False
    times, rest = divmod(high, low)
    return not rest and times != _OTHER_SIZE


@lru_cache(maxsize=4_096)
def _roundings(exact: Decimal) -> frozenset[Decimal]:
    """A number itself, rounded to fewer digits, and cut to fewer but two or more."""
    values = {exact}
    for length in range(1, len(exact.as_tuple().digits) if exact else 1):
        step = Decimal(1).scaleb(exact.adjusted() - length + 1)
        cut = _EXACTLY.multiply(_EXACTLY.divide_int(exact, step), step)
        is_near_next = _EXACTLY.subtract(exact, cut) >= step / 2
        values.add(_EXACTLY.add(cut, step) if is_near_next else cut)
        if length > 1:
            values.add(cut)
    return frozenset(values)


def _plain_digits(text: str, languages: Languages, *, certain: bool = False) -> str:
    """The text with ASCII digits, also for numbers that are written in words or characters."""
    return with_digits(_normalise(text), languages, certain=certain)


@lru_cache(maxsize=64)
def _source_digits(source: str, languages: Languages) -> str:
    return _plain_digits(source, languages | languages_in(source))


def _values_of(text: str) -> Iterator[tuple[re.Match[str], frozenset[Decimal], str]]:
    """Yield the numbers of a text but for dates and times: what they may be, and what is behind."""
    for match in islice(_NUMBER.finditer(text), _MOST_NUMBERS):
        if not _WHOLE.fullmatch(match[1]) or ":" in text[match.start() - 1 : match.end() + 1]:
            continue
        behind = text[match.end(1) : match.end(1) + _LONGEST_UNIT].lstrip(_SPACES)
        factors = frozenset({1})
        if (word := _UNIT.match(behind)) and (sizes := _magnitudes().get(word[0].casefold())):
            factors, behind = sizes, behind[word.end() :].lstrip(f"{_SPACES}.")
        values = _readings(match[1][: 2 * _MOST_DIGITS])
        yield match, frozenset(value * factor for value in values for factor in factors), behind


def _quantities(text: str, languages: Languages) -> Iterator[_Quantity]:
    """Yield the numbers that have a unit: a sign before or behind, or the word behind."""
    for match, values, behind in _values_of(text):
        before = text[max(0, match.start() - 2) : match.start()].rstrip(_SPACES)[-1:]
        unit, measures = _unit_of(before, behind, languages), units_at(behind[:_LONGEST_UNIT])
        if unit or measures:
            yield _Quantity(values, unit | measures, measures)


def _unit_of(before: str, behind: str, languages: Languages) -> frozenset[str]:
    for sign in (before, behind[:1]):
        if sign and (unicodedata.category(sign) == "Sc" or sign in _SIGNS):
            return frozenset({"%" if sign == "٪" else sign})
    word = _UNIT.match(behind)
    return terms_in(word[0], languages) if word else frozenset()


def _readings(number: str) -> frozenset[Decimal]:
    """The values that a number may have: 1.500 is read both ways, 1.5 and 1,234,567 are not."""
    marks = [c for c in number if not c.isdigit()]
    plain = Decimal("".join(_DIGITS.findall(number)))
    if not marks:
        return frozenset({plain})
    *whole, rest = _DIGITS.findall(number)
    decimal = Decimal(f"{''.join(whole)}.{rest}")
    is_grouped = len(rest) == 3 and len(set(marks)) == 1
    if is_grouped and len(marks) > 1:
        return frozenset({plain})
    return frozenset({plain, decimal}) if is_grouped else frozenset({decimal})
