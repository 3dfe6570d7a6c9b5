"""Writes numbers of list items in the formats of Word: letters, Roman and CJK numerals, and others.

Source: ECMA-376, part 1, 17.18.59 (ST_NumberFormat).
"""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Final

_MOST: Final = 100_000
_MOST_ROUNDS: Final = 9
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_AIUEO: Final = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
)
_IROHA: Final = (
    "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰ"
    "ノオクヤマケフコエテアサキユメミシヱヒモセスン"
)
# Letters of which the first follow each other again, doubled, after the last.
_ALPHABETS: Final[Mapping[str, str]] = {
    "lowerLetter": "abcdefghijklmnopqrstuvwxyz",
    "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "russianLower": "абвгдежзиклмнопрстуфхцчшщыэюя",
    "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
    "aiueo": _AIUEO,
    "aiueoFullWidth": _AIUEO,
    "iroha": _IROHA,
    "irohaFullWidth": _IROHA,
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "hindiVowels": "अआइईउऊऋऌऍऎएऐऑऒओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
    "chicago": "*†‡§",
}
# Ten digits that take the places of 0 to 9.
_DIGITS: Final[Mapping[str, str]] = {
    "decimalFullWidth": "０１２３４５６７８９",
    "decimalFullWidth2": "０１２３４５６７８９",
    "ideographDigital": "〇一二三四五六七八九",
    "japaneseDigitalTenThousand": "〇一二三四五六七八九",
    "taiwaneseDigital": "○一二三四五六七八九",
    "koreanDigital": "영일이삼사오육칠팔구",
    "koreanDigital2": "零一二三四五六七八九",
    "hindiNumbers": "०१२३४५६७८९",
    "thaiNumbers": "๐๑๒๓๔๕๖๗๘๙",
}
# Digits from 0 to 9, then the signs of ten, hundred, thousand and ten thousand.
_COUNTING: Final[Mapping[str, str]] = {
    "chineseCounting": "○一二三四五六七八九十百千万",
    "chineseCountingThousand": "○一二三四五六七八九十百千万",
    "taiwaneseCounting": "○一二三四五六七八九十百千萬",
    "taiwaneseCountingThousand": "○一二三四五六七八九十百千萬",
    "japaneseCounting": "〇一二三四五六七八九十百千万",
    "koreanCounting": "영일이삼사오육칠팔구십백천만",
    "koreanLegal": "영일이삼사오육칠팔구십백천만",
    "chineseLegalSimplified": "零壹贰叁肆伍陆柒捌玖拾佰仟万",
    "ideographLegalTraditional": "零壹貳參肆伍陸柒捌玖拾佰仟萬",
    "japaneseLegal": "零壱弐参四伍六七八九拾百阡萬",
}
# Formats that leave out a one in front of a sign, and those that write a zero between digits.
_WITHOUT_ONE: Final = frozenset({"japaneseCounting", "koreanCounting", "koreanLegal"})
_WITH_ZERO: Final = frozenset(_COUNTING) - _WITHOUT_ONE - {"japaneseLegal"}
_LEGAL: Final = frozenset({"chineseLegalSimplified", "ideographLegalTraditional", "japaneseLegal"})
# Signs in a row: of 1, and how many there are.
_ENCLOSED: Final[Mapping[str, tuple[str, int]]] = {
    "decimalEnclosedCircle": ("①", 20),
    "decimalEnclosedCircleChinese": ("①", 20),
    "decimalEnclosedParen": ("⑴", 20),
    "decimalEnclosedFullstop": ("⒈", 20),
    "ideographEnclosedCircle": ("㊀", 10),
}


def format_number(number: int, number_format: str) -> str:
    """A number in one of Word's formats; decimal if the format is unknown or has no sign for it."""
    if number_format == "none":
        return ""
    if not 0 < number < _MOST:
        return str(number)
    for formats, write in _WRITERS:
        if number_format in formats:
            return write(number, number_format)
    return str(number)


def _roman(number: int) -> str:
    pieces = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        pieces.append(letters * count)
    return "".join(pieces)


def _in_signs(number: int, number_format: str) -> str:
    """A number in Chinese, Japanese or Korean words."""
    signs = _COUNTING[number_format]
    pieces: list[str] = []
    owes_zero = False
    for power in range(4, -1, -1):
        digit = number // 10**power % 10
        if digit == 0:
            owes_zero = bool(pieces)
            continue
        if owes_zero and number_format in _WITH_ZERO:
            pieces.append(signs[0])
        owes_zero = False
        is_silent = (
            digit == 1
            and power > 0
            and number_format not in _LEGAL
            and ((power == 1 and not pieces) or (power < 4 and number_format in _WITHOUT_ONE))
        )
        pieces.append(("" if is_silent else signs[digit]) + (signs[9 + power] if power else ""))
    return "".join(pieces)


def _in_letters(number: int, number_format: str) -> str:
    alphabet = _ALPHABETS[number_format]
    rounds, place = divmod(number - 1, len(alphabet))
    return alphabet[place] * (rounds + 1) if rounds < _MOST_ROUNDS else str(number)


def _in_digits(number: int, number_format: str) -> str:
    return "".join(_DIGITS[number_format][int(digit)] for digit in str(number))


def _enclosed(number: int, number_format: str) -> str:
    first, count = _ENCLOSED[number_format]
    return chr(ord(first) + number - 1) if number <= count else str(number)


_PATTERNS: Final[Mapping[str, Callable[[int], str]]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "decimalZero": "{:02}".format,
    "numberInDash": "- {} -".format,
    "hex": "{:X}".format,
}
_WRITERS: Final[Sequence[tuple[Container[str], Callable[[int, str], str]]]] = (
    (_PATTERNS, lambda number, number_format: _PATTERNS[number_format](number)),
    (_ALPHABETS, _in_letters),
    (_DIGITS, _in_digits),
    (_COUNTING, _in_signs),
    (_ENCLOSED, _enclosed),
)
