"""Compares the numbers of an answer with those of its sources, in digits and in words.

A number that may be the same, or worked out from others, does not differ.
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
# A number that is no part of a name such as SHA-256, N95 or 3D4.
_NUMBER = re.compile(rf"(?<![A-Za-z_\d.])(?<![A-Za-z]-)({_WRITTEN})(?![A-Za-z]*\d)\s?([%٪])?")
_WHOLE = re.compile(r"\d{1,3}(?:[.,'’٬ ]\d{3})+(?:[.,٫]\d+)?|\d+[.,٫]\d+|\d+")
_DIGITS = re.compile(r"\d+")
_GROUPING = re.compile(r"[.,'’٬ ](?=\d{3}(?!\d))")
_CLAUSE = re.compile(r"[=≈();:]|[,.] ")
_SIGN = re.compile(r"[×*·⋅÷/+−]|\\times|\\cdot|(?<=\s)[x–-](?=\s)")
_MOST_DIGITS = 16
_CONVERSIONS = frozenset({"12", "24", "30", "31", "52", "60", "100", "365", "366", "1000", "1024"})
"""Factors that a calculation may use without a source, such as the hours of a day."""


def strange_numbers(
    text: str, known_digits: frozenset[str], *, least_digits: int = 2
) -> tuple[str, ...]:
    """The numbers of a text that are not `known_digits`, each once, as they are written.

    Integers with fewer than `least_digits` digits, and parts of names, are left out.
    """
    numbers = _NUMBER.finditer(_normalise(text))
    strange_matches = (match for match in numbers if not _is_in(known_digits, match, least_digits))
    return tuple(dict.fromkeys(match[0].strip() for match in strange_matches))


def known_numbers(text: str) -> frozenset[str]:
    """The significant digits of all numbers in a text, also cut and rounded to two or more."""
    plain_text = _normalise(text)
    digits = {
        _significant(digit_text)
        for digit_text in (*_ANY.findall(plain_text), *_DIGITS.findall(plain_text))
    }
    shortened_digits = {
        cut_digits.strip("0")
        for digit_text in digits
        for length in range(2, len(digit_text))
        for cut_digits in (
            digit_text[:length],
            str(int(digit_text[:length]) + (digit_text[length] >= "5")),
        )
    }
    return frozenset(digits | shortened_digits)


def derived_numbers(text: str, known_digits: frozenset[str]) -> frozenset[str]:
    """The significant digits of results that a text works out from known numbers, line by line.

    "12 × $20 = $240" and "168 hours (7 days × 24)" show their calculation, in any language.
    """
    known_results = set(known_digits)
    for line in _normalise(text).replace("**", "").splitlines():
        line_digits = {_significant(number[1]) for number in _NUMBER.finditer(line)}
        for clause in _CLAUSE.split(line):
            numbers = list(_NUMBER.finditer(clause))
            gaps = (
                clause[number_match.end() : next_match.start()]
                for number_match, next_match in pairwise(numbers)
            )
            operators = [
                gap_operators[-1] for text in gaps if (gap_operators := _SIGN.findall(text))
            ]
            is_known = all(
                _is_in(known_results, operand) or operand[1] in _CONVERSIONS for operand in numbers
            )
            if is_known and len(numbers) == len(operators) + 1 > 1:
                result_digits = known_numbers(
                    _result([operand[1] for operand in numbers], operators)
                )
                if line_digits & result_digits:
                    known_results |= line_digits & result_digits
                    known_results.update(_significant(number[1]) for number in numbers)
    return frozenset(known_results - known_digits)


def _normalise(text: str) -> str:
    """The text with ASCII digits, without superscripts and circled numbers."""
    text_without_signs = "".join(
        character for character in text if unicodedata.category(character) != "No"
    )
    normal_text = normalized("NFKC", text_without_signs)
    return re.sub(r"[^\D0-9]", lambda match: str(unicodedata.digit(match[0])), normal_text)


def _significant(number: str) -> str:
    """The digits of a number without zeros at its ends."""
    return "".join(_DIGITS.findall(number)).strip("0")[:_MOST_DIGITS]


def _is_in(known_digits: AbstractSet[str], match: re.Match[str], least_digits: int = 2) -> bool:
    """Whether a number is known or small.

    Other notations, such as a date or a list, are read part by part.
    """
    number_parts = [match[1]] if _WHOLE.fullmatch(match[1]) else _DIGITS.findall(match[1])
    ignored_length = 0 if match[2] else least_digits - 1
    return all(
        len(number_part.lstrip("0")) <= ignored_length
        or not (digits := _significant(number_part))
        or digits in known_digits
        for number_part in number_parts
    )


def _result(numbers: Sequence[str], signs: Sequence[str]) -> str:
    """The significant digits of a calculation's result, at most nine."""
    terms = [_value(numbers[0])]
    for operator, operand in zip(signs, map(_value, numbers[1:]), strict=True):
        if operator in "+−–-":
            terms.append(operand if operator == "+" else -operand)
        elif operator in "÷/":
            terms[-1] = terms[-1] / operand if operand else Decimal(0)
        else:
            terms[-1] *= operand
    return _significant(f"{sum(terms):.8e}".partition("e")[0])


