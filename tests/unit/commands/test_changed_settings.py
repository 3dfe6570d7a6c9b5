"""The part of `rich-agent doctor` about settings that were changed while the bot ran."""

import pytest

from rich_agent.commands.doctor import _tell_changed_settings
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings


def test_doctor_tells_changed_settings_and_those_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """Nothing without a change; a value that does not pass any more is a warning with a way out."""
    monkeypatch.chdir(str(tmp_path))
    live = LiveSettings(Settings.load())
    assert _tell_changed_settings(live) == []
    live.take({"DAILY_TOKENS": "5"})
    (result,) = _tell_changed_settings(live)
    assert (result.level, result.ok) == ("ok", True)
    assert "DAILY_TOKENS" in result.detail
    live.take({"DAILY_TOKENS": "5", "DAILY_IMAGES": "many"})
    (result,) = _tell_changed_settings(live)
    assert (result.level, result.ok) == ("warn", True)
    assert "DAILY_IMAGES: “many” is not a whole number" in result.detail
    assert "`rich-agent settings unset DAILY_IMAGES`" in result.hint
