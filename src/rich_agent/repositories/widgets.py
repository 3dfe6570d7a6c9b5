"""Records of widgets, in PostgreSQL."""

from psycopg.types.json import Jsonb

from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.ports.widgets import SentWidget, WidgetPlace
from rich_agent.repositories.database.fences import IS_HELD, LANE
from rich_agent.repositories.database.repository import PostgresRepository

_NOTE = """
INSERT INTO telegram_widgets (chat_id, message_id, topic_id, block)
VALUES (%s, %s, %s, %s)
ON CONFLICT (chat_id, message_id) DO UPDATE SET block = excluded.block, state = ''
"""
_IS_IT = "WHERE chat_id = %s AND message_id = %s"
_NOTE_STATE = f"""
WITH {LANE}
UPDATE telegram_widgets SET state = %(state)s
WHERE chat_id = %(chat_id)s AND message_id = %(message_id)s AND {IS_HELD}
"""
_REFUSE = """
INSERT INTO telegram_widget_refusals (chat_id) VALUES (%s)
ON CONFLICT (chat_id) DO UPDATE SET refused_at = clock_timestamp()
"""
_REFUSED = """
SELECT FROM telegram_widget_refusals
WHERE chat_id = %s AND refused_at > clock_timestamp() - interval '7 days'
"""

_WAITING = """
SELECT raw FROM telegram_inbox
WHERE done_at IS NULL AND dead_at IS NULL
    AND received_at <= clock_timestamp() - make_interval(secs => %(waited_s)s)
    AND received_at > clock_timestamp() - make_interval(secs => %(waited_s)s + %(within_s)s)
    AND position('"widget_query"'::bytea IN raw) > 0
LIMIT 1000
"""


class PostgresWidgets(PostgresRepository):
    """Implements `SentWidgets`."""

    async def note(self, place: WidgetPlace, message_id: int, block: LivingBlock) -> None:
        written = Jsonb(block.to_json())
        await self._run(_NOTE, (place.chat_id, message_id, place.topic_id, written))

    async def note_state(self, chat_id: int, message_id: int, state: str) -> None:
        values = {"state": state, "chat_id": chat_id, "message_id": message_id}
        await self._run_with_fence(_NOTE_STATE, values)

    async def find(self, chat_id: int, message_id: int) -> SentWidget | None:
        statement = f"SELECT block, state, topic_id FROM telegram_widgets {_IS_IT}"
        row = await self._row(statement, (chat_id, message_id))
        if row is None:
            return None
        return SentWidget(LivingBlock.from_json(row["block"]), row["state"], row["topic_id"])

    async def forget(self, chat_id: int, message_id: int) -> None:
        await self._run(f"DELETE FROM telegram_widgets {_IS_IT}", (chat_id, message_id))

    async def waiting_queries(self, waited_s: float, within_s: float) -> list[bytes]:
        rows = await self._rows(_WAITING, {"waited_s": waited_s, "within_s": within_s})
        return [row["raw"] for row in rows]

    async def refuse(self, chat_id: int) -> None:
        await self._run(_REFUSE, (chat_id,))

    async def are_refused(self, chat_id: int) -> bool:
        return await self._row(_REFUSED, (chat_id,)) is not None
