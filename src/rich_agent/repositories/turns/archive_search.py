"""The search in the archive of one user, by words and by meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, LiteralString

from pgvector import HalfVector

from rich_agent.domain.memory.past_search import TurnScores, beside, nearest
from rich_agent.domain.retrieval.fusion import Background, WordQuery, word_query
from rich_agent.domain.retrieval.language_trust import read_trusts, trust_in_vectors
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import question_words
from rich_agent.domain.routing.plan import PastQuestion, PastTurn
from rich_agent.domain.text import clean_text
from rich_agent.ports.turns import Meaning
from rich_agent.repositories.database.pools import Pool, execute
from rich_agent.repositories.knowledge.word_search import sparse

_SHOWN: LiteralString = "asked_at, question, answer, meta_json -> 'read' AS read, request_id"
_IN_SPAN: LiteralString = """
(%(since)s::date IS NULL
    OR asked_at >= (%(since)s::date)::timestamp AT TIME ZONE %(time_zone)s::text)
AND (%(until)s::date IS NULL
    OR asked_at < (%(until)s::date + 1)::timestamp AT TIME ZONE %(time_zone)s::text)
"""
_THEIRS: LiteralString = f"user_id = %(user_id)s AND {_IN_SPAN}"
# Every n-th turn of the time span, including the first.
_SPREAD = f"""
SELECT {_SHOWN.replace("meta_json -> 'read' AS ", "")}
FROM (
    SELECT id, {_SHOWN},
        row_number() OVER (ORDER BY asked_at, id) - 1 AS place, count(*) OVER () AS total
    FROM turn_archive WHERE {_THEIRS}
) AS turn
WHERE place = 0 OR place * %(limit)s / total > (place - 1) * %(limit)s / total
ORDER BY asked_at, id
"""
_HOLDING: LiteralString = """
AND (%(terms)s::integer[] = '{}' OR terms && %(terms)s::integer[])
"""
_OLDEST = f"""
SELECT {_SHOWN} FROM turn_archive WHERE {_THEIRS} {_HOLDING}
ORDER BY asked_at, id LIMIT %(limit)s
"""
_NEWEST = f"""
SELECT {_SHOWN} FROM turn_archive WHERE {_THEIRS} {_HOLDING}
ORDER BY asked_at DESC, id DESC LIMIT %(limit)s
"""
_BY_ID = f"""
SELECT {_SHOWN} FROM turn_archive WHERE user_id = %(user_id)s AND id = ANY(%(ids)s)
ORDER BY asked_at, id
"""

_MEASURES = """
SELECT (SELECT count(*) FROM turn_archive WHERE user_id = %(user_id)s) AS turns,
    (SELECT learned FROM archive_languages WHERE space = %(space)s) AS learned,
    (
        SELECT jsonb_object_agg(term, turns) FROM (
            SELECT term, count(*) AS turns FROM turn_archive, unnest(terms) AS term
            WHERE user_id = %(user_id)s AND terms && %(terms)s::integer[]
                AND term = ANY(%(terms)s::integer[])
            GROUP BY term
        ) AS found
    ) AS counts
