"""The schedule and the tasks of a user, as entries of a calendar."""

from collections.abc import Sequence
from datetime import date

from rich_agent.feature import DatedEntry, PostgresRepository
from rich_agent.feature.database import checkout, fetch_all
from rich_agent.feature.day import MOST_DATED_ENTRIES

_BLOCKS = """
SELECT 'block-' || block.id AS uid, coalesce(task.title, block.title) AS title,
    starts_at AS starts, ends_at AS ends, greatest(block.created_at, task.updated_at) AS changed_at
FROM schedule_blocks AS block
LEFT JOIN tasks AS task ON task.id = task_id AND task.user_id = block.user_id
WHERE block.user_id = %(user_id)s AND starts_at < %(until)s AND ends_at > %(since)s
ORDER BY starts_at LIMIT %(limit)s
"""
_TASKS = """
SELECT 'task-' || id AS uid, title, description, due_date AS starts, due_date + 1 AS ends,
    recurrence AS rule, updated_at AS changed_at
FROM tasks
WHERE user_id = %(user_id)s AND deleted_at IS NULL AND NOT is_archived AND status <> 'done'
    AND due_date < %(until)s AND (due_date >= %(since)s OR recurrence <> '')
ORDER BY due_date, id LIMIT %(limit)s
"""


class PostgresDatedPlans(PostgresRepository):
    """The blocks of the schedule, and the tasks on their days."""

    async def entries(self, user_id: int, since: date, until: date) -> Sequence[DatedEntry]:
        """The entries of the days, as `DatedEntries` describes.

        A recurring task is included however long it has been due.
        """
        values = {"user_id": user_id, "since": since, "until": until, "limit": MOST_DATED_ENTRIES}
        async with checkout(self._pool) as connection:
            blocks = await fetch_all(connection, _BLOCKS, values)
            tasks = await fetch_all(connection, _TASKS, values)
        return [
            *(DatedEntry(category="Schedule", is_busy=True, **row) for row in blocks),
            *(DatedEntry(category="Task", **row) for row in tasks),
        ]
