"""Merges the entries of a task list with the tasks, and finds the tasks to push."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from rich_agent.feature.database import Connection, add_notice, fetch_all, fetch_one
from rich_agent.feature.times import day_at
from rich_agent.features.agenda.public import project_tasks
from rich_agent.features.calendars.task_lists.conflicts import (
    TASK_FIELDS,
    apply_fields,
    create_task,
    place_task,
)
from rich_agent.features.calendars.task_lists.entries import (
    GONE,
    Fields,
    Sides,
    TaskEntry,
    changed_fields,
)
from rich_agent.features.calendars.task_lists.ports import (
    FEATURE,
    REPLACED_NOTICE,
    EntryNews,
    HeldConnection,
    Merged,
    PendingPush,
)

# An entry that was never seen on the server is known by its uid.
_KNOWN = f"""
SELECT entry.id, href, etag, uid, task_id, ours, theirs, {TASK_FIELDS} AS task
FROM caldav_entries AS entry LEFT JOIN tasks AS task ON task.id = task_id
WHERE entry.user_id = %(user_id)s
    AND (href = ANY(%(hrefs)s) OR (etag = '' AND uid = ANY(%(uids)s)))
"""
_ADD = """
INSERT INTO caldav_entries (user_id, task_id, uid, href, etag, ours, theirs)
VALUES (%(user_id)s, %(task_id)s, %(uid)s, %(href)s, %(etag)s, %(ours)s, %(theirs)s)
ON CONFLICT (user_id, href) DO UPDATE
SET task_id = excluded.task_id, uid = excluded.uid, etag = excluded.etag, ours = excluded.ours,
    theirs = excluded.theirs, conflict = NULL
RETURNING id
"""
_SEE = """
UPDATE caldav_entries SET href = %(href)s, etag = %(etag)s, theirs = %(theirs)s, conflict = NULL
WHERE id = %(id)s
"""
# An entry that is gone is no task any more, until the user takes that back.
_REPLACE = """
UPDATE caldav_entries SET href = %(href)s, etag = %(etag)s, conflict = %(conflict)s,
    theirs = CASE WHEN %(is_gone)s THEN '{}' ELSE %(theirs)s END,
    ours = CASE WHEN %(is_gone)s THEN NULL ELSE ours END,
    update_id = %(number)s
