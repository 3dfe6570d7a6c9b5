"""The models and settings of the voice as an operator sees them."""

import pytest

from rich_agent.settings.live import LiveSettings
from rich_agent.settings.overview import list_models, list_settings
from rich_agent.settings.settings import Settings


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
