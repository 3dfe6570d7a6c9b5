"""Versions of personas in PostgreSQL. Every method may raise DatabaseUnavailableError."""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.feature import NewWork, PostgresRepository, add_due, fetch_one
from rich_agent.feature.database import NEWS_CHANNEL, OPERATORS, checkout
from rich_agent.features.persona.content import PersonaContent
from rich_agent.features.persona.versions import (
    PREVIEW_WORK,
    NewVersion,
    PersonaVersion,
    PreviewedAnswer,
)

_MOST_LISTED = 20
_COLUMNS = """
id, space, content, picture_type, picture, made_by, made_at, questions, preview, previewed_at
"""
_NEWEST_CHANGE = "SELECT coalesce(max(id), 0) AS id FROM persona_changes"
_CURRENT = """
SELECT DISTINCT ON (space) space, version_id FROM persona_changes ORDER BY space, id DESC
"""
_IN_EFFECT = f"""
SELECT {_COLUMNS} FROM persona_versions
WHERE id IN (SELECT version_id FROM ({_CURRENT}) AS current)
"""
_ADD = """
INSERT INTO persona_versions (space, content, picture_type, picture, made_by)
VALUES (%(space)s, %(content)s, %(picture_type)s, %(picture)s, %(made_by)s) RETURNING id
"""
_FIND = f"SELECT {_COLUMNS} FROM persona_versions WHERE id = %s"
_LIST = f"""
SELECT {_COLUMNS} FROM persona_versions WHERE space = %s ORDER BY id DESC LIMIT {_MOST_LISTED}
"""
_SPACES = "SELECT DISTINCT space FROM persona_versions ORDER BY space"
_WANT_PREVIEW = "UPDATE persona_versions SET questions = %s, preview = '[]' WHERE id = %s"
_NOTE_PREVIEW = """
UPDATE persona_versions SET preview = %(preview)s, previewed_at = CASE
    WHEN %(is_whole)s THEN clock_timestamp() ELSE previewed_at END
WHERE id = %(id)s AND questions = %(questions)s
"""
_NOTE_COMPLETE_PREVIEW = """
UPDATE persona_versions SET questions = %(questions)s, preview = %(preview)s,
    previewed_at = CASE WHEN %(is_whole)s THEN clock_timestamp() ELSE previewed_at END
WHERE id = %(id)s
"""
_PUT_INTO_EFFECT = """
INSERT INTO persona_changes (space, version_id, changed_by)
SELECT space, id, %(by)s FROM persona_versions
WHERE id = %(id)s AND previewed_at IS NOT NULL
"""
_PUT_OUT = "INSERT INTO persona_changes (space, version_id, changed_by) VALUES (%s, NULL, %s)"
_BEFORE = """
SELECT version_id FROM persona_changes WHERE space = %(space)s
    AND version_id IS DISTINCT FROM (
        SELECT version_id FROM persona_changes WHERE space = %(space)s ORDER BY id DESC LIMIT 1
    )
ORDER BY id DESC LIMIT 1
"""
_HAS_CHANGES = "SELECT count(*) AS changes FROM persona_changes WHERE space = %s"
_ALL_SPACES = "SELECT name FROM rag_spaces ORDER BY lower(name)"
_TELL = f"SELECT pg_notify('{NEWS_CHANNEL}', '{OPERATORS}')"