"""

# All turns of the user are scored, also those of other days: neighbours and the usual similarity
# are of the whole conversation. Turns that lie an hour apart are no neighbours.
_CANDIDATES_OF_A_HALF = 60
_SCORED = f"""
WITH scored AS MATERIALIZED (
    SELECT id, thread_id, asked_at, {_IN_SPAN} AS is_wanted,
        coalesce(-(impacts <#> %(query)s), 0) AS words,
        CASE WHEN vector_space = %(space)s THEN -(embedding <#> %(vector)s) END AS similarity
    FROM turn_archive WHERE user_id = %(user_id)s
), beside AS MATERIALIZED (
    SELECT *,
        CASE WHEN asked_at - lag(asked_at) OVER talk < interval '1 hour'
            THEN lag(words) OVER talk END AS words_before,
        CASE WHEN lead(asked_at) OVER talk - asked_at < interval '1 hour'
            THEN lead(words) OVER talk END AS words_after,
        CASE WHEN asked_at - lag(asked_at) OVER talk < interval '1 hour'
            THEN lag(similarity) OVER talk END AS similarity_before,
        CASE WHEN lead(asked_at) OVER talk - asked_at < interval '1 hour'
            THEN lead(similarity) OVER talk END AS similarity_after
    FROM scored WINDOW talk AS (PARTITION BY thread_id ORDER BY asked_at, id)
), best AS (
    (
        SELECT id FROM beside WHERE is_wanted
            AND words + coalesce(words_before, 0) + coalesce(words_after, 0) > 0
        ORDER BY words + (coalesce(words_before, 0) + coalesce(words_after, 0)) / 7 DESC, id DESC
        LIMIT {_CANDIDATES_OF_A_HALF}
    ) UNION (
        SELECT id FROM beside WHERE is_wanted AND similarity IS NOT NULL
        ORDER BY similarity DESC, id DESC LIMIT {_CANDIDATES_OF_A_HALF}
    )
)
SELECT beside.*, usual.*, ARRAY(
    SELECT term FROM turn_archive AS kept, unnest(terms) AS term
    WHERE kept.user_id = %(user_id)s AND kept.id = beside.id AND term = ANY(%(terms)s::integer[])
) AS matched
FROM beside JOIN best USING (id) CROSS JOIN (
    SELECT count(similarity) AS known, coalesce(avg(similarity), 0) AS mean,
        coalesce(stddev_pop(similarity), 0) AS deviation
    FROM scored
) AS usual
"""


class ArchiveSearch:
    """Finds earlier turns of one user."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def search(
        self, user_id: int, question: PastQuestion, limit: int, meaning: Meaning | None
    ) -> list[PastTurn]:
        """See `Archive.search`."""
        # Of the languages that the turns were in nothing is stored.
        words = question_words(clean_text(question.query), None)
        terms = sorted(frozenset[int]().union(*words))
        values = {**asdict(question), "user_id": user_id, "terms": terms, "limit": limit}
        if question.order != "nearest":
            newest = question.order == "newest"
            rows = await self._rows(_NEWEST if newest else _OLDEST, values)
            return _turns(rows[::-1] if newest else rows)
        if not terms:
            return _turns(await self._rows(_SPREAD, values))
        return await self._nearest(words, values, limit, meaning)

    async def _nearest(
        self,
        words: Mapping[frozenset[int], int],
        values: Mapping[str, Any],
        limit: int,
        meaning: Meaning | None,
    ) -> list[PastTurn]:
        space = label_of(meaning.space) if meaning else ""
        (measures,) = await self._rows(_MEASURES, {**values, "space": space})
        turn_count_by_term = {
            int(term): turn_count for term, turn_count in (measures["counts"] or {}).items()
        }
        query = word_query(words, turn_count_by_term, measures["turns"])
        judgements = read_trusts({"learned": measures["learned"] or ()})
        trust = trust_in_vectors(values["query"], judgements) if meaning and judgements else 0.0
        parameters = {
            **values,
            "query": sparse(query.weights),
            "space": space,
            "vector": HalfVector(list(meaning.vector)) if meaning and trust else None,
        }
        rows = await self._rows(_SCORED, parameters)
        turn_ids = nearest(*_ranking_of(rows, query, trust), limit)
        return _turns(await self._rows(_BY_ID, {**values, "ids": turn_ids})) if turn_ids else []

    async def _rows(self, query: LiteralString, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        return await (await execute(self._pool, query, values)).fetchall()


def label_of(space: VectorSpace) -> str:
    """The name of a vector space that is stored with each vector."""
    return f"{space.model}:{space.dimensions}"


def _turns(rows: Sequence[Mapping[str, Any]]) -> list[PastTurn]:
    return [PastTurn(**row) for row in rows]


def _ranking_of(
    rows: Sequence[Mapping[str, Any]], query: WordQuery, trust: float
) -> tuple[list[TurnScores], WordQuery, Background | None]:
    """The turns, the words, and the background of the vectors, by which they are ranked."""
    background = None
    if trust and rows and rows[0]["known"]:
        of_all = (rows[0]["known"], rows[0]["mean"], rows[0]["deviation"])
        background = replace(Background.of_sample(*of_all), trust=trust)
    return [_scores(row, background) for row in rows], query, background


def _scores(row: Mapping[str, Any], background: Background | None) -> TurnScores:
    column_suffixes = ("", "_before", "_after")
    words = [row[f"words{name}"] or 0.0 for name in column_suffixes]
    vectors = [row[f"similarity{name}"] for name in column_suffixes]
    usual = background.mean if background else 0.0
    complete = [usual if one is None else one for one in vectors] if background else []
    return TurnScores(
        row["id"], words[0], vectors[0], frozenset(row["matched"]), beside(words, complete)
    )
