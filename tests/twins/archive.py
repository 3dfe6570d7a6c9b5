"""The archive and the running summary without a database."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from rich_agent.domain.retrieval.search_terms import question_terms, term_counts
from rich_agent.domain.routing.plan import PastQuestion, PastTurn
from rich_agent.domain.words import Words
from rich_agent.ports.turns import Fold, TurnRecord
from tests.twins.conversations import stored_turn
from tests.twins.fences import Fences
from tests.twins.memories import InMemoryMemories


@dataclass(slots=True)
class ArchivedTurn:
    """A row of the archive."""

    turn: TurnRecord
    asked_at: datetime
    awaits_fold: bool


@dataclass(slots=True)
class InMemoryArchive:
    """Implements `Archive`; turns by thread and request, in their order.

    It does not know the transcript: a turn was asked when it was archived.
    """

    memories: InMemoryMemories
    kept: dict[tuple[str, str], ArchivedTurn] = field(default_factory=dict)
    fences: Fences = field(default_factory=Fences)

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

    async def search(self, user_id: int, wanted: PastQuestion, limit: int) -> list[PastTurn]:
        asked = set(question_terms(wanted.query))
        rows = [row for row in self._of(user_id) if _is_wanted(row, wanted, asked)]
        if wanted.order == "oldest":
            found = rows[:limit]
        elif wanted.order == "newest":
            found = rows[-limit:]
        else:
            found = _nearest(rows, asked, limit) if asked else _spread(rows, limit)
        return [_past(row) for row in found]

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
    return PastTurn(row.asked_at, row.turn.question, row.turn.answer, row.turn.meta.get("read"))


def _terms(row: ArchivedTurn) -> set[int]:
    return set(term_counts(f"{row.turn.question}\n{row.turn.answer}"))


def _is_wanted(row: ArchivedTurn, wanted: PastQuestion, asked: set[int]) -> bool:
    day = row.asked_at.astimezone(ZoneInfo(wanted.time_zone)).date()
    return (
        (wanted.since is None or wanted.since <= day)
        and (wanted.until is None or day <= wanted.until)
        and (not asked or bool(asked & _terms(row)))
    )


def _nearest(rows: Sequence[ArchivedTurn], asked: set[int], limit: int) -> list[ArchivedTurn]:
    hits = [asked & _terms(row) for row in rows]
    holding = Counter(term for terms in hits for term in terms)
    scores = [sum(math.log(1 + len(rows) / holding[term]) for term in terms) for terms in hits]
    best = sorted(range(len(rows)), key=lambda place: (scores[place], place))[-limit:]
    return [rows[place] for place in sorted(best)]


def _spread(rows: Sequence[ArchivedTurn], limit: int) -> list[ArchivedTurn]:
    total = len(rows)
    return [
        row
        for place, row in enumerate(rows)
        if place == 0 or place * limit // total > (place - 1) * limit // total
    ]
