"""Passages: one ranking made of several."""

from dataclasses import replace

from rich_agent.domain.retrieval.passage import Passage, interleave
from tests import make


def test_interleave_gives_each_ranking_its_places() -> None:
    """The best of each first; nothing twice, no more than asked for."""
    first = [make.passage(1), make.passage(2), make.passage(3)]
    second = [make.passage(2), make.passage(4)]
    assert [p.id for p in interleave([first, second], 3)] == ["chk_1", "chk_2", "chk_4"]
    assert interleave([first], 6) == first
    assert interleave([[], []], 6) == []


def test_interleave_leaves_out_a_text_that_another_passage_holds() -> None:
    """Neighbours are merged in one ranking and stand alone in another."""
    merged = make.passage(1, content="One.\n\nTwo.")
    assert interleave([[merged], [make.passage(2, content="Two.")]], 6) == [merged]


def test_page_that_not_everybody_can_read_is_private() -> None:
    """Its words have an origin of their own, also after they were stored."""
    page = Passage(
        "f", "file", "Salaries", "https://wiki.internal/a", "A", link="https://wiki.internal/a"
    )
    assert (page.words.origin, page.words.name) == ("page", "wiki.internal")
    private = Passage.from_state(replace(page, is_private=True).to_state())
    assert (private.words.origin, private.words.name) == ("private_page", "wiki.internal")
