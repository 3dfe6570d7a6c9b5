"""The archive and the running summary without a database."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from statistics import fmean, pstdev
from zoneinfo import ZoneInfo

from rich_agent.domain.memory.past_search import TurnScores, nearest
from rich_agent.domain.retrieval.fusion import Background, impacts, word_query
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import question_terms, question_words, term_counts
from rich_agent.domain.routing.plan import PastQuestion, PastTurn
from rich_agent.domain.words import Words
from rich_agent.ports.turns import Fold, Meaning, TurnRecord
from tests.twins.conversations import stored_turn
from tests.twins.fences import Fences
from tests.twins.memories import InMemoryMemories


@dataclass(slots=True)
class ArchivedTurn:
    """A row of the archive."""

    turn: TurnRecord
    asked_at: datetime
    awaits_fold: bool
    space: VectorSpace | None = None
    vector: Sequence[float] = ()


@dataclass(slots=True)
class InMemoryArchive:
    """Implements `Archive`; turns by thread and request, in their order.

    It does not know the transcript: a turn was asked when it was archived.
    """

    memories: InMemoryMemories
    kept: dict[tuple[str, str], ArchivedTurn] = field(default_factory=dict)
    fences: Fences = field(default_factory=Fences)
    languages: dict[VectorSpace, Sequence[LanguageTrust]] = field(default_factory=dict)

    async def keep(self, turns: Sequence[TurnRecord], *, awaits_fold: bool = False) -> None:
        self.fences.check()
        for turn in turns:
            known = self.kept.setdefault(
                (turn.thread_id, turn.request_id),
                ArchivedTurn(stored_turn(turn), datetime.now(UTC), awaits_fold),
            )
            known.awaits_fold = known.awaits_fold and awaits_fold

    async def to_fold(self, user_id: int, leaving: Sequence[TurnRecord]) -> list[TurnRecord]:
        awaiting = [row.turn for row in self._of(user_id) if row.awaits_fold][:100]
        new = [turn for turn in leaving if (turn.thread_id, turn.request_id) not in self.kept]
        return [*awaiting, *new]

    async def fold(self, user_id: int, fold: Fold) -> bool:
        self.fences.check()
        memory = await self.memories.load(user_id)
        if memory.conversation_summary != fold.before:
            return False
        await self.keep(fold.turns)
        await self._write(user_id, fold.after, fold.words)
        return True

    async def begin_anew(self, user_id: int, turns: Sequence[TurnRecord]) -> None:
        await self.keep(turns)
        for row in self._of(user_id):
            row.awaits_fold = False
        await self._write(user_id, "")

    async def awaiting(self, user_id: int, limit: int) -> list[PastTurn]:
        return [_past(row) for row in self._of(user_id) if row.awaits_fold][-limit:]

    async def search(
        self, user_id: int, wanted: PastQuestion, limit: int, meaning: Meaning | None = None
    ) -> list[PastTurn]:
        asked = set(question_terms(wanted.query))
        rows = [row for row in self._of(user_id) if _is_wanted(row, wanted)]
        if wanted.order == "nearest":
            found = _nearest(rows, wanted, limit, meaning) if asked else _spread(rows, limit)
        else:
            holding = [row for row in rows if not asked or asked & _terms(row)]
            found = holding[:limit] if wanted.order == "oldest" else holding[-limit:]
        return [_past(row) for row in found]

    async def turns(self, user_id: int, requests: Sequence[str]) -> list[PastTurn]:
        return [_past(row) for row in self._of(user_id) if row.turn.request_id in requests]

    async def without_vector(
        self, user_id: int, space: VectorSpace, limit: int
    ) -> Mapping[int, str]:
        rows = [row for row in self._of(user_id) if row.space != space][:limit]
        return {id(row): f"{row.turn.question}\n{row.turn.answer}".strip() for row in rows}

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[int, Sequence[float]]
    ) -> None:
        self.fences.check()
        for row in self._of(user_id):
            if id(row) in vectors:
                row.space, row.vector = space, tuple(vectors[id(row)])

    async def with_vector(
        self, user_id: int, space: VectorSpace, limit: int
    ) -> Sequence[tuple[str, Sequence[float]]]:
        rows = [row for row in self._of(user_id) if row.space == space][-limit:]
        return [(row.turn.question, row.vector) for row in rows]

    async def trusts(self, space: VectorSpace) -> Sequence[LanguageTrust]:
        return self.languages.get(space, ())

    async def note_trusts(self, space: VectorSpace, learned: Sequence[LanguageTrust]) -> None:
        self.languages[space] = learned

    async def _write(self, user_id: int, summary: str, words: tuple[Words, ...] = ()) -> None:
        at = datetime.now(UTC).isoformat() if summary else None
        await self.memories.change(
            user_id,
            lambda memory: replace(
                memory, conversation_summary=summary, summary_updated_at=at, summary_words=words
            ),
        )

    def _of(self, user_id: int) -> list[ArchivedTurn]:
        return [row for row in self.kept.values() if row.turn.user_id == user_id]


def _past(row: ArchivedTurn) -> PastTurn:
    turn = row.turn
    read = turn.meta.get("read")
    return PastTurn(row.asked_at, turn.question, turn.answer, read, turn.request_id)


def _terms(row: ArchivedTurn) -> set[int]:
    return set(term_counts(f"{row.turn.question}\n{row.turn.answer}"))


def _is_wanted(row: ArchivedTurn, wanted: PastQuestion) -> bool:
    day = row.asked_at.astimezone(ZoneInfo(wanted.time_zone)).date()
    return (wanted.since is None or wanted.since <= day) and (
        wanted.until is None or day <= wanted.until
    )


def _nearest(
    rows: Sequence[ArchivedTurn], wanted: PastQuestion, limit: int, meaning: Meaning | None
) -> list[ArchivedTurn]:
    """The nearest of the rows; each is scored by itself, without those next to it."""
    counts = [term_counts(f"{row.turn.question}\n{row.turn.answer}") for row in rows]
    holding = Counter(term for one in counts for term in one)
    words = word_query(question_words(wanted.query, None), holding, len(rows))
    scored = [
        TurnScores(
            place,
            sum(words.weights.get(term, 0.0) * share for term, share in impacts(one).items()),
            _similarity(row, meaning),
            frozenset(one.keys() & words.weights.keys()),
        )
        for place, (row, one) in enumerate(zip(rows, counts, strict=True))
    ]
    near = [one.vector for one in scored if one.vector is not None]
    background = (
        Background.of_sample(len(near), fmean(near), pstdev(near)) if meaning and near else None
    )
    found = [one for one in scored if one.matched or one.vector is not None]
    return [rows[place] for place in sorted(nearest(found, words, background, limit))]


def _similarity(row: ArchivedTurn, meaning: Meaning | None) -> float | None:
    if meaning is None or row.space != meaning.space:
        return None
    return sum(a * b for a, b in zip(row.vector, meaning.vector, strict=True))


def _spread(rows: Sequence[ArchivedTurn], limit: int) -> list[ArchivedTurn]:
    total = len(rows)
    return [
        row
        for place, row in enumerate(rows)
        if place == 0 or place * limit // total > (place - 1) * limit // total
    ]
