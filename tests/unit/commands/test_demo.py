"""Settings that the demo gives to the bot."""

from pathlib import Path

import pytest

from rich_agent.commands.demo import _stand_ins
from rich_agent.settings.settings import Settings, all_settings

URL = "http://127.0.0.1:8080"


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the machine's own environment or `.env` is read."""
    for name in all_settings():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_stand_ins_serve_what_is_not_configured() -> None:
    """A feature says what its settings are there; nothing of it is set by halves."""
    stand_ins = _stand_ins(Settings.load(), URL)
    assert stand_ins == {
        one.name: one.demo.format(sandbox=URL) for one in all_settings().values() if one.demo
    }
    assert f"{URL}/tavily" in stand_ins.values()


def test_stand_ins_leave_what_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of its own are used, at the address that belongs to them."""
    for one in all_settings().values():
        if one.demo and one.is_secret:
            monkeypatch.setenv(one.name, "of-mine")
    assert _stand_ins(Settings.load(), URL) == {}
