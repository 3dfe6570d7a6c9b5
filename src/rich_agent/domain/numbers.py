"""Numbers in any writing: digits of every script, words, kanji, dates, times of day, eras.

A number is known by its significant digits, without zeros around them, so that units of ten, signs
of grouping and percentages do not matter: 0.4 and 400, 1,500,000 and 1.5 million, 50 % and a half.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from decimal import Decimal

_PLAIN = r"\d+(?:[.,'’]\d+)*"
_SPACED = r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![.,]?\d)"
# Nobody writes more digits before a unit; the bound keeps a list of points from taking forever.
_MIXED = r"\d[\d,.]{0,40}[十百千]?(?:[万億兆](?:\d[\d,]*[十百千]?)?)+"
WRITTEN = rf"{_MIXED}|{_SPACED}|{_PLAIN}"
"""A number in a text that was normalised: 1,000.5, 12 500, 1万2千."""

_GROUPED = re.compile(r"\d{1,3}(?:[.,'’ ]\d{3})+(?:[.,]\d+)?|\d+[.,]\d+|\d+")
_DIGITS = re.compile(r"\d+")
_WHOLE = re.compile(WRITTEN)

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
}  # fmt: skip
_NAMED: Mapping[str, int] = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    **_ORDINALS,
}
_SCALES = {
    "dozen": 12, "hundred": 100, "hundredth": 100, "thousand": 1_000, "million": 10**6,
    "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4,
    "fifths": 5, "eighths": 8, "tenths": 10,
}  # fmt: skip
_ALONE = {
    "all": "1", "double": "2", "twice": "2", "both": "2", "october": "1", "oct": "1",
    "november": "11", "december": "12", "nov": "11", "dec": "12", "noon": "12", "midnight": "12",
    "正午": "12",
}  # fmt: skip
_NUMERAL = rf"(?:{'|'.join(_NAMED)}|(?:{'|'.join(_SCALES)})s?)\b"
_IN_WORDS = re.compile(
    rf"\b{_NUMERAL}(?:[ -]+(?:and )?{_NUMERAL})*"
    rf"(?:[ -]+(?:and (?:a|one) )?(?P<part>{'|'.join(_PARTS)})\b)?"
)

_KANJI_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_KANJI = "〇零一二三四五六七八九十百千万億兆"
# What has digits alone is passed over as a whole.
_KANJI_NUMBER = re.compile(rf"\d[\d,.]*+(?![{_KANJI}])|((?:\d[\d,.]*+)?[{_KANJI}][\d,.{_KANJI}]*+)")
_KANJI_PIECE = re.compile(r"\d[\d,]*(?:\.\d+)?|[〇零一二三四五六七八九]+|[十百千]|[万億兆]")
_KANJI_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10**4, "億": 10**8, "兆": 10**12}
_SECTION = 10_000

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
_ERA_YEAR = re.compile(rf"({'|'.join(_ERAS)})(\d{{1,2}}|元)年")
_SHORT_YEAR = re.compile(r"(?:['’]|\bfy ?|\d[/.]\d{1,2}[/.])(\d\d)\b")
_AFTERNOON = re.compile(r"\b(\d{1,2})(?:[:.]\d\d)? ?p\.?m\b|午後(\d{1,2})時")
_BY_24_HOURS = re.compile(r"\b(1[3-9]|2[0-4])(?::\d\d|時)")
_FRACTION = re.compile(r"(?<![\d/⁄])(\d{1,2})[/⁄](\d{1,2})(?![\d/⁄])")
_TENTHS = re.compile(r"(\d)割(?:(\d)分)?")


def normalise(text: str) -> str:
    """The text in plain characters and ASCII digits, with years of Japanese eras as western ones.

    Superscripts and numbers in circles are no numbers of the text, and go.
    """
    kept = "".join(c for c in text if unicodedata.category(c) != "No" or "VULGAR" in _name(c))
    folded = unicodedata.normalize("NFKC", kept)
    ascii_digits = re.sub(r"[^\D0-9]", lambda found: str(unicodedata.digit(found[0])), folded)
    return _ERA_YEAR.sub(lambda found: f"{_western(*found.groups())}年", ascii_digits)


def significant(number: str) -> str:
    """The digits of a written number, without zeros around them."""
    if re.search(r"[十百千万億兆]", number):
        return _digits_of(_of_kanji(number))
    return "".join(_DIGITS.findall(number)).strip("0")


def parts_of(number: str) -> list[str]:
    """The numbers that one is made of which is no single number: a date 05.01.2026, a list 1,2."""
    if re.search(r"[十百千万億兆]", number) or (_GROUPED.fullmatch(number) and " " not in number):
        return []
    return _DIGITS.findall(number)


def agrees(digits: str, known: frozenset[str], *, roughly: bool = False) -> bool:
    """Whether significant digits are among the known ones, or are those of one rounded or cut.

    A single digit says little: it is one rounded from two, unless the number is given `roughly`.
    """
    if digits in known or not digits:
        return True
    fewest = max(len(digits), 1 if roughly else 2)
    return any(
        digits in (one[:length].strip("0"), _rounded(one, length))
        for one in known
        for length in range(fewest, len(one))
    )


def significant_digits_in(text: str) -> frozenset[str]:
    """The significant digits of all numbers in a text, in each reading that they have."""
    # As they were written before eras and superscripts were resolved, too.
    as_written = _DIGITS.findall(unicodedata.normalize("NFKC", text))
    readings = _readings(normalise(text).casefold())
    return frozenset([*readings, *(digits.strip("0") for digits in as_written)])


def _readings(plain: str) -> Iterator[str]:
    yield from map(significant, _WHOLE.findall(plain))
    yield from (found.strip("0") for found in _DIGITS.findall(plain))
    yield from (_digits_of(_of_kanji(found)) for found in _KANJI_NUMBER.findall(plain) if found)
    yield from _of_words_in(plain)
    yield from _of_dates_and_times(plain)
    for over, under in _FRACTION.findall(plain):
        if int(under):
            yield _digits_of(Decimal(over) / Decimal(under))
    yield from (f"{whole}{part}".strip("0") for whole, part in _TENTHS.findall(plain))
    if "半" in plain:
        yield "5"


def _of_words_in(plain: str) -> Iterator[str]:
    words = re.findall(r"[a-z]+|正午", plain)
    yield from (_ALONE[word] for word in words if word in _ALONE)
    yield from (_digits_of(Decimal(1) / _PARTS[word]) for word in words if word in _PARTS)
    yield from (_digits_of(Decimal(_NAMED[word])) for word in words if word in _NAMED)
    for found in _IN_WORDS.finditer(plain):
        yield from map(_digits_of, _of_words(found))


def _of_dates_and_times(plain: str) -> Iterator[str]:
    yield from (f"20{year}".strip("0") for year in _SHORT_YEAR.findall(plain))
    for latin, japanese in _AFTERNOON.findall(plain):
        yield str(int(latin or japanese) % 12 + 12).strip("0")
    yield from (str(int(hour) - 12).strip("0") for hour in _BY_24_HOURS.findall(plain))


def _of_words(found: re.Match[str]) -> Iterator[Decimal]:
    """What a run of number words means, with "and a half" or as so many thirds behind it."""
    part = found["part"]
    value = _spelled(found.string[found.start() : found.start("part") if part else found.end()])
    yield value
    if part:
        is_added = re.search(r"\band (?:a|one) \w+$", found[0])
        yield value + Decimal(1) / _PARTS[part] if is_added else value / _PARTS[part]


def _spelled(run: str) -> Decimal:
    """Two hundred and five, twenty twenty-four, three dozen."""
    total = current = 0
    for word in re.findall(r"[a-z]+", run):
        name = word if word in _NAMED or word in _SCALES else word.removesuffix("s")
        if name in _NAMED:
            pairs_up = current % 100 >= 10 and _NAMED[name] >= 10
            current = current * (100 if pairs_up else 1) + _NAMED[name]
        elif _SCALES.get(name, _SECTION) < 1_000:
            current = max(1, current) * _SCALES[name]
        elif name in _SCALES:
            total, current = total + max(1, current) * _SCALES[name], 0
    return Decimal(total + current)


def _of_kanji(number: str) -> Decimal:
    """二百五 (205), 3億5000万, 2.5万, 二〇二六 (2026)."""
    total = section = Decimal(0)
    digits: Decimal | None = None
    for piece in _KANJI_PIECE.findall(number):
        unit = _KANJI_UNITS.get(piece)
        if unit is None:
            digits = Decimal(piece.translate(_KANJI_DIGITS).replace(",", ""))
        elif unit < _SECTION:
            section, digits = section + (1 if digits is None else digits) * unit, None
        else:
            section += digits or 0
            total, section, digits = total + (section or 1) * unit, Decimal(0), None
    return total + section + (digits or 0)


def _digits_of(value: Decimal) -> str:
    """The first eight significant digits."""
    return "".join(_DIGITS.findall(f"{value:.8e}".partition("e")[0])).strip("0")


def _rounded(digits: str, length: int) -> str:
    up = int(digits[length] >= "5")
    return str(int(digits[:length]) + up).strip("0")


def _western(era: str, year: str) -> int:
    return _ERAS[era] + (1 if year == "元" else int(year))


def _name(character: str) -> str:
    return unicodedata.name(character, "")
