"""The comparison of texts with what a person sees, and documents of the bench read by it."""

from pathlib import Path

import pytest

from bench.formats.__main__ import verdict
from bench.formats.measuring import score, words
from bench.formats.readers import read_document
from bench.formats.reading import Reading
from bench.formats.truth import Cell, Truth

FOLDER = Path(__file__).parents[2] / "cases" / "formats"
DOCUMENTS = sorted(
    truth.with_name(truth.name.removesuffix(".truth.json")) for truth in FOLDER.glob("*.truth.json")
)

TABLE = (
    "| Region | 2025 Units | Price |\n|---|---|---|\n| North | 12 | 3.40 |\n| South | 7 | 19.95 |"
)


def test_score_counts_missing_words_and_codes() -> None:
    """A word that is seen twice and read once is missing once, and so is a code."""
    truth = Truth(facts=["Q1001", "Q1002"], seen="the pump Q1001 of the mill Q1002")
    result = score(truth, "the **pump** Q1001 of mill")
    assert result.missing == ("the", "Q1002")
    assert result.missing_facts == ("Q1002",)
    assert result.recall == 1 - 2 / 7


def test_score_leaves_hidden_texts_out_of_what_is_seen() -> None:
    """White words that a renderer gives are not missing, and are told if a reader has them."""
    truth = Truth(
        facts=["Q1001"], hidden=["Twice the price H1002"], seen="Price Q1001 Twice the price H1002"
    )
    assert score(truth, "Price Q1001").recall == 1
    assert score(truth, "Price Q1001 Twice the price H1002").hidden == ("H1002",)


def test_score_judges_order_by_codes() -> None:
    """Three codes of four follow each other as on the page."""
    truth = Truth(facts=["Q1001", "Q1002", "Q1003", "Q1004"])
    assert score(truth, "Q1002 Q1003 Q1004 Q1001").order == 0.75


def test_score_finds_cells_by_row_and_column() -> None:
    """A value is right below all words of its column, in the row with its key."""
    cells = [
        Cell("North", "Units 2025", "12"),
        Cell("North", "Price", "3.4"),
        Cell("South", "Price", "3.40"),
    ]
    result = score(Truth(cells=cells), TABLE)
    assert (result.cells, result.wrong_cells) == (2, (cells[2],))


def test_score_reads_tables_of_html() -> None:
    """Readers that write tables as HTML are judged as well."""
    text = "<table><tr><th>Name</th><th>Code</th></tr><tr><td>ring</td><td>0007</td></tr></table>"
    assert score(Truth(cells=[Cell("ring", "Code", "0007")]), text).cells == 1
    assert score(Truth(cells=[Cell("ring", "Code", "7")]), text).cells == 0


def test_words_part_letters_of_scripts_without_spaces() -> None:
    """Lines of Japanese end anywhere, codes stand next to anything, and marks are left out."""
    assert words("賃料Q1080عقد m\u00ad³") == ["賃", "料", "Q1080", "دعق", "m3"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_document_of_the_bench_is_read_as_a_person_sees_it(document: Path) -> None:
    """The words and cells that other programs show, and nothing that they hide.

    None is called read whole while something is missing, and none incomplete while nothing is.
    """
    truth = Truth.load(document)
    reading = Reading(**read_document(document))
    result = score(truth, reading.text)
    assert (result.recall or 1) >= 0.99, result.missing
    assert result.hidden == ()
    assert result.wrong_cells == ()
    assert verdict(reading, result, truth) == ""


def test_verdict_tells_what_is_wrongly_claimed() -> None:
    """Silence about what is missing, and a part that is missed though all is there."""
    truth = Truth(facts=["Q1001", "Q1002"])
    whole, half = score(truth, "Q1001 Q1002"), score(truth, "Q1001")
    assert verdict(Reading("", missing={}), half, truth) == "whole"
    assert verdict(Reading("", missing={"picture": 1}), half, truth) == ""
    assert verdict(Reading("", missing={"picture": 1}), whole, truth) == "incomplete"
    assert verdict(Reading("", missing={}), whole, truth) == ""
