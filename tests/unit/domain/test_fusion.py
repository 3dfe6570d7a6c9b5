"""Two rankings become one, whose scores say how strong the evidence is."""

from dataclasses import replace

import pytest

from rich_agent.domain.retrieval.candidate import Candidate, Whole
from rich_agent.domain.retrieval.fusion import (
    Background,
    rank,
    select,
    word_query,
)
from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from rich_agent.domain.retrieval.passage import Passage

# Three words: two that few of 1,000 chunks hold, one that many do.
WORDS = word_query({frozenset({n}): 1 for n in (1, 2, 3)}, {1: 5, 2: 5, 3: 300}, chunks=1000)
BACKGROUND = Background(mean=0.1, deviation=0.1)


def candidate(name: str, *terms: int, vector: float | None = None, place: int = 0) -> Candidate:
    """A chunk that holds these words once."""
    passage = Passage(name, "document", f"text of {name}", "https://a.example/", "A", section="S")
    words = sum(WORDS.weights[term] for term in terms)
    return Candidate(passage, words, vector, frozenset(terms), document=1, position=place)


def ids(ranked: list[Candidate]) -> list[str]:
    """The chunks in order."""
    return [one.passage.id for one in ranked]


def test_rank_of_nothing_is_nothing() -> None:
    """No candidates, or none that holds a word."""
    assert rank([], WORDS, None) == []
    assert rank([candidate("a")], WORDS, None) == []


def test_rank_by_words_scores_by_their_weight() -> None:
    """The best has the share of the question that it holds; all of it is 1."""
    ranked = rank([candidate("common", 3), candidate("both", 1, 2)], WORDS, None)
    assert ids(ranked) == ["both", "common"]
    assert ranked[0].passage.score == pytest.approx(WORDS.coverage([1, 2]))
    (full,) = rank([candidate("all", 1, 2, 3)], WORDS, None)
    assert full.passage.score == pytest.approx(1)


def test_rank_by_vectors_scores_by_the_distance_from_the_background() -> None:
    """As similar as any chunk is 0, the same text is 1; below the background never under 0."""
    no_words = word_query({}, {}, chunks=1000)
    chunks = [candidate(str(near), vector=near) for near in (0.55, 1.0, 0.1, -0.5)]
    ranked = rank(chunks, no_words, BACKGROUND)
    assert ids(ranked) == ["1.0", "0.55", "0.1", "-0.5"]
    assert [one.passage.score for one in ranked] == pytest.approx([1, 0.5, 0, 0])


def test_rank_trusts_the_words_where_the_vectors_tell_nothing() -> None:
    """A model that does not know the language finds all chunks equally near."""
    chunks = [candidate("meant", 1, 2, vector=0.15), candidate("nearest", vector=0.25)]
    assert ids(rank(chunks, WORDS, BACKGROUND)) == ["meant", "nearest"]


def test_rank_trusts_the_words_in_a_language_that_the_model_does_not_know() -> None:
    """However far its nearest chunk stands out; that chunk is hardly evidence either."""
    chunks = [candidate("meant", 1, vector=0.3), candidate("hub", vector=0.9)]
    unknown = replace(BACKGROUND, trust=0.01)
    assert ids(rank(chunks, WORDS, BACKGROUND)) == ["hub", "meant"]
    assert ids(rank(chunks, WORDS, unknown)) == ["meant", "hub"]
    (alone,) = rank([candidate("hub", vector=0.9)], word_query({}, {}, chunks=9), unknown)
    assert 0 < alone.passage.score < 0.02


def test_rank_trusts_the_vectors_where_the_words_are_common() -> None:
    """A question in everyday words holds nothing to search for."""
    chunks = [candidate("wordy", 3, vector=0.2), candidate("meant", vector=0.8)]
    assert ids(rank(chunks, WORDS, BACKGROUND)) == ["meant", "wordy"]


def test_rank_lets_words_decide_between_chunks_that_mean_nearly_the_same() -> None:
    """However common they are, and however well the vectors tell."""
    chunks = [candidate("near", vector=0.8), candidate("named", 3, vector=0.78)]
    assert ids(rank(chunks, WORDS, BACKGROUND)) == ["named", "near"]


def test_rank_prefers_what_both_halves_find() -> None:
    """Good in both beats best in one."""
    chunks = [
        candidate("words", 1, 2, vector=0.1),
        candidate("vector", vector=0.5),
        candidate("both", 1, vector=0.48),
    ]
    assert ids(rank(chunks, WORDS, BACKGROUND))[0] == "both"


