"""The search by words, by BM25 over the terms that are stored with each chunk."""

from collections.abc import Mapping, Sequence
from typing import Any

from pgvector import SparseVector
from psycopg import sql

from rich_agent.domain.retrieval.fusion import Pair
from rich_agent.domain.retrieval.search_terms import TERM_SPACE, IndexLanguages, question_words
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.knowledge.rights import IN_FEW, IN_SCOPE, OPEN, rights_of
from rich_agent.repositories.knowledge.search_scope import Guarded, Scope, read, values_of

_SCORED = 1_000
_SCORED_FOR_PAIRS = 700
_SCORED_AT_MOST = 3_000
_ENOUGH = 10

_BY_WORDS = """
SELECT id, score FROM (
    SELECT id, -(impacts <#> %(query)s) AS score FROM rag_chunks
    WHERE ({held}) AND {within}
    LIMIT %(most)s
) AS scored
ORDER BY score DESC
LIMIT %(limit)s
"""
_OF_SOURCES = "source_id = ANY(%(sources)s)"
# `OFFSET 0` keeps a plan from looking for the words in the index once for each document.
_BY_WORDS_IN_FEW = """
SELECT id, score FROM (
    (
        SELECT id, -(impacts <#> %(query)s) AS score FROM rag_chunks
        WHERE cardinality(%(sources)s::text[]) > 0 AND ({held})
            AND source_id = ANY(%(sources)s)
        LIMIT %(most)s
    )
    UNION ALL SELECT id, -(impacts <#> %(query)s) AS score FROM (
        SELECT id, terms, impacts FROM rag_chunks
        WHERE document_id = ANY(%(documents)s::bigint[]) OFFSET 0
    ) AS of_few
    WHERE {held}
) AS scored
ORDER BY score DESC
LIMIT %(limit)s
"""
# Rights are looked up best first, until there are enough.
_BY_WORDS_IN_MANY = f"""
SELECT id, score FROM (
    SELECT id, source_id, document_id, -(impacts <#> %(query)s) AS score FROM (
        SELECT id, source_id, document_id, impacts FROM rag_chunks
        WHERE ({{held}}) AND source_id = ANY(%(sources)s::text[] || %(guarded)s::text[])
        LIMIT %(most)s
    ) AS held
    ORDER BY score DESC OFFSET 0
) AS scored
WHERE {IN_SCOPE}
LIMIT %(limit)s
"""

# The casts are for small numbers, which psycopg would send as smallint[].
_HOLD_ONE = "terms && %(terms)s::integer[]"
_HOLD_PAIR = "terms && %(word{n})s::integer[] AND terms && %(others{n})s::integer[]"
_HOLD_FURTHER = " AND terms && %(further{n})s::integer[]"

_HOLDS = f"""
SELECT EXISTS (
    SELECT FROM rag_chunks AS chunk JOIN rag_sources AS source ON source.id = chunk.source_id
    JOIN rag_documents AS document ON document.id = chunk.document_id
    WHERE {{holds_all}} AND source.status = 'active' AND {OPEN} AND NOT (
        source.internal
        AND EXISTS (SELECT FROM rag_sources WHERE status = 'active' AND NOT internal)
    )
) AS holds
"""


def sparse(weights: Mapping[int, float]) -> SparseVector:
    """Weights by term, as a sparse vector of pgvector."""
    return SparseVector(dict(weights), TERM_SPACE)


async def search_words(pool: Pool, scope: Scope, limit: int) -> list[str]:
    """The ids of the chunks with the highest BM25 scores, best first.

    Chunks with a rare word, or with two of the other words, are scored, or with three if many have
    two. Chunks with only one of the other words are scored if those are few, and up to a limit.
    """
    words, spread = scope.words, scope.spread
    rare_words = words.rare(round(spread * _SCORED))
    paired_words = words.pairs(rare_words, round(spread * _SCORED_FOR_PAIRS))
    rows = await _score(pool, scope, rare_words, paired_words, limit)
    if len(rows) < _ENOUGH and words.bound_beside(rare_words, paired_words) > 0:
        common_words = words.choose(round(spread * _SCORED))
        rows = await _score(pool, scope, rare_words | common_words, paired_words, limit)
    return [row["id"] for row in rows]


async def _score(
    pool: Pool, scope: Scope, terms: frozenset[int], pairs: Sequence[Pair], limit: int
) -> list[dict[str, Any]]:
    conditions = [_HOLD_ONE] if terms else []
    values: dict[str, object] = {
        "query": sparse(scope.words.weights),
        "terms": list(terms),
        **values_of(scope.sources, scope.guarded),
        "limit": limit,
        "most": _SCORED_AT_MOST,
    }
    for number, pair in enumerate(pairs):
        hold_pair = _HOLD_PAIR + (_HOLD_FURTHER if pair.further else "")
        conditions.append(hold_pair.format(n=number))
        values |= {
            f"word{number}": list(pair.word),
            f"others{number}": list(pair.others),
            f"further{number}": list(pair.further),
        }
    if not conditions:
        return []
    statement = _statement(scope.guarded).replace("{held}", " OR ".join(conditions))
    return await read(pool, statement, values)


def _statement(guarded_sources: Guarded | None) -> str:
    """The statement of a search by words; `{held}` stands for the conditions on a chunk's terms."""
    if guarded_sources is None:
        return _BY_WORDS.replace("{within}", _OF_SOURCES)
    if guarded_sources.are_few_chunks:
        return _BY_WORDS_IN_FEW
    if guarded_sources.documents is None:
        return _BY_WORDS_IN_MANY
    return _BY_WORDS.replace("{within}", IN_FEW)


async def holds_words(pool: Pool, text: str, reader: Reader) -> bool:
    """Whether a chunk that the reader may read has all words of the text; False without words."""
    (row,) = await read(pool, "SELECT language_chunks FROM rag_corpus")
    words = question_words(clean_text(text), IndexLanguages.of(row["language_chunks"]))
    if not words:
        return False
    each = [sql.SQL("chunk.terms && {}::integer[]").format(list(word)) for word in words]
    statement = sql.SQL(_HOLDS).format(holds_all=sql.SQL(" AND ").join(each))
    (row,) = await read(pool, statement, rights_of(reader))
    return bool(row["holds"])
