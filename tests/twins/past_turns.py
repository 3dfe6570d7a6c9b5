"""Past turns without a database: of a transcript and of decisions in memory."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from rich_agent.ports.turns import StoredTurn, TurnMessages, TurnName, TurnRecord
from tests.twins.conversations import InMemoryTranscript
from tests.twins.knowledge import InMemoryDecisions

_LONG_AGO = datetime.fromtimestamp(0, UTC)


@dataclass(slots=True)
class InMemoryPastTurns:
    """As `PostgresPastTurns`; keeps no times, no ratings and no deliveries."""

    transcript: InMemoryTranscript = field(default_factory=InMemoryTranscript)
    decisions: InMemoryDecisions = field(default_factory=InMemoryDecisions)

    async def find(self, request_id: str, thread_id: str | None = None) -> StoredTurn | None:
        for key, decision in reversed(self.decisions.rows.items()):
            if key[1] == request_id and thread_id in (None, key[0]):
                turn = self.transcript.turns.get(key)
                return StoredTurn(decision, _LONG_AGO, _said(turn) if turn else None)
        return None

    async def latest(self, thread_id: str | None = None, limit: int = 5) -> list[TurnName]:
        newest = [
            TurnName(row.request_id, row.thread_id)
            for row in reversed(self.decisions.rows.values())
            if thread_id in (None, row.thread_id)
        ]
        return newest[:limit]

    async def before(self, turn: StoredTurn, limit: int) -> list[tuple[str, TurnMessages]]:
        if turn.said is None:
            return []
        decision, fresh_from = turn.decision, turn.said.request.get("fresh_from", 0)
        records = [r for r in self.transcript.turns.values() if r.thread_id == decision.thread_id]
        own = [record.request_id for record in records].index(decision.request_id)
        replaced = {record.request.get("replaces") for record in records[: own + 1]}
        found = [
            (record.request_id, _said(record))
            for record in records[:own]
            if record.request.get("fresh_from", 0) == fresh_from
            and record.request_id not in replaced
        ]
        return found[-limit:]


def _said(turn: TurnRecord) -> TurnMessages:
    return TurnMessages(turn.question, turn.answer, turn.request)
