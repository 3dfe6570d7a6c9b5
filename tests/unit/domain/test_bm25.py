"""BM25 in two parts: what is stored with a chunk, and what a question asks."""

from collections.abc import Mapping
from math import log

import numpy as np
import pytest

from rich_agent.domain.retrieval.fusion import (
    GREATEST_IMPACT,
    Pair,
    impact,
    rarity,
    slowness,
    word_query,
)


def apart(counts: Mapping[int, int]) -> dict[frozenset[int], int]:
    """Words that are in one language each, by their terms."""
    return {frozenset({term}): count for term, count in counts.items()}


def test_impact_grows_with_repetition_and_shrinks_with_length() -> None:
    """Never above the bound, however often a word comes."""
    usual = slowness(4, average_length=4)
    assert impact(1.0, usual) == pytest.approx(1.0)
    assert impact(1.0, usual) < impact(3.0, usual) < GREATEST_IMPACT
    assert impact(1.0, slowness(31, average_length=4)) < impact(1.0, usual)
    assert impact(10_000.0, slowness(10_000, average_length=10_000)) < GREATEST_IMPACT


def test_impact_of_arrays_is_that_of_each() -> None:
    """As chunks are stored."""
    found = impact(np.array([1, 3], np.float64), 1.2)
    assert found.tolist() == pytest.approx([impact(1.0, 1.2), impact(3.0, 1.2)])


def test_slowness_of_an_unmeasured_corpus_is_finite() -> None:
    """No average length yet, no words at all."""
    assert impact(1.0, slowness(1, average_length=0)) > 0
    assert slowness(0, average_length=0) > 0


def test_rarity_is_positive_and_falls_with_frequency() -> None:
    """Also for a term in all chunks, and for statistics that are out of date."""
    assert rarity(0, 100) > rarity(1, 100) > rarity(50, 100) > rarity(100, 100) > 0
    assert rarity(1, 9) == pytest.approx(log(1 + 8.5 / 1.5))
    assert rarity(20, 10) > 0


def test_word_query_knows_its_heaviest_words() -> None:
    """A repeated word weighs more; one that was not measured counts as standing in one chunk."""
    query = word_query(apart({1: 1, 2: 1, 3: 1, 4: 2}), {1: 50, 2: 10, 4: 50}, chunks=100)
    assert list(query.weights) == [3, 2, 4, 1]
    assert query.weights[4] == 2 * query.weights[1]
    assert query.weights[3] == pytest.approx(rarity(1, 100))
    assert query.coverage([1, 2, 3, 4]) == pytest.approx(1)
    assert query.coverage([1, 2, 4]) < 1
    assert query.coverage([]) == 0
    assert query.mean == pytest.approx(
        query.weights[3] * 0.01
        + query.weights[2] * 0.1
        + (query.weights[4] + query.weights[1]) * 0.5
    )


def test_word_query_without_words_covers_nothing() -> None:
    """A question of no words."""
    empty = word_query({}, {}, chunks=10)
    assert empty.coverage([]) == 0
    assert empty.choose(100) == frozenset()
    assert empty.bound_without(()) == 0


def test_word_query_looks_for_words_that_are_new() -> None:
    """They came after the corpus was measured, or stand nowhere: then measured words are needed."""
    query = word_query(apart({1: 1, 2: 1}), {1: 900}, chunks=1000)
    assert query.choose(most_chunks=10) == {1, 2}
    assert word_query(apart({2: 1}), {}, chunks=1000).choose(10) == {2}


def test_word_query_chooses_no_more_than_it_must() -> None:
    """The rare word first; a common one only where chunks without the rare one could win."""
    query = word_query(apart({1: 1, 2: 1, 3: 1}), {1: 900, 2: 2, 3: 500}, chunks=1000)
    assert query.choose(most_chunks=1) == {2}
    assert query.choose(most_chunks=510) == {2, 3}
    assert query.choose(most_chunks=10_000) == {1, 2, 3}
    bound = query.bound_without({2})
    assert query.choose(10_000, least_score=bound) == {2}
    assert query.choose(10_000, least_score=bound / 2) > {2}


def test_word_query_counts_a_word_once_in_all_its_languages() -> None:
    """Its forms are as rare as they are together, and one of them in a chunk is the word."""
    query = word_query({frozenset({1, 2}): 1, frozenset({3}): 1}, {1: 40, 2: 10, 3: 50}, 100)
    assert query.weights[1] == query.weights[2] == query.weights[3]
    assert query.coverage([1]) == query.coverage([1, 2]) == pytest.approx(0.5)
    assert query.bound_without([1, 2]) == pytest.approx(query.bound_without([]) / 2)
    assert query.bound_without([1]) == query.bound_without([])


def test_word_query_pairs_the_words_that_are_not_rare() -> None:
    """Each with lighter ones, as far as chunks with both are expected to be few."""
    counts = {1: 10, 2: 4_000, 3: 5_000, 4: 6_000, 5: 90_000}
    query = word_query(apart(dict.fromkeys(counts, 1)), counts, chunks=100_000)
    rare = query.rare(3_000)
    assert rare == {1}
    assert query.pairs(rare, 800) == [
        Pair(frozenset({2}), frozenset({3, 4})),
        Pair(frozenset({3}), frozenset({4})),
    ]
    assert query.pairs(rare, 200) == [Pair(frozenset({2}), frozenset({3}))]
    assert query.pairs((), 100) == [Pair(frozenset({1}), frozenset({2, 3, 4, 5}))]
    assert query.rare(5) == frozenset()


def test_word_query_wants_a_third_word_where_pairs_are_in_too_many_chunks() -> None:
    """As many of the lighter words as fit; without any, the pair counts only if no word is rare."""
    counts = {1: 10, 2: 4_000, 3: 5_000, 4: 6_000, 5: 90_000}
    query = word_query(apart(dict.fromkeys(counts, 1)), counts, chunks=100_000)
    narrow = Pair(frozenset({2}), frozenset({3}), frozenset({4}))
    assert query.pairs({1}, 190) == [narrow]
    assert query.pairs({1}, 195) == [Pair(frozenset({2}), frozenset({3}), frozenset({4, 5}))]
    assert query.pairs({1}, 5) == [narrow]
    assert query.pairs({1, 4, 5}, 100) == []
    common = word_query(apart({2: 1, 3: 1}), counts, chunks=100_000)
    assert common.pairs((), 100) == [Pair(frozenset({2}), frozenset({3}))]
    assert query.bound_beside({1}, [narrow]) == query.bound_beside({1}, [])


def test_word_query_bounds_what_holds_none_of_the_pairs() -> None:
    """The best such chunk holds the heaviest of the others by itself."""
    counts = {1: 10, 2: 4_000, 3: 5_000}
    query = word_query(apart(dict.fromkeys(counts, 1)), counts, chunks=100_000)
    pairs = query.pairs({1}, 1_000)
    assert query.bound_beside({1}, pairs) == pytest.approx(GREATEST_IMPACT * query.weights[2])
    assert query.bound_beside({1}, []) == pytest.approx(query.bound_without({1}))
    assert query.bound_beside({1, 2, 3}, []) == 0
