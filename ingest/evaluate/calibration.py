"""`ingest calibrate`: finds the score that separates answerable questions from others.

Scores depend on the embedding model and the documents. Both kinds of questions are made from the
documents: a heading or a first sentence is searched once in all documents, and once in all
documents but its own. No chat model is called.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import Any

from ingest.app import open_embedding_model, open_ingest
from rich_agent.domain.retrieval.fusion import rank
from rich_agent.domain.retrieval.passage import SECTION_SEPARATOR
from rich_agent.domain.rights import OPERATOR
from rich_agent.errors import RichAgentError
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import checkout
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.settings.dotenv import write_values

_QUESTIONS = 100
_FEWEST = 10

_SAMPLE = """
SELECT document_id, section, title, split_part(content, E'\\n', 1) AS line
FROM rag_chunks AS chunk
JOIN rag_documents AS document ON document.id = chunk.document_id
JOIN rag_sources AS source ON source.id = chunk.source_id
WHERE source.status = 'active' AND NOT source.internal
ORDER BY md5(chunk.id) LIMIT %s
"""


class CalibrationError(RichAgentError):
    """There are too few documents for a calibration."""

    hint = "Register more documents of different subjects, run `ingest sync`, and try again."


@dataclass(frozen=True, slots=True)
class Calibration:
    """The proposed threshold, and the sorted scores (0..1) of both kinds of questions."""

    min_score: float
    answered: Sequence[float]
    unanswered: Sequence[float]

    def to_json(self) -> dict[str, Any]:
        """The calibration as `--json` prints it."""
        return asdict(self)

    def write(self, path: Path) -> None:
        """Write the setting to the file; creates the file if it is missing."""
        write_values(path, {"RETRIEVAL_MIN_SCORE": str(self.min_score)})

    def lines(self) -> list[str]:
        """Lines for a person: the proposal, and both distributions."""
        lines = [f"RETRIEVAL_MIN_SCORE={self.min_score:.2f}"]
        for name, scores in (("answered", self.answered), ("unanswered", self.unanswered)):
            percentiles = quantiles(scores, n=20, method="inclusive")
            weak_share = sum(score < self.min_score for score in scores) / len(scores)
            lines.append(
                f"{name}: {len(scores)} questions, middle score {percentiles[9]:.2f}, most of them "
                f"{percentiles[0]:.2f} to {percentiles[18]:.2f}; weak evidence for {weak_share:.0%}"
            )
        return lines


async def calibrate() -> Calibration:
    """Calibrate with the registered documents.

    Raises: CalibrationError, SettingsError, DatabaseUnavailableError, UpstreamError.
    """
    answered_scores: list[float] = []
    unanswered_scores: list[float] = []
    async with open_ingest() as ingest, open_embedding_model(ingest.settings) as model:
        async with checkout(ingest.pool) as connection:
            rows = await (await connection.execute(_SAMPLE, (_QUESTIONS,))).fetchall()
        if len(rows) < _FEWEST or len({row["document_id"] for row in rows}) == 1:
            raise CalibrationError("too few passages to calibrate with")
        passages = PostgresPassages(ingest.pool)
        space = await passages.space() if model else None
        questions = [_question(row["section"], row["title"], row["line"]) for row in rows]
        vectors = (
            await model.in_space(space).embed(questions) if model and space else [None] * len(rows)
        )
        for row, question, vector in zip(rows, questions, vectors, strict=True):
            retrieval = await passages.find(PassageQuery(question, vector, reader=OPERATOR))
            other_candidates = [
                candidate
                for candidate in retrieval.candidates
                if candidate.document != row["document_id"]
            ]
            for scores, candidates in (
                (answered_scores, retrieval.candidates),
                (unanswered_scores, other_candidates),
            ):
                ranking = rank(candidates, retrieval.words, retrieval.background)
                scores.append(round(ranking[0].passage.score if ranking else 0.0, 4))
    return Calibration(
        divide(answered_scores, unanswered_scores),
        sorted(answered_scores),
        sorted(unanswered_scores),
    )


def _question(section: str, title: str, line: str) -> str:
    """The chunk's heading if that is not the title, else its first sentence."""
    heading = section.rpartition(SECTION_SEPARATOR)[2]
    return heading if heading != title else line


def divide(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    """The threshold with the fewest questions on the wrong side, in the middle between two scores.

    Source: Youden, Index for rating diagnostic tests, 1950.
    """
    edges = sorted({0.0, *answerable, *unanswerable, 1.0})
    candidates = [(low + high) / 2 for low, high in pairwise(edges)]

    def gain(threshold: float) -> float:
        true_share = sum(score >= threshold for score in answerable) / len(answerable)
        return true_share - sum(score >= threshold for score in unanswerable) / len(unanswerable)

    best = max(candidates, key=gain)
    return round(best, 2)