def _value(number: str) -> Decimal:
    """The number as a decimal, with its last separator as the decimal point."""
    whole_digits, *fraction_digits = _DIGITS.findall(_GROUPING.sub("", number[: 2 * _MOST_DIGITS]))
    return Decimal(f"{whole_digits}.{''.join(fraction_digits)}")


_CLOCK = re.compile(r"(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
_SPACES, _SIGNS = "\u0020\u00a0\u202f-", "%٪‰°"
_UNIT = re.compile(rf"[{KATAKANA}]{{1,12}}|[{CJK}]|[^\W\d_{CJK}]{{1,30}}")
_LONGEST_UNIT = 40
"""The most characters after a number that may be its unit."""
_MOST_NUMBERS = 500
"""The most numbers of a text that are compared."""
_MOST_TIMES = 12
"""The largest multiple that may be meant: months of a year, the price of several items."""
_OTHER_SIZE = Decimal(10)
"""Ten times another number is a slip, not the price of ten items."""
_EXACTLY = Context(prec=4 * _MOST_DIGITS)
"""The precision for numbers that are longer than decimals usually are."""


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A number with its unit, in each reading of its points and commas."""

    readings: frozenset[Decimal]
    unit: frozenset[str]
    """The sign or the terms of the word next to the number."""
    measures: frozenset[str] = frozenset()
    """The units of measure and currencies that the word may name."""


@lru_cache(maxsize=1)
def _magnitudes() -> Mapping[str, frozenset[int]]:
    """The values of words for thousands, millions and more, in the languages of the bot.

    A word may have different values in different languages. Source: CLDR's compact decimal formats.
    """
    sizes_of_word: dict[str, set[int]] = {}
    for tag in SUPPORTED_LOCALES:
        formats = Locale.parse(tag, sep="-").compact_decimal_formats
        for size, pattern in (
            (int(size), str(pattern.pattern))
            for form in formats
            for patterns_by_size in formats[form].values()
            for size, pattern in patterns_by_size.items()
        ):
            word = pattern.replace("0", "").replace("'", "").strip(f" .{_SPACES}").casefold()
            if word and (len(word) > 1 or not word.isascii()):
                sizes_of_word.setdefault(word, set()).add(size // 10 ** (pattern.count("0") - 1))
    return {word: frozenset(values) for word, values in sizes_of_word.items()}


@dataclass(frozen=True, slots=True)
class GivenNumbers:
    """The numbers and times in all that a model read, whatever they count."""

    values: frozenset[Decimal]
    times: frozenset[tuple[int, int]]
    significant: frozenset[str]

    @classmethod
    def of(cls, text: str, languages: Languages = frozenset()) -> "GivenNumbers":
        """The numbers of a text; whole hours count as times, too."""
        return _given_numbers(text, languages)


@lru_cache(maxsize=4)
def _given_numbers(text: str, languages: Languages) -> GivenNumbers:
    """See `GivenNumbers.of`."""
    plain_text = _plain_digits(text, languages | languages_in(text))
    values = frozenset[Decimal]().union(*(values for _, values, _ in _values_of(plain_text)))
    hours = {(int(digits) % 12, 0) for digits in _DIGITS.findall(plain_text) if len(digits) < 3}
    significant_digits = known_numbers(text) | known_numbers(plain_text)
    return GivenNumbers(values, _clock_times(plain_text) | hours, significant_digits)


def differs(sentence: str, source: str, material: GivenNumbers, languages: Languages) -> bool:
    """Whether a sentence has a number, a time or a date that its `source` has differently.

    A number differs if the sentence lacks another one of the source with the same unit, and its own
    is neither in the `material`, nor rounded or worked out from it. It differs also if the source
    has it with other units of measure only. Words are read as in the `languages`.
    """
    statement, evidence = (
        _plain_digits(sentence, languages, certain=True),
        _source_digits(source, languages),
    )
    sentence_times, source_times = _clock_times(statement), _clock_times(evidence)
    # Noon and midnight have words.
    is_other_time = bool(sentence_times - material.times - {(0, 0)}) and bool(
        source_times - sentence_times
    )
    return (
        is_other_time
        or dates_differ(dates_in(statement), dates_in(evidence), _values_in(evidence))
        or _measures_differ(statement, evidence, languages)
        or _quantities_differ(statement, evidence, material, languages)
    )


def is_invented(sentence: str, source: str, material: GivenNumbers, languages: Languages) -> bool:
    """Whether a sentence has a number that is nowhere in the `material`.

    Numbers that the sentence works out, that follow from the `source`, or that are usual factors
    such as the hours of a day are not invented. Percentages are left out if the source has none in
    digits.
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
    source_values, date_numbers = _values_in(evidence), _date_numbers(statement)
    has_shares = any(sign in evidence for sign in _SIGNS)
    return any(
        match[0].strip() in strange
        and match[1] not in _CONVERSIONS
        and (has_shares or not match[2])
        and not values & date_numbers
        and not any(
            _follows(value, source_values) or _is_span(value, source_values, material)
            for value in values
        )
        for match, values, _ in _values_of(statement)
    )


def _is_span(value: Decimal, source_values: frozenset[Decimal], material: GivenNumbers) -> bool:
    """Whether a number is the difference of a number in the source and one in the material."""
    return any(
        source_value + value in material.values or source_value - value in material.values
        for source_value in source_values
    )


def _values_in(text: str) -> frozenset[Decimal]:
    """All values that the numbers of a text may have."""
    return frozenset[Decimal]().union(*(values for _, values, _ in _values_of(text)))


def _date_numbers(text: str) -> frozenset[Decimal]:
    """The days and years of the dates in a text, which are compared as dates."""
    return frozenset(
        Decimal(part)
        for readings in dates_in(text)
        for written_date in readings
        for part in (written_date.day, written_date.year)
    )


def _measures_differ(statement: str, evidence: str, languages: Languages) -> bool:
    """Whether the source has a number of the sentence with other units of measure only."""
    quantities_by_reading = dict[Decimal, list[_Quantity]]()
    for source_quantity in _quantities(evidence, languages):
        for reading in source_quantity.readings:
            quantities_by_reading.setdefault(reading, []).append(source_quantity)
    for quantity in _quantities(statement, languages):
        equal_quantities = [
            source_quantity
            for reading in quantity.readings
            for source_quantity in quantities_by_reading.get(reading, ())
        ]
        if (
            quantity.measures
            and equal_quantities
            and not any(
                _may_be_of(quantity, source_quantity) for source_quantity in equal_quantities
            )
        ):
            return True
    return False


def _may_be_of(quantity: _Quantity, source_quantity: _Quantity) -> bool:
    """Whether two quantities with equal numbers may mean the same, as 1,200 m and 1.2 km do."""
    if (
        not source_quantity.measures
        or quantity.measures & source_quantity.measures
        or quantity.unit & source_quantity.unit
    ):
        return True
    digits = {_significant(f"{value:f}") for value in quantity.readings}
    return any(
        value not in quantity.readings and _significant(f"{value:f}") in digits
        for value in source_quantity.readings
    )


def _clock_times(text: str) -> frozenset[tuple[int, int]]:
    """The times of a text as hour (of 12) and minute."""
    return frozenset((int(hour) % 12, int(minute)) for hour, minute in _CLOCK.findall(text))


def _quantities_differ(
    statement: str, evidence: str, material: GivenNumbers, languages: Languages
) -> bool:
    """Whether a quantity of the sentence differs from all of its unit in the source."""
    date_numbers = _date_numbers(statement)
    quantities = [
        quantity
        for quantity in _quantities(statement, languages)
        if not quantity.readings & date_numbers
    ]
    source_quantities = list(_quantities(evidence, languages))
    missing_quantities = _missing_from(quantities, source_quantities)
    if not missing_quantities:
        return False
    worked_out = derived_numbers(statement, material.significant)
    values_by_unit: dict[frozenset[str], frozenset[Decimal]] = {}
    for quantity in quantities:
        is_known = quantity.readings & material.values or any(
            _significant(f"{value:f}") in worked_out for value in quantity.readings
        )
        if is_known or not any(
            source_quantity.unit & quantity.unit for source_quantity in missing_quantities
        ):
            continue
        if quantity.unit not in values_by_unit:
            values_by_unit[quantity.unit] = frozenset(
                reading
                for source_quantity in source_quantities
                if source_quantity.unit & quantity.unit
                for reading in source_quantity.readings
            ) - {Decimal(0)}
        if not any(_follows(value, values_by_unit[quantity.unit]) for value in quantity.readings):
            return True
    return False


def _missing_from(
    quantities: Sequence[_Quantity], source_quantities: Sequence[_Quantity]
) -> list[_Quantity]:
    """The source's quantities that no quantity of the sentence says, not even rounded."""
    units_by_value: dict[Decimal, set[frozenset[str]]] = {}
    for quantity in quantities:
        for reading in quantity.readings:
            units_by_value.setdefault(reading, set()).add(quantity.unit)
    return [
        source_quantity
        for source_quantity in source_quantities
        if not any(
            unit & source_quantity.unit
            for reading in source_quantity.readings
            for value in _roundings(reading) & units_by_value.keys()
            for unit in units_by_value[value]
        )
    ]


def _follows(value: Decimal, sources: frozenset[Decimal]) -> bool:
    """Whether a number is one of `sources`, rounded, a multiple or part, or a sum or difference."""
    if any(
        value in _roundings(source_value) or _is_multiple(value, source_value)
        for source_value in sources
    ):
        return True
    return bool(value) and any(
        value + source_value in sources
        or (value - source_value != source_value and value - source_value in sources)
        for source_value in sources
    )


def _is_multiple(value: Decimal, other_value: Decimal) -> bool:
    """Whether one number is a small multiple of the other, but not ten times as large."""
    low, high = sorted((value, other_value))
    if not low or high > low * _MOST_TIMES:
        return False
    factor, remainder = divmod(high, low)
    return not remainder and factor != _OTHER_SIZE


@lru_cache(maxsize=4_096)
def _roundings(exact_value: Decimal) -> frozenset[Decimal]:
    """The number itself, rounded to fewer digits, and cut to two or more digits."""
    values = {exact_value}
    for length in range(1, len(exact_value.as_tuple().digits) if exact_value else 1):
        step = Decimal(1).scaleb(exact_value.adjusted() - length + 1)
        cut_value = _EXACTLY.multiply(_EXACTLY.divide_int(exact_value, step), step)
        is_near_next = _EXACTLY.subtract(exact_value, cut_value) >= step / 2
        values.add(_EXACTLY.add(cut_value, step) if is_near_next else cut_value)
        if length > 1:
            values.add(cut_value)
    return frozenset(values)


def _plain_digits(text: str, languages: Languages, *, certain: bool = False) -> str:
    """The text with ASCII digits, also for numbers in words or Chinese characters."""
    return with_digits(_normalise(text), languages, certain=certain)


@lru_cache(maxsize=64)
def _source_digits(source: str, languages: Languages) -> str:
    """The source with ASCII digits, read in its own languages, too."""
    return _plain_digits(source, languages | languages_in(source))


def _values_of(text: str) -> Iterator[tuple[re.Match[str], frozenset[Decimal], str]]:
    """Yield the numbers of a text except dates and times: match, values, and the text after it."""
    for match in islice(_NUMBER.finditer(text), _MOST_NUMBERS):
        if not _WHOLE.fullmatch(match[1]) or ":" in text[match.start() - 1 : match.end() + 1]:
            continue
        following_text = text[match.end(1) : match.end(1) + _LONGEST_UNIT].lstrip(_SPACES)
        factors = frozenset({1})
        if (word := _UNIT.match(following_text)) and (
            magnitude_factors := _magnitudes().get(word[0].casefold())
        ):
            factors, following_text = (
                magnitude_factors,
                following_text[word.end() :].lstrip(f"{_SPACES}."),
            )
        values = _readings(match[1][: 2 * _MOST_DIGITS])
        yield (
            match,
            frozenset(value * factor for value in values for factor in factors),
            following_text,
        )


def _quantities(text: str, languages: Languages) -> Iterator[_Quantity]:
    """Yield the numbers with a unit: a sign before or after, or the word after."""
    for match, values, following_text in _values_of(text):
        preceding_sign = text[max(0, match.start() - 2) : match.start()].rstrip(_SPACES)[-1:]
        unit, measures = (
            _unit_of(preceding_sign, following_text, languages),
            units_at(following_text[:_LONGEST_UNIT]),
        )
        if unit or measures:
            yield _Quantity(values, unit | measures, measures)


def _unit_of(preceding_sign: str, following_text: str, languages: Languages) -> frozenset[str]:
    """The sign at a number, else the terms of the word after it."""
    for sign in (preceding_sign, following_text[:1]):
        if sign and (unicodedata.category(sign) == "Sc" or sign in _SIGNS):
            return frozenset({"%" if sign == "٪" else sign})
    word = _UNIT.match(following_text)
    return terms_in(word[0], languages) if word else frozenset()


def _readings(number: str) -> frozenset[Decimal]:
    """The possible values of a number: 1.500 has two, 1.5 and 1,234,567 have one."""
    separators = [character for character in number if not character.isdigit()]
    whole_value = Decimal("".join(_DIGITS.findall(number)))
    if not separators:
        return frozenset({whole_value})
    *leading_digits, last_digits = _DIGITS.findall(number)
    decimal_value = Decimal(f"{''.join(leading_digits)}.{last_digits}")
    is_grouped = len(last_digits) == 3 and len(set(separators)) == 1
    if is_grouped and len(separators) > 1:
        return frozenset({whole_value})
    return frozenset({whole_value, decimal_value}) if is_grouped else frozenset({decimal_value})
