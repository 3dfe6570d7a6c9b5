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
