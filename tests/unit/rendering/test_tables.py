import pytest
import wcwidth

from tests.unit.rendering.seen import citation, marked, rendered, ways_out

NARROW = """| Name | Qty | 価格 |
|:-----|----:|:---:|
| Apple | 3 | 日本円 |
| [Pear](https://a.example) **b** `c` | 12 | ¥1 |"""


def test_table_is_aligned_as_its_second_line_says() -> None:
    """Left, right and centre, by columns: a Japanese character takes two."""
    message = rendered(NARROW)
    assert message.text.splitlines() == [
        "Name      Qty   価格",
        "--------  ---  ------",
        "Apple       3  日本円",
        "Pear b c   12    ¥1",
    ]
    assert marked(message, "pre") == [message.text]
    assert len(message.entities) == 1


@pytest.mark.parametrize(
    "cell", ["日本語", "한국어", "e\u0301te\u0301", "👨\u200d👩\u200d👧", "🇯🇵", "عربي", "ｱｲｳ"]
)
def test_table_columns_start_at_the_same_place(cell: str) -> None:
    """Wide, combined and joined characters count as the columns that they take."""
    message = rendered(f"| a | b |\n|---|---|\n| {cell} | x |\n| abcdefgh | x |")
    *_, first, second = message.text.splitlines()
    assert wcwidth.width(first.partition("x")[0]) == wcwidth.width(second.partition("x")[0])


def test_table_wider_than_a_phone_becomes_records() -> None:
    """Each row is read from top to bottom; markup, links and markers in cells stay."""
    link = "https://a.example/doc"
    message = rendered(
        "| Feature | What it is good for |  |\n|---|---|---|\n"
        "| One [1] | A **long** text about `code`<br>and lines | [doc](https://a.example/doc) |\n"
        "| Two | | none |",
        citation(1, link),
    )
    body = message.text.partition("\n\nSources")[0]
    assert body == (
        "Feature: One [1]\nWhat it is good for: A long text about code; and lines\ndoc\n\n"
        "Feature: Two\nnone"
    )
    assert marked(message, "bold")[:2] == ["Feature: One [1]", "long"]
    assert marked(message, "code") == ["code"]
    assert ways_out(message) == [link, link, link]


def test_table_in_a_list_and_in_a_quote_keeps_its_lines() -> None:
    """A table looks the same at any place in the text."""
    for prefix, rest in (("- ", "  "), ("> ", "> ")):
        message = rendered(f"{prefix}| a | b |\n{rest}|---|---|\n{rest}| 1 | 2 |")
        assert marked(message, "pre") == ["a  b\n-  -\n1  2"]


@pytest.mark.parametrize(
    "text", ["| a | b |\n| 1 | 2 |", "| a | b |\n|---|\n| 1 | 2 |", "a | b", "|", "||", "| --- |"]
)
def test_what_is_no_table_is_shown_as_it_is(text: str) -> None:
    """Bars without a proper second line are bars."""
    assert rendered(text).text == text


def test_table_with_ragged_rows_loses_no_cell() -> None:
    """A row may have fewer cells than the header."""
    message = rendered("| a | b | c |\n|---|---|---|\n| 1 |\n| 2 | 3 |")
    assert message.text.split() == ["a", "b", "c", "-", "-", "-", "1", "2", "3"]


def test_table_of_a_header_alone_is_shown() -> None:
    """A table that has no rows yet, however wide."""
    words = " | ".join(f"heading{n}" for n in range(9))
    message = rendered(f"| {words} |\n{'|---' * 9}|")
    assert message.text.split() == words.split(" | ")
