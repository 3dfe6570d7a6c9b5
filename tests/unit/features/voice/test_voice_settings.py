"""The settings of the voice, under the names that they always had."""

from collections.abc import Callable

import pytest

from rich_agent.composition.features import OpenFeatures
from rich_agent.composition.menus import make_menu
from rich_agent.domain.model_role import ModelRole
from rich_agent.features.voice import feature
from rich_agent.features.voice.settings import VoiceSettings, speech_role, transcription_role
from rich_agent.settings.settings import Settings


@pytest.mark.parametrize(
    ("name", "role_of"), [("TRANSCRIPTION", transcription_role), ("SPEECH", speech_role)]
)
def test_role_of_a_voice_sends_the_common_key_to_no_other_host(
    monkeypatch: pytest.MonkeyPatch, name: str, role_of: Callable[[Settings], ModelRole | None]
) -> None:
    """A server of its own gets its own key, or none."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-common")
    monkeypatch.setenv(f"{name}_MODEL", "one-of-theirs")
    common = role_of(Settings.load())
    assert common
    assert common.api_key == "sk-common"
    monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:8000/v1")
    role = role_of(Settings.load())
    assert role
    assert (role.model, role.api_key) == ("one-of-theirs", "none")
    assert role.key_setting == f"{name}_API_KEY"


def test_settings_of_a_voice_keep_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings of speech begin with its word, and one is that word."""
    monkeypatch.setenv("SPEECH", "always")
    monkeypatch.setenv("SPEECH_VOICE", "nova")
    monkeypatch.setenv("SPEECH_CHARACTERS", "200")
    section = Settings.load().section(VoiceSettings)
    assert (section.mode, section.speaker, section.characters) == ("always", "nova", 200)


def test_menu_offers_the_voice_where_a_model_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the command could only say which setting is missing."""
    features = OpenFeatures(menu=feature.menu)
    assert "voice" in make_menu(Settings.load(), features).unavailable
    monkeypatch.setenv("SPEECH_MODEL", "one-that-speaks")
    assert "voice" not in make_menu(Settings.load(), features).unavailable
