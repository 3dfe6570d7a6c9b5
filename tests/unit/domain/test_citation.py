"""Citation markers: only what was retrieved is ever shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.domain.answer.citation import (
    CitedText,
    GrowingCitations,
    resolve_citations,
    resolve_growing_text,
    strip_markers,
)
from rich_agent.domain.retrieval.passage import Passage

PASSAGES = [
    Passage("chk_a", "document", "A", "https://a.example/x", "A", "One", "https://a.example/x#one"),
    Passage("chk_b", "document", "B", "https://b.example/x", "B"),
    Passage("web:1", "web", "C", "https://c.example/x", "C"),
]


@pytest.mark.req("RAG-4")
def test_resolve_citations_renumbers_in_order_of_appearance() -> None:
    """The reader sees 1, 2, ...; each names the passage that the model meant."""
    cited = resolve_citations("B says so [2]. A too [1], again [2].", PASSAGES)
    assert cited.text == "B says so [1]. A too [2], again [1]."
    assert [(c.number, c.id) for c in cited.citations] == [(1, "chk_b"), (2, "chk_a")]


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "text",
    ["So [7].", "So [0].", "So 【9】.", "So [web:4].", "So [7](https://evil.example).", "So[99]."],
)
def test_resolve_citations_removes_an_invented_marker(text: str) -> None:
    """A number that names no passage vanishes, with its link."""
    cited = resolve_citations(text, PASSAGES)
    assert (cited.text, cited.citations) == ("So.", ())


@pytest.mark.req("RAG-4")
def test_resolve_citations_keeps_the_valid_part_of_a_group() -> None:
    """Of [1, 9, 3] the first and the last are passages."""
    cited = resolve_citations("Both [1, 9, 3].", PASSAGES)
    assert cited.text == "Both [1][2]."
    assert [c.id for c in cited.citations] == ["chk_a", "web:1"]


@pytest.mark.req("TOOL-1")
def test_resolve_citations_understands_web_ids() -> None:
    """`[web:1]` names the first web result."""
    assert resolve_citations("New [web:1].", PASSAGES).citations[0].id == "web:1"


def test_resolve_citations_leaves_code_alone() -> None:
    """An index in code is no citation."""
    text = "Use `items[1]` or\n```python\nitems[7]\n```\nas said [1]."
    assert resolve_citations(text, PASSAGES).text == text


def test_resolve_citations_leaves_an_index_alone_without_passages() -> None:
    """In an answer from the model's own knowledge `items[0]` stays, a marker goes."""
    assert resolve_citations("items[0] is first [1].", []).text == "items[0] is first."


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "growing", ["Funding is paid [", "Funding is paid [9", "Funding is paid [9](http"]
)
def test_resolve_unfinished_holds_an_unfinished_marker_back(growing: str) -> None:
    """A growing text never shows a piece of a marker."""
    assert resolve_growing_text(growing, PASSAGES).text == "Funding is paid"


@pytest.mark.req("RAG-4")
@given(st.text(alphabet="ab [](),123456789:web【】`\n", max_size=60))
def test_resolve_citations_never_shows_a_number_that_was_not_given(text: str) -> None:
    """Whatever the model writes, the markers that are left name the citations, 1 to n."""
    cited = resolve_citations(text, PASSAGES)
    assert [c.number for c in cited.citations] == list(range(1, len(cited.citations) + 1))
    again = resolve_citations(cited.text, [*_as_passages(cited.citations)])
    assert len(again.citations) == len(cited.citations)


@pytest.mark.parametrize(
    "text",
    ["Sorted: [1, 2, 3]", "x lies in [0, 1].", "see [2024](https://a.example/b)", "items[0, 1]"],
)
def test_resolve_citations_leaves_lists_intervals_and_links_without_passages(text: str) -> None:
    """Mathematics in an answer from the model's own knowledge stays whole."""
    assert resolve_citations(text, []).text == text


def test_resolve_citations_leaves_an_interval_with_passages() -> None:
    """[0, 1] is an interval, whatever was retrieved."""
    cited = resolve_citations("x lies in [0, 1] as said [2].", PASSAGES)
    assert cited.text == "x lies in [0, 1] as said [1]."


def test_strip_markers_leaves_the_words() -> None:
    """Later turns see the answer without numbers."""
    assert strip_markers("Said [1]. And [2][3] so.") == "Said. And so."


def _as_passages(citations: tuple[object, ...]) -> list[Passage]:
    return [Passage(f"p{n}", "document", "", "u", "t") for n, _ in enumerate(citations)]


@pytest.mark.parametrize(
    "text",
    [
        "Yes [1], no [2](http://a.example/x) and [9] more  [2].",
        "A span `a[1]` and one without end `a[1] [2]\nNext [1][2].",
        "```python\na[1]\n``` and ```b[2]``` then [2] and 【1†source】.",
        "[1, 2, 3] then [web:1] (`` ` ``) [0, 1] [^2]",
    ],
)
def test_growing_citations_end_as_the_whole_text_has_them(text: str) -> None:
    """Also where a mark that comes later makes code of what was prose."""
    growing = GrowingCitations(PASSAGES)
    settled = "".join(map(growing.feed, text))
    assert CitedText(settled + growing.open, growing.citations) == resolve_citations(text, PASSAGES)
