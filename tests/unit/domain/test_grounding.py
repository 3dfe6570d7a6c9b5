"""What tells a grounded answer: its markers, that it says nothing was found, its numbers."""

import pytest

from rich_agent.domain.grounding import (
    NOTHING_FOUND_CHARS,
    judge,
    says_nothing_found,
    unsupported_numbers,
)
from tests import make

GIVEN = """
A slot lasts about 400 milliseconds, an epoch 432,000 slots. The base fee is 5,000 lamports, and
half is burned. In 2020 there were fifty validators; by 2024 there were 1,731.6 on average.
Inflation began at 8 %, falls by fifteen percent a year, and ends at 1.5 %. 手数料は二十五ドル、
上限は300万円です。 The fund held 2.5 million dollars on 2026-01-05. Blocks are named by SHA-256.
"""


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "text",
    [
        "A slot takes 0.4 s [1].",
        "An epoch has 432000 slots, or 432.000.",
        "50 % of the fee of 5000 lamports is burned [2].",
        "There were 50 validators in 2020.",
        "About 1,732 validators in 2024, roughly 1.7 thousand.",
        "It falls by 15% a year until 1.5 percent.",
        "手数料は25ドル、上限は３００万円です【1】。",
        "The fund held 2,500,000 dollars on 5 January 2026.",
        "1. First do this.\n2. Then that.\n12. At last this.",
        "It takes 2 or 3 steps, with SHA-512 and `x = 4096`, see https://a.example/777.",
        "```\nport = 8443\n```",
        "No number at all.",
    ],
)
def test_unsupported_numbers_accepts_what_was_given_in_any_form(text: str) -> None:
    """Other units, words, kanji, rounding and grouping are the same number."""
    assert unsupported_numbers(text, GIVEN) == ()


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The fee is 7,200 lamports [1].", ("7,200",)),
        ("It began in 2019 [1].", ("2019",)),
        ("It falls by 12 % a year and 12 % again.", ("12 %",)),
        ("Yields reach 7% [2].", ("7%",)),
        ("手数料は48ドルです[1]。", ("48",)),
        ("There were 1,825 validators and 97 clients.", ("1,825", "97")),
    ],
)
def test_unsupported_numbers_names_what_was_not_given(text: str, found: tuple[str, ...]) -> None:
    """Each once, as it is written."""
    assert unsupported_numbers(text, GIVEN) == found


