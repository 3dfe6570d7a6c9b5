"""Settings of the voice: the models that transcribe and speak, and the choice of spoken answers."""

from rich_agent.feature import Group, ModelRole, RoleSettings, Settings, setting
from rich_agent.features.voice.sound import SpeechMode


class VoiceSettings(Group):
    """Settings for hearing and speaking."""

    transcription: RoleSettings = setting(
        "Model that writes down voice messages, video messages and audio files, such as "
        "`whisper-1`; unset: the bot does not listen.",
        RoleSettings(),
    )
    speech: RoleSettings = setting(
        "Model that reads answers aloud, such as `gpt-4o-mini-tts`; unset: the bot does not speak. "
        "Its server has to give `opus`.",
        RoleSettings(),
    )
    mode: SpeechMode = setting(
        "Which answers are spoken, besides being written: `off`, `in_kind` (those to voice "
        "messages) or `always`. Users can choose otherwise with /voice.",
        "in_kind",
        name="SPEECH",
        changes_at_run_time=True,
    )
    speaker: str = setting("Voice of SPEECH_MODEL.", "alloy", name="SPEECH_VOICE", min_length=1)
    characters: int = setting(
        "Longest text that is read aloud; of a longer answer, the first sentences are.",
        1_000,
        name="SPEECH_CHARACTERS",
        ge=100,
        le=4_000,
        changes_at_run_time=True,
    )


def transcription_role(settings: Settings) -> ModelRole | None:
    """The model that transcribes, None without one. Raises: SettingsError without a key."""
    role_settings = settings.section(VoiceSettings).transcription
    return (
        settings.models.role_with("transcription", role_settings) if role_settings.model else None
    )


def speech_role(settings: Settings) -> ModelRole | None:
    """The model that speaks, None without one. Raises: SettingsError without a key."""
    role_settings = settings.section(VoiceSettings).speech
    return settings.models.role_with("speech", role_settings) if role_settings.model else None
