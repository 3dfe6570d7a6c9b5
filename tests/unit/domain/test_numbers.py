"""Numbers in all their digits: which were given, which are worked out, which are others."""

from pathlib import Path

import pytest

from rich_agent.domain.answer.numbers import (
    GivenNumbers,
    derived_numbers,
    differs,
    is_invented,
    known_numbers,
    strange_numbers,
)
from rich_agent.domain.retrieval.search_terms import languages_in

GIVEN = """
A slot lasts about 400 milliseconds, an epoch 432,000 slots. The base fee is 5,000 lamports, and
half is burned. In 2020 there were 50 validators; by 2024 there were 1,731.6 on average.
Inflation began at 8 %, falls by 15 percent a year, and ends at 1.5 %. 上限は300万円です。
The fund held 2.5 million dollars on 2026-01-05. Blocks are named by SHA-256. It takes 7 days, and
costs 20 dollars a month; a year has 12 of them. The company in Berlin sells shoes.
"""


def strange(text: str, given: str = GIVEN) -> tuple[str, ...]:
    """The numbers of a text that neither were given nor are worked out."""
    known = known_numbers(given)
    return strange_numbers(text, known | derived_numbers(text, known))


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "text",
    [
        "A slot takes 0.4 s.",
        "An epoch has 432000 slots, or 432.000, 432 000, 432’000, 432k.",
        "There were 50 validators in 2020.",
        "About 1,732 validators in 2024, roughly 1.7 thousand.",
        "It falls by 0.15 a year until 1.5 percent.",
        "上限は３００万円、2026年です。",
        "The fund held 2,500,000 dollars on 5 January 2026, or 05.01.2026, 2026/01/05.",
        "٢٠ dollars, ２０ dollars",
        "It takes 2 or 3 steps, with SHA-512, N95 and 10 km².",
        "No number at all; twelve, zwölf, 十二.",
    ],
)
def test_strange_numbers_accepts_what_was_given_in_other_digits(text: str) -> None:
    """Other units of ten, rounding, grouping, scripts and orders of a date are the same number."""
    assert strange(text) == ()


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The fee is 7,200 lamports.", ("7,200",)),
        ("It began in 2019.", ("2019",)),
        ("It falls by 13 % a year and 13 % again.", ("13 %",)),
        ("Yields reach 9%.", ("9%",)),
        ("手数料は48ドルです。", ("48",)),
        ("There were 1,825 validators and 97 clients.", ("1,825", "97")),
        ("On 29.01.2026.", ("29.01.2026",)),
    ],
)
def test_strange_numbers_names_what_was_not_given(text: str, found: tuple[str, ...]) -> None:
    """Each once, as it is written."""
    assert strange(text) == found


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "text",
    [
        "It costs $240 (12 × $20).",
        "12 months × $20/month = $240",
        "**12** × **$20** = **$240**",
        "168 hours (7 days × 24)",
        "7 Tage × 24 Stunden = 168 Stunden",
        "7天×24小时=168小时",
        "5,000 + 20 = 5,020, also 5.020 insgesamt",
        r"$20 \times 12 = 240$",
        "432,000 × 0.4 s = 172,800 s",
        "20 / 12 = 1.67",
    ],
)
def test_strange_numbers_accepts_a_result_with_its_working(text: str) -> None:
    """In any language, whatever the units are."""
    assert strange(text) == ()


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "text", ["It costs $240.", "12 × $20 = $270", "12 × $19 = $228", "168 hours"]
)
def test_strange_numbers_doubts_a_result_without_a_right_working(text: str) -> None:
    """No working, a wrong one, and one from a number that nobody gave."""
    assert strange(text) != ()


