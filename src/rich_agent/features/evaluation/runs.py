"""Evaluations as they are kept: figures alone, no words of questions and answers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Self

from psycopg.types.json import Jsonb

from rich_agent.feature import PostgresRepository, checkout
from rich_agent.feature.database import NEWS_CHANNEL, OPERATORS
from rich_agent.features.evaluation.intervals import Interval
from rich_agent.features.evaluation.marks import AnswerEvaluation

MAX_ID: Final = 2**63 - 1
_ADD = """
INSERT INTO evaluation_runs
    (started_at, version, model, changes, question_set, question_count, measures)
VALUES (%(started_at)s, %(version)s, %(model)s, %(changes)s, %(question_set)s,
    %(question_count)s, %(measures)s)
"""
_NEWEST = """
SELECT id, started_at, version, model, changes, question_set, question_count, measures
FROM evaluation_runs WHERE id < %s ORDER BY id DESC LIMIT %s
"""
TELL: Final = f"SELECT pg_notify('{NEWS_CHANNEL}', '{OPERATORS}')"
"""Statement by which open pages show what was changed."""


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """The figures of an evaluation.

    `changes`: settings that were not the present ones, "" for none.
    `question_set`: name of the file of questions, "" for the stored ones.
    """

    started_at: datetime
    version: str
    model: str
    changes: str
    question_set: str
    question_count: int
    measures: Mapping[str, Interval | None]
    id: int = 0

    @classmethod
    def of(cls, evaluation: AnswerEvaluation, version: str, model: str, question_set: str) -> Self:
        """The figures of an evaluation, whose label is the model or the changed settings."""
        return cls(
            evaluation.at,
            version,
            model,
            "" if evaluation.label == model else evaluation.label,
            question_set,
            len(evaluation.answers),
            evaluation.measures(),
        )


class EvaluationRuns(PostgresRepository):
    """Evaluations in PostgreSQL. Every method may raise DatabaseUnavailableError."""

    async def add(self, runs: Sequence[EvaluationRun]) -> None:
        """Keep evaluations."""
        async with checkout(self._pool) as connection:
            for run in runs:
                await connection.execute(_ADD, _values(run))
            await connection.execute(TELL)

    async def newest(self, limit: int, before: int = MAX_ID) -> Sequence[EvaluationRun]:
        """The newest evaluations before one of them, newest first."""
        return [_run(row) for row in await self._rows(_NEWEST, (before, limit))]


def _values(run: EvaluationRun) -> dict[str, Any]:
    measures = {name: interval and asdict(interval) for name, interval in run.measures.items()}
    return {
        "started_at": run.started_at,
        "version": run.version,
        "model": run.model,
        "changes": run.changes,
        "question_set": run.question_set,
        "question_count": run.question_count,
        "measures": Jsonb(measures),
    }


def _run(row: Mapping[str, Any]) -> EvaluationRun:
    measures = {name: value and Interval(**value) for name, value in row["measures"].items()}
    return EvaluationRun(**{**row, "measures": measures})