class PersonaVersions(PostgresRepository):
    """Drafts, previews, and the order in which versions were put into effect."""

    async def newest_change(self) -> int:
        """The number of the last change of what is in effect, 0 before the first."""
        return int((await self._one(_NEWEST_CHANGE))["id"])

    async def in_effect(self) -> Sequence[PersonaVersion]:
        """The versions in effect, at most one for the bot and for each space."""
        return [_version(row) for row in await self._rows(_IN_EFFECT)]

    async def add(self, new: NewVersion) -> int:
        """Store a draft; return its id."""
        values = {**new.to_values(), "content": Jsonb(new.content.to_json())}
        return int((await self._one(_ADD, values))["id"])

    async def find(self, version_id: int) -> PersonaVersion | None:
        """A version, None if there is none with this id."""
        row = await self._row(_FIND, (version_id,))
        return _version(row) if row else None

    async def newest(self, space: str) -> Sequence[PersonaVersion]:
        """The newest versions of the bot's own persona, or of a space's, newest first."""
        return [_version(row) for row in await self._rows(_LIST, (space.lower(),))]

    async def spaces(self) -> Sequence[str]:
        """The spaces with versions, in small letters; "" for the bot."""
        return [row["space"] for row in await self._rows(_SPACES)]

    async def want_preview(self, version_id: int, questions: Sequence[str]) -> None:
        """Have questions answered by the next process that is free."""
        async with checkout(self._pool) as connection:
            await connection.execute(_WANT_PREVIEW, (Jsonb([*questions]), version_id))
            await add_due(connection, NewWork(PREVIEW_WORK, str(version_id)))
            await connection.execute(_TELL)

    async def note_preview(
        self, version_id: int, questions: Sequence[str], answers: Sequence[PreviewedAnswer]
    ) -> None:
        """Store answers of the preview with these questions; nothing if others are wanted now."""
        await self._note(_NOTE_PREVIEW, version_id, questions, answers)

    async def note_complete_preview(
        self, version_id: int, answers: Sequence[PreviewedAnswer]
    ) -> None:
        """Store a preview that a command has made."""
        questions = [answer.question for answer in answers]
        await self._note(_NOTE_COMPLETE_PREVIEW, version_id, questions, answers)

    async def _note(
        self,
        query: Any,  # noqa: ANN401 - a literal string
        version_id: int,
        questions: Sequence[str],
        answers: Sequence[PreviewedAnswer],
    ) -> None:
        values = {
            "id": version_id,
            "questions": Jsonb([*questions]),
            "preview": Jsonb([answer.to_json() for answer in answers]),
            "is_whole": len(answers) == len(questions)
            and not any(answer.failure for answer in answers),
        }
        async with checkout(self._pool) as connection:
            await connection.execute(query, values)
            await connection.execute(_TELL)

    async def put_into_effect(self, version_id: int, by: int | None) -> bool:
        """Have the bot speak as a version; False if it was not previewed yet."""
        async with checkout(self._pool) as connection:
            done = await connection.execute(_PUT_INTO_EFFECT, {"id": version_id, "by": by})
            await connection.execute(_TELL)
        return done.rowcount == 1

    async def put_out(self, space: str, by: int | None) -> None:
        """Have no stored persona in effect for the bot, or for a space."""
        async with checkout(self._pool) as connection:
            await connection.execute(_PUT_OUT, (space.lower(), by))
            await connection.execute(_TELL)

    async def go_back(self, space: str, by: int | None) -> bool:
        """Put into effect what was in effect before; False if there was nothing before.

        Before the first version there was none.
        """
        async with checkout(self._pool) as connection:
            key = space.lower()
            if (await fetch_one(connection, _HAS_CHANGES, (key,)))["changes"] == 0:
                return False
            row = await (await connection.execute(_BEFORE, {"space": key})).fetchone()
            version_id = row["version_id"] if row else None
            if version_id is None:
                await connection.execute(_PUT_OUT, (key, by))
            else:
                await connection.execute(_PUT_INTO_EFFECT, {"id": version_id, "by": by})
            await connection.execute(_TELL)
        return True


class SpaceNames(PostgresRepository):
    """The names of all spaces, for the operator."""

    async def all_of_them(self) -> Sequence[str]:
        """The names in the order of the alphabet."""
        return [row["name"] for row in await self._rows(_ALL_SPACES)]


def _version(row: Mapping[str, Any]) -> PersonaVersion:
    # It was checked when it was stored; limits of a later program do not take it out of effect.
    return PersonaVersion(
        row["id"],
        row["space"],
        PersonaContent.stored(row["content"]),
        (row["picture_type"], bytes(row["picture"])) if row["picture"] is not None else None,
        row["made_by"],
        row["made_at"],
        tuple(row["questions"]),
        tuple(map(PreviewedAnswer.from_json, row["preview"])),
        row["previewed_at"],
    )
