"""Numbers of list items in the formats of Word."""

import pytest

from rich_agent.documents.extract.number_formats import format_number


@pytest.mark.parametrize(
    ("number_format", "number", "expected"),
    [
        ("decimal", 12, "12"),
        ("decimalZero", 7, "07"),
        ("lowerLetter", 28, "bb"),
        ("upperRoman", 1994, "MCMXCIV"),
        ("lowerRoman", 4, "iv"),
        ("decimalFullWidth", 12, "１２"),
        ("decimalEnclosedCircle", 3, "③"),
        ("decimalEnclosedCircle", 21, "21"),
        ("japaneseCounting", 123, "百二十三"),
        ("chineseCounting", 11, "十一"),
        ("chineseCountingThousand", 105, "一百○五"),
        ("chineseLegalSimplified", 10, "壹拾"),
        ("koreanCounting", 20, "이십"),
        ("ideographTraditional", 2, "乙"),
        ("chicago", 3, "‡"),
        ("none", 3, ""),
        ("of a later version", 3, "3"),
        ("lowerLetter", 100_000, "100000"),
    ],
)
def test_number_has_its_format(number_format: str, number: int, expected: str) -> None:
    """A number without a sign in its format is decimal."""
    assert format_number(number, number_format) == expected