def is_other(said: str, held: str, given: str = "") -> bool:
    """Whether a sentence has a number that its passage has otherwise."""
    return differs(said, held, GivenNumbers.of(f"{held}\n{given}"), languages_in(said))


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("It costs 48 euros.", "It costs 55 euros."),
        ("It costs $48.", "It costs $35 a month."),
        ("料金は500円です。", "料金は400円です。"),
        ("料金は五百円です。", "料金は400円です。"),
        ("料金は500円です。", "料金は四百円です。"),
        ("料金は4,000円です。", "料金は400円です。"),
        ("तीस नहीं, २५ रुपये", "४० रुपये"),
        ("It closes at 22:00.", "It opens at 9:00 and closes at 20:00."),
        ("تفتح الساعة ١٠:٣٠", "تفتح الساعة ٩:١٥"),
        ("The fund held 5 million dollars.", "The fund held 5 billion dollars."),
        ("In 25 Tagen.", "In 30 Tagen."),
        ("It falls by 9 % a year.", "It falls by 8 % a year."),
    ],
)
def test_differs_finds_another_number_with_the_same_unit(said: str, held: str) -> None:
    """In all digits, with powers in words, and of times."""
    assert is_other(said, held)


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("料金は400円です。", "料金は四百円です。"),
        ("It costs 400 dirhams.", "It costs ٤٠٠ dirhams, or 90 dollars."),
        ("At 8:00 pm.", "From 9:00 to 20:00."),
        ("It closes at 20:00.", "It opens at 9:00 and closes at 8 pm."),
        ("It closes at 12:00.", "It opens at 9:00 and closes at noon."),
        ("8:30 to 18:00", "half past eight to 18:00"),
        ("2.5 million dollars", "2,500,000 dollars, or 3 million euros"),
        ("250万円です", "2,500,000円です"),
        ("15 लाख रुपये", "1500000 रुपये"),
        ("About 2,000 validators", "1,731 validators"),
        ("1.500,50 Euro", "1500.50 Euro"),
        ("Two cost 18 euros.", "One costs 9 euros."),
        ("It is 5 euros more.", "It was 20 euros and is 25 euros now."),
        ("It takes 0.4 s.", "It takes 400 ms."),
        ("20 × $12 = $240", "$12 a month for 20 months"),
        ("12 hats", "twelve hats"),
        ("The hats: 12 of them.", "eight hats and 12 shoes"),
        ("十分な時間", "5分です"),
        ("It costs 5 euros.", "It costs 5 euros, then 15 euros."),
        ("It was built in 2019.", "It was planned in 2018."),
        ("Nothing here counts.", "12 hats"),
    ],
)
def test_differs_leaves_what_may_be_the_same_number(said: str, held: str) -> None:
    """Other digits, units and words, what is rounded or worked out, and what is said elsewhere."""
    assert not is_other(said, held)


@pytest.mark.req("RAG-4")
def test_differs_takes_what_was_given_elsewhere() -> None:
    """The user's own number, or one of another passage, is not the passage's own to deny."""
    assert is_other("It costs 48 euros.", "It costs 55 euros.")
    assert not is_other("It costs 48 euros.", "It costs 55 euros.", "I paid 48 for it")


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (f"{'9' * 100} km", "3 km and 4 km"),
        (f"1{'0' * 31} km", "3 km"),
        (f"{'9' * 32} million km", "12 km or 3 trillion km"),
    ],
)
def test_differs_reads_numbers_longer_than_decimals(said: str, held: str) -> None:
    """None of them ends a turn."""
    assert is_other(said, held)


def test_differs_compares_many_numbers_with_many() -> None:
    """A row of a table has hundreds, each of which may be any of those of a page."""
    row = " ".join(f"{1.37 + 3.7 * number:.3f} km" for number in range(500))
    assert not is_other(row, f"{row} 9999991 km", row)


def is_refuted(said: str, held: str) -> bool:
    """Whether code alone refutes a claim by its numbers, in the languages of both."""
    languages = languages_in(said)
    given = GivenNumbers.of(held, languages)
    return differs(said, held, given, languages) or is_invented(said, held, given, languages)


CLAIMS = [
    line.split("\t")
    for line in Path(__file__).with_name("number_claims.tsv").read_text("utf-8").splitlines()
]


@pytest.mark.req("RAG-4", "ACT-5")
@pytest.mark.parametrize(
    ("held", "said"), [(held, said) for kind, _, held, said in CLAIMS if kind == "true"]
)
def test_numbers_refute_no_true_claim(held: str, said: str) -> None:
    """Digits, words, dates, units, what is rounded, and what follows, in eight languages."""
    assert not is_refuted(said, held)


@pytest.mark.req("RAG-4", "ACT-5")
@pytest.mark.parametrize(
    ("held", "said"), [(held, said) for kind, _, held, said in CLAIMS if kind == "false"]
)
def test_numbers_refute_a_false_claim(held: str, said: str) -> None:
    """Days, months and years, words for numbers, units of the same number, and inventions."""
    assert is_refuted(said, held)