@pytest.mark.parametrize(("chunks", "first"), [(2, "alone"), (40, "best")])
def test_rank_weighs_a_document_the_less_the_longer_it_is(chunks: int, first: str) -> None:
    """The one good chunk of a short document yields to a whole one; that of a long one does not."""
    best = replace(candidate("best", 1, 2, vector=0.6), whole=Whole(chunks, 0.0, 0.1))
    ranked = rank([best, candidate("alone", 1, 2, vector=0.55)], WORDS, BACKGROUND)
    assert ids(ranked)[0] == first


def test_rank_finds_a_chunk_in_a_document_that_is_about_something_else() -> None:
    """However far the rest of it is from the question."""
    only = replace(candidate("only", vector=0.11), whole=Whole(2, 0.0, -0.9))
    assert ids(rank([only], WORDS, BACKGROUND)) == ["only"]


def test_rank_takes_chunks_without_a_vector() -> None:
    """They are ranked by their words."""
    chunks = [candidate("new", 1, 2), candidate("old", 1, vector=0.2)]
    assert ids(rank(chunks, WORDS, BACKGROUND)) == ["new", "old"]


def test_rank_is_the_same_each_time() -> None:
    """Equal scores are ordered by id."""
    chunks = [candidate(name, 1) for name in "cab"]
    assert ids(rank(chunks, WORDS, None)) == ["a", "b", "c"]


def test_background_of_few_vectors_is_the_usual_one() -> None:
    """A single chunk is no background for itself; a thousand are."""
    few = Background.of_sample(1, mean=0.9, deviation=0)
    assert few.mean < 0.2
    assert few.deviation > 0.1
    many = Background.of_sample(1000, mean=0.7, deviation=0.05)
    assert many.mean == pytest.approx(0.7, abs=0.02)
    assert many.deviation == pytest.approx(0.05, abs=0.05)


def test_background_of_a_model_whose_vectors_are_all_similar_is_that_of_the_sample() -> None:
    """Usual values of other models do not widen it, which would hide what vectors find."""
    some = Background.of_sample(40, mean=0.8, deviation=0.02)
    assert some.mean == pytest.approx(0.8, abs=0.005)
    assert some.deviation == pytest.approx(0.02, abs=0.02)
    usual = MODELS[LOCAL].usual
    none = Background.of_sample(0, 0, 0, usual)
    assert (none.mean, none.deviation) == pytest.approx((usual.mean, usual.deviation))


def test_chunk_that_waits_for_its_vector_is_ranked_by_its_words() -> None:
    """While vectors arrive, what has one must not push aside what the question names."""
    near = candidate("near", 3, vector=0.9)
    chunks = [candidate("named", 1, 2), near, candidate("far", 3, vector=0.1)]
    assert ids(rank(chunks, WORDS, BACKGROUND))[0] == "named"


def test_select_merges_neighbours_in_the_order_of_the_text() -> None:
    """One passage, with the id of the better chunk, and room for another one."""
    ranked = [candidate("second", 1, place=2), candidate("first", 2, place=1)]
    apart = [candidate("far", 3, place=9)]
    found = select([*ranked, *apart], limit=3)
    assert [passage.id for passage in found] == ["second", "far"]
    assert found[0].content == "text of first\n\ntext of second"


def test_select_keeps_neighbours_of_different_sections_apart() -> None:
    """A citation names one section."""
    first, second = candidate("a", place=1), candidate("b", place=2)
    other = replace(second, passage=replace(second.passage, section="T"))
    assert len(select([first, other], limit=5)) == 2


def test_select_takes_no_text_twice() -> None:
    """A copy of a document leaves room for others."""
    chunks = [candidate(str(place), place=place * 2) for place in range(5)]
    copied = replace(chunks[0], document=2)
    other = replace(candidate("other"), document=3)
    found = select([*chunks, copied, other], limit=6)
    assert [passage.id for passage in found] == ["0", "1", "2", "3", "4", "other"]


def test_select_bounds_what_one_document_gives() -> None:
    """Neighbours that become one passage count each, so that a chapter does not come whole."""
    chapter = [candidate(str(place), place=place) for place in range(9)]
    other = replace(candidate("other"), document=3)
    found = select([*chapter, other], limit=3)
    assert [passage.id for passage in found] == ["0", "other"]
    assert found[0].content.count("text of") == 3


def test_select_stops_at_the_limit() -> None:
    """No more passages than are wanted."""
    chunks = [candidate(str(place), place=place * 2) for place in range(5)]
    assert [passage.id for passage in select(chunks, limit=2)] == ["0", "1"]
