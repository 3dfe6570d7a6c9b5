"""Transcripts of users' recordings, and the users' choices of spoken answers, in PostgreSQL."""

from dataclasses import dataclass

from rich_agent.feature.database import PostgresRepository, clean_text, telling_pages
from rich_agent.features.voice.sound import SpeechMode

_FIND = """
SELECT words FROM heard_recordings
WHERE user_id = %(user_id)s AND model = %(model)s AND (
    sha256 = %(sha256)s OR (unique_id = %(unique_id)s AND unique_id <> '')
)
LIMIT 1
"""
_STORE = """
INSERT INTO heard_recordings (user_id, sha256, model, unique_id, words)
VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
_CHOOSE = telling_pages("""
INSERT INTO voice_choices (user_id, speech) VALUES (%s, %s)
ON CONFLICT (user_id) DO UPDATE SET speech = excluded.speech
""")


@dataclass(frozen=True, slots=True)
class VoiceText:
    """The words of a recording.

    `sha256`: the hash of its bytes.
    `unique_id`: the messenger's id of it.
    """

    sha256: str
    unique_id: str
    words: str


class VoiceTexts(PostgresRepository):
    """The words of users' recordings.

    The sound is not kept. Every method may raise DatabaseUnavailableError.
    """

    async def find(
        self, user_id: int, model: str, *, sha256: str = "", unique_id: str = ""
    ) -> str | None:
        """The words of a recording, by its hash or the messenger's id; None for a new recording."""
        parameters = {"user_id": user_id, "model": model, "sha256": sha256, "unique_id": unique_id}
        row = await self._row(_FIND, parameters)
        return str(row["words"]) if row else None

    async def store(self, user_id: int, model: str, text: VoiceText) -> None:
        """Store the words of a recording, if it has none yet. Raises: LaneLostError."""
        parameters = (user_id, text.sha256, model, text.unique_id, clean_text(text.words))
        await self._run_in_lane(_STORE, parameters)


class VoiceChoices(PostgresRepository):
    """Users' choices of spoken answers. Every method may raise DatabaseUnavailableError."""

    async def find(self, user_id: int) -> SpeechMode | None:
        """The choice of a user, None if the operator's default applies."""
        query = "SELECT speech FROM voice_choices WHERE user_id = %s"
        row = await self._row(query, (user_id,))
        return row["speech"] if row else None

    async def choose(self, user_id: int, speech: SpeechMode) -> None:
        """Store a choice."""
        await self._run(_CHOOSE, (user_id, speech))
