"""The models and settings of the voice as an operator sees and changes them."""

from unittest.mock import AsyncMock, MagicMock

import pytest

from rich_agent.domain.answer.citation import Answer
from rich_agent.features.voice.settings import VoiceSettings
from rich_agent.features.voice.speaking import VoiceAnswers
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.overview import list_models, list_settings
from rich_agent.settings.settings import Settings, all_settings


def test_models_and_settings_of_the_voice_are_listed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """Its models stand among those of all roles, its settings under its name."""
    monkeypatch.chdir(str(tmp_path))
    settings = Settings.load(transcription_model="whisper-1")
    models = [(one.role, one.model) for one in list_models(settings)]
    assert models[-1] == ("transcription", "whisper-1")
    groups = {state.name: state.group for state in list_settings(LiveSettings(settings))}
    assert groups["SPEECH"] == "Voice"


async def test_settings_of_the_voice_change_while_the_bot_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """Each that is marked: which answers are spoken, and how much of them."""
    monkeypatch.chdir(str(tmp_path))
    marked = {name for name, one in all_settings().items() if one.changes_at_run_time}
    assert {"SPEECH", "SPEECH_CHARACTERS"} == {
        name for name in marked if all_settings()[name].path[:2] == ("sections", "voice")
    }
    live = LiveSettings(Settings.load(speech_model="tts"))
    choices = MagicMock(find=AsyncMock(return_value=None))
    answers = VoiceAnswers(
        MagicMock(), choices, MagicMock(), lambda: live.now.section(VoiceSettings)
    )
    answer, target = Answer("A sentence of words. " * 40), MagicMock(is_of_media=False, locale="en")
    assert await answers.follow_up(answer, target) is None
    live.take({"SPEECH": "always"})
    whole = await answers.follow_up(answer, target)
    assert whole
    live.take({"SPEECH": "always", "SPEECH_CHARACTERS": "100"})
    short = await answers.follow_up(answer, target)
    assert short
    assert len(short.words) < len(whole.words)
