"""Transcribes recordings.

Equal recordings of a user are transcribed once. The sound is not kept.
"""

import asyncio
import hashlib
from dataclasses import dataclass, field

from rich_agent.feature.errors import UpstreamError, UpstreamRefusedError
from rich_agent.feature.media import Fetch, MediaRefusedError, Medium
from rich_agent.feature.models import Billing, ModelAccountError, Payer, bill_to
from rich_agent.features.voice.models import OpenAITranscriber
from rich_agent.features.voice.repository import VoiceText, VoiceTexts
from rich_agent.features.voice.sound import Sound

_NODE = "hearing"
_AT_ONCE = 8
"""Most recordings in memory at once."""


def _places() -> asyncio.Semaphore:
    return asyncio.Semaphore(_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Dictation:
    """Transcribes recordings, which count for the daily limits of the user."""

    transcriber: OpenAITranscriber
    texts: VoiceTexts
    billing: Billing = field(default_factory=Billing)
    places: asyncio.Semaphore = field(default_factory=_places)

    async def read(self, medium: Medium, fetch: Fetch, payer: Payer) -> str:
        """See `ReadMedium`."""
        if medium.unique_id:
            text = await self._known_words(payer.user_id, unique_id=medium.unique_id)
            if text is not None:
                return text
        async with self.places:
            sound = Sound(await fetch(), medium.name, medium.seconds)
            return await self.write_down(sound, payer, medium.unique_id)

    async def write_down(self, sound: Sound, payer: Payer, unique_id: str = "") -> str:
        """Transcribe a recording. `unique_id` is the messenger's id of it.

        Raises: MediaRefusedError, DailyLimitError, UpstreamError, LaneLostError,
        DatabaseUnavailableError.
        """
        sha256 = hashlib.sha256(sound.data).hexdigest()
        if (words := await self._known_words(payer.user_id, sha256=sha256)) is not None:
            return words
        async with self.billing.of_turn(payer, "") as meter:
            with bill_to(meter, _NODE):
                words = await self._transcribe(sound)
        if not words:
            raise MediaRefusedError("voice-silent", "no words were heard")
        voice_text = VoiceText(sha256, unique_id, words)
        await self.texts.store(payer.user_id, self.transcriber.name, voice_text)
        return words

    async def _known_words(
        self, user_id: int, *, sha256: str = "", unique_id: str = ""
    ) -> str | None:
        name = self.transcriber.name
        return await self.texts.find(user_id, name, sha256=sha256, unique_id=unique_id)

    async def _transcribe(self, sound: Sound) -> str:
        try:
            return await self.transcriber.transcribe(sound)
        except ModelAccountError:
            raise
        except UpstreamError as error:
            is_refused = isinstance(error, UpstreamRefusedError)
            error.phrase = "voice-refused" if is_refused else "voice-unheard"
            raise