WHERE id = %(id)s
"""
_SET_OURS = f"""
UPDATE caldav_entries AS entry SET ours = {TASK_FIELDS}
FROM tasks AS task WHERE task.id = entry.task_id AND entry.id = ANY(%s)
"""
_DROP = "DELETE FROM caldav_entries WHERE id = %(id)s"
_NAME_NEW = """
WITH new AS MATERIALIZED (
    SELECT id, gen_random_uuid()::text AS uid FROM tasks
    WHERE user_id = %(user_id)s AND deleted_at IS NULL AND NOT is_archived AND status <> 'done'
        AND NOT EXISTS (SELECT FROM caldav_entries WHERE task_id = tasks.id)
)
INSERT INTO caldav_entries (user_id, task_id, uid, href, ours)
SELECT %(user_id)s, id, uid, %(path)s || uid || '.ics', '{}' FROM new
"""
_PUSHES = f"""
SELECT id, uid, href, etag, task, ours FROM (
    SELECT entry.id, uid, href, etag, ours, {TASK_FIELDS} AS task
    FROM caldav_entries AS entry LEFT JOIN tasks AS task ON task.id = task_id
    WHERE entry.user_id = %(user_id)s AND ours IS NOT NULL
) AS entry
WHERE ours <> task OR etag = '' ORDER BY id
"""
_PUSHED = """
UPDATE caldav_entries
SET etag = %(etag)s, ours = %(ours)s, theirs = %(theirs)s, conflict = NULL
WHERE id = %(id)s
"""


async def merge(connection: Connection, holding: HeldConnection, news: EntryNews) -> Merged:
    """See `TaskListConnections.merge`; in a transaction that holds the connection."""
    values = {"user_id": holding.user_id, "path": urlsplit(holding.url).path.rstrip("/") + "/"}
    merging = _Merging(connection, holding.user_id, day_at(datetime.now(UTC), holding.time_zone))
    await merging.take_in(news)
    if merging.has_changed:
        await project_tasks(connection, holding.user_id, author=FEATURE)
    await connection.execute(_NAME_NEW, values)
    if news.tag is not None:
        await connection.execute(
            "UPDATE caldav_connections SET tag = %s WHERE user_id = %s", (news.tag, holding.user_id)
        )
    rows = await fetch_all(connection, _PUSHES, values)
    pushes = [PendingPush(**row) for row in rows]
    return Merged([one for one in pushes if _is_due(one)])


def _is_due(push: PendingPush) -> bool:
    """Whether there is something to push; a finished task without an entry needs none."""
    if push.etag or push.task.get("is_deleted"):
        return bool(changed_fields(push.ours, push.task)) or not push.etag
    return push.task["status"] != "done" and not push.task["is_archived"]


async def note_push(connection: Connection, push: PendingPush, entry: TaskEntry) -> None:
    """Record the state of task and entry after a push."""
    theirs = {**(entry.fields or push.task), "project": push.task["project"]}
    values = {"id": push.id, "etag": entry.etag}
    await connection.execute(_PUSHED, {**values, "ours": Jsonb(push.task), "theirs": Jsonb(theirs)})


@dataclass(slots=True)
class _Merging:
    """Takes news in, with a notice of each replaced task; `row_ids`: entries with a new task."""

    connection: Connection
    user_id: int
    today: date
    row_ids: list[int] = field(default_factory=list)
    has_changed: bool = False

    async def take_in(self, news: EntryNews) -> None:
        if not news.changed and not news.gone:
            return
        values = {
            "user_id": self.user_id,
            "hrefs": [*news.gone, *(one.href for one in news.changed)],
            "uids": [one.uid for one in news.changed if one.uid],
        }
        rows = await fetch_all(self.connection, _KNOWN, values)
        row_by_href = {row["href"]: row for row in rows}
        row_by_uid = {row["uid"]: row for row in rows if not row["etag"]}
        projects = "SELECT name FROM projects WHERE user_id = %(user_id)s"
        project_names = {row["name"] for row in await fetch_all(self.connection, projects, values)}
        ids_and_parents: list[tuple[int, str]] = []
        for entry in news.changed:
            entry_row = row_by_href.get(entry.href) or row_by_uid.get(entry.uid)
            fields = _whole(entry, project_names)
            if entry_row is None or entry_row["ours"] is None:
                new_id = await self._add(entry, fields)
                ids_and_parents += (
                    [(new_id, fields["parent"])] if new_id and fields["parent"] else []
                )
            elif entry.fields is not None:
                await self._meet(entry_row, entry.href, entry.etag, fields)
        for href in news.gone:
            if href in row_by_href:
                await self._meet(row_by_href[href], href, "", GONE)
        for task_id, parent in ids_and_parents:
            await place_task(self.connection, self.user_id, task_id, parent)
        await self.connection.execute(_SET_OURS, (self.row_ids,))

    async def _add(self, entry: TaskEntry, fields: Fields) -> int | None:
        """The task of a new entry; None if it becomes no task: unreadable, or done already."""
        values = {"user_id": self.user_id, "uid": entry.uid, "href": entry.href, "etag": entry.etag}
        if not entry.is_open:
            none = {"task_id": None, "ours": None, "theirs": Jsonb({})}
            await fetch_one(self.connection, _ADD, {**values, **none})
            return None
        task_id = await create_task(self.connection, self.user_id, fields)
        states = {"task_id": task_id, "ours": Jsonb({}), "theirs": Jsonb(fields)}
        self.row_ids.append((await fetch_one(self.connection, _ADD, {**values, **states}))["id"])
        self.has_changed = True
        return task_id

    async def _meet(self, row: DictRow, href: str, etag: str, entry: Fields) -> None:
        """Bring a task and what became of its entry together."""
        values = {"id": row["id"], "href": href, "etag": etag, "theirs": Jsonb(dict(entry))}
        is_gone = bool(entry.get("is_deleted"))
        if row["task_id"] is None or row["ours"] is None:
            # The task is gone for good.
            await self.connection.execute(_DROP if is_gone else _SEE, values)
            return
        sides = Sides(row["ours"], row["task"], row["theirs"], entry)
        verdict = sides.weigh()
        if verdict == "replace":
            await self._replace(row, values, entry)
            return
        if verdict == "take":
            fields = changed_fields(row["theirs"], entry)
            await apply_fields(self.connection, self.user_id, row["task_id"], fields, self.today)
            self.has_changed = True
        if is_gone:
            await self.connection.execute(_DROP, values)
            return
        await self.connection.execute(_SEE, values)
        if verdict in {"take", "agree"}:
            self.row_ids.append(row["id"])

    async def _replace(self, row: DictRow, values: dict[str, Any], entry: Fields) -> None:
        """Take the entry, and keep the task as it was for the notice and its Undo."""
        fields = changed_fields(row["task"], entry)
        await apply_fields(self.connection, self.user_id, row["task_id"], fields, self.today)
        is_gone = bool(entry.get("is_deleted"))
        conflict = Jsonb({"task": row["task"], "entry": dict(entry)})
        number = await add_notice(self.connection, self.user_id, REPLACED_NOTICE)
        parameters = {**values, "conflict": conflict, "is_gone": is_gone, "number": number}
        await self.connection.execute(_REPLACE, parameters)
        self.row_ids += [] if is_gone else [row["id"]]
        self.has_changed = True


def _whole(entry: TaskEntry, projects: set[str]) -> dict[str, Any]:
    """The fields of an entry, of whose categories one may be a project."""
    project = next((name for name in entry.categories if name in projects), None)
    return {**(entry.fields or {}), "project": project, "is_deleted": False}