_SAME_NUMBER = {
    "1,000": ["1000", "1 000", "1.000", "1’000", "1k", "１０００", "１，０００", "千"],
    "1000": ["1,000", "one thousand", "1 thousand"],
    "one thousand": ["1,000", "1000"],
    "a thousand": ["1,000"],
    "千人": ["1,000人", "1000 people"],
    "12 500 francs": ["12,500", "12500", "12.5 thousand", "1万2,500", "1万2500"],
    "12,500": ["12 500 francs", "１２，５００"],
    "1万2千円": ["12,000円", "12000円", "¥12,000"],
    "1万2000円": ["12,000円", "1.2万円"],
    "12,000円": ["1万2000円", "1万2千円", "1.2万円"],
    "3億5000万円": ["350 million yen", "3.5億円", "350,000,000円"],
    "二百五人": ["205人"],
    "二万五百円": ["20,500円"],
    "二〇二六年": ["2026年", "in 2026"],
    "two hundred and fifty": ["250"],
    "twenty-five": ["25", "25th"],
    "the twenty-first century": ["the 21st century"],
    "one thousand two hundred": ["1,200", "1.2k"],
    "two and a half million": ["2.5 million", "2,500,000"],
    "three dozen": ["36"],
    "in twenty twenty-four": ["in 2024"],
    "two thirds": ["67 %", "66.7%", "0.667"],
    "three quarters": ["75%"],
    "half of it": ["50%"],
    "½ of it, ¾ at most": ["50 %", "75 %"],
    "1/4 of them": ["25%"],
    "15%": ["0.15", "15 percent", "15パーセント", "１５％", "fifteen percent"],
    "0.15": ["15 %"],
    "2割5分": ["25%"],
    "八割": ["80%"],
    "29.8 %": ["30%", "about 30 %"],
    "397": ["400", "some 400"],
    "1,731": ["more than 1,000", "1.7 thousand", "over 1,700", "約1,000"],
    "2026-01-05": ["5 January 2026", "05.01.2026", "1/5/2026", "January 5th, 2026", "2026年1月5日"],
    "5 January 2026": ["2026-01-05", "05.01.2026", "2026/01/05"],
    "December 25, 2025": ["2025-12-25", "25.12.2025", "2025年12月25日", "12/25/2025"],
    "Oct 31 '25": ["2025-10-31"],
    "31/10/25": ["31 October 2025"],
    "FY25": ["in 2025"],
    "令和6年": ["2024年", "in 2024"],
    "in 2018": ["平成30年"],
    "3:30 pm": ["15:30"],
    "at 3 p.m.": ["15:00", "15時"],
    "23:00": ["11 pm", "午後11時"],
    "午後3時": ["15時"],
    "at noon": ["12:00"],
    "10 km²": ["10 km²", "10 km2"],
    "٢٥ riyals": ["25 riyals"],
    "around the clock": ["24/7"],
    "Take 1, 2 and 13": ["Take 1,2,13"],
}


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("given", "text"), [(given, text) for given, texts in _SAME_NUMBER.items() for text in texts]
)
def test_unsupported_numbers_never_doubts_the_same_number_in_another_form(
    given: str, text: str
) -> None:
    """Grouping, scales, words, kanji, full width, fractions, percentages, dates, times, eras."""
    assert unsupported_numbers(f"It is {text} [1].", given) == ()


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("1,000", "1,200"),
        ("one thousand two hundred", "1,300"),
        ("two hundred and fifty", "260"),
        ("1万2000円", "13,000円"),
        ("12,000円", "1万3000円"),
        ("15%", "18%"),
        ("2026-01-05", "17.01.2026"),
        ("令和6年", "2023年"),
        ("3:30 pm", "16:30"),
        ("1,731", "about 4,000"),
        ("397", "410"),
        ("12 500", "12 700"),
    ],
)
def test_unsupported_numbers_doubts_another_number(given: str, text: str) -> None:
    """In each of these forms."""
    assert unsupported_numbers(f"It is {text} [1].", given) != ()


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize(
    "text",
    [
        "The passages do not say who signs. [0]",
        "[0]",
        "Die Dokumente schweigen dazu. [0]",
        "The documents don't mention a fee.",
        "I could not find this in the registered documents.",
        "There is no information about this in the sources.",
        "Nothing found in the registered sources about this.",
        "That is not covered in the documentation.",
        "資料には記載がありません。",
        "資料からは分かりません。",
        "渡された資料には、それについての記述がありません。",
        "該当する情報は見つかりませんでした。",
    ],
)
def test_says_nothing_found_knows_an_honest_answer(text: str) -> None:
    """By the marker in any language, by its words in two."""
    assert says_nothing_found(text)


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize(
    "text",
    [
        "The fee is 5 %.",
        "Tax is not included in the price.",
        "Funding is not paid when you hold no position.",
        "手数料は5%です。",
        "資料に記載があります。手数料は5%です。",
        "The passages do not say it. ".ljust(NOTHING_FOUND_CHARS + 1, "x"),
    ],
)
def test_says_nothing_found_knows_a_claim(text: str) -> None:
    """A long text claims something, whatever it begins with."""
    assert not says_nothing_found(text)


@pytest.mark.req("RAG-4", "TOOL-2")
def test_judge_tells_what_is_to_be_repaired() -> None:
    """Cited and supported is faultless; a number of its own or no citation is not."""
    passages = [make.passage(1, content="The fee is 25 lamports.")]
    given = passages[0].content
    assert judge("It is 25 [1].", passages, given).is_faultless
    assert judge("Nobody says so. [0]", passages, given).is_faultless
    invented = judge("It is 38 [1].", passages, given)
    assert (invented.is_grounded, invented.unsupported) == (True, ("38",))
    assert not judge("It is 25.", passages, given).is_grounded
    assert not judge("It is 25 [7].", passages, given).is_grounded
