"""The settings of voice messages: what writes them down, what speaks, and how much of both."""

from pydantic import Field

from rich_agent.domain.voice import SpeechMode
from rich_agent.settings.models import KEY, ModelSettings
from rich_agent.settings.types import (
    Count,
    OptionalSecret,
    OptionalText,
    OptionalUrl,
    Parameters,
)

_SERVED = "Where it is served; unset: OPENAI_BASE_URL."
_MORE = "Further parameters of its requests, as JSON"


class VoiceSettings(ModelSettings):
    """Settings for hearing and speaking. Both use models of an OpenAI-compatible server."""

    # Voice
    transcription_model: OptionalText = Field(
        None,
        description="Model that writes down voice messages, video messages and audio files, such "
        "as `whisper-1`; unset: the bot does not listen.",
    )
    transcription_base_url: OptionalUrl = Field(None, description=_SERVED)
    transcription_api_key: OptionalSecret = Field(None, description=KEY)
    transcription_parameters: Parameters = Field(
        {}, description=_MORE + ': `{"language": "en", "prompt": "Solana, Drift"}`.'
    )
    speech_model: OptionalText = Field(
        None,
        description="Model that reads answers aloud, such as `gpt-4o-mini-tts`; unset: the bot "
        "does not speak. Its server has to give `opus`.",
    )
    speech_base_url: OptionalUrl = Field(None, description=_SERVED)
    speech_api_key: OptionalSecret = Field(None, description=KEY)
    speech_parameters: Parameters = Field({}, description=_MORE + ': `{"speed": 1.1}`.')
    speech_voice: str = Field("alloy", min_length=1, description="Voice of SPEECH_MODEL.")
    speech: SpeechMode = Field(
        "in_kind",
        description="Which answers are spoken, besides being written: `off`, `in_kind` (those to "
        "voice messages) or `always`. Users can choose otherwise with /voice.",
    )
    speech_characters: int = Field(
        1_000,
        ge=100,
        le=4_000,
        description="Longest text that is read aloud; of a longer answer, the first sentences are.",
    )
    daily_audio_seconds: Count = Field(
        0,
        ge=0,
        description="Seconds of sound per user and day, heard and spoken; 0: no limit.",
    )
