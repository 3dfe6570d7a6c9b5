"""Look-alike characters on cards: told where they deceive, and left where a language has them."""

import pytest

from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.look_alikes import as_ascii
from tests.growth import MOST_GROWTH, Work, growth_of
from tests.hostile_text import Pump


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        *(("paypaⅼ", "ⅼ"), ("paypaǀ", "ǀ"), ("paıd", "ı"), ("pɑypal", "ɑ"), ("paypaⵏ", "ⵏ")),
        *(("раураӏ", "раураӏ"), ("pаypal", "а"), ("gοοd", "οο"), ("1०0", "०"), ("1٠0 euros", "٠")),
        *(("good․example.evil.com", "․"), ("evil.com⁄x", "⁄"), ("good.example∕.evil.com", "∕")),
        *(("1‚000", "‚"), ("https꞉//evil.example", "꞉"), ("a＠b.example", "＠"), ("ｐaypal", "ｐ")),
        *(("Օren", "Օ"), ("Ꭰan", "Ꭰ"), ("ꓐob", "ꓐ"), ("𝐛ob", "𝐛"), ("𐐠ob", "𐐠"), ("ഠne", "ഠ")),
    ],
)
def test_character_that_passes_for_another_is_written_out(text: str, alike: str) -> None:
    """In a word, a number, an address, or as all of a word."""
    expected = "".join(
        (f"\\u{ord(one):04x}" if one <= "\uffff" else f"\\U{ord(one):08x}") if one in alike else one
        for one in text
    )
    assert escape_invisible(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Сахар и соль купить в субботу",
        "Сахар",
        "Нам нужен Bob в 9:30",
        "Yarın raporu yapıldı say, kırmızı ışık",
        "L’heure d’ouverture – « demain »…",
        "Über größere Maßstäbe, 1 000 €",
        "時刻：9：30、田中さん（３人）",
        "दाल १०:०० बजे",
        "الساعة ١٠:٠٠ مساء",
        "Δευτέρα στις 5",
        "5×3 m² · œuvre naïve",
        "Đặt vé máy bay lúc 10 giờ",
        "오후 3시 회의",
    ],
)
def test_text_of_a_language_stays_as_it_is(text: str) -> None:
    """With its own letters, digits, dashes and quotation marks."""
    assert escape_invisible(text) == text


def test_look_alikes_are_read_as_what_they_look_like() -> None:
    """In one table for all who compare texts."""
    assert as_ascii("раураӏ ｐɑу٣") == "paypai pay٣"


def test_a_word_of_many_look_alikes_takes_no_longer_than_its_length() -> None:
    """A digit among them has each of the others looked at again."""
    assert growth_of(Work("written_out", escape_invisible), Pump("", "а", "1")) < MOST_GROWTH
