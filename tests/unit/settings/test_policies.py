"""Policies for tools, as an operator writes them."""

from pathlib import Path

import pytest

from rich_agent.errors import InvalidSettingsError
from rich_agent.settings.settings import Settings


@pytest.fixture(autouse=True)
def _scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("value", ["[]", "{", '{"a": "never"}', '{"a": 1}'])
def test_settings_refuse_policies_that_are_none(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example shows how they are written."""
    monkeypatch.setenv("TOOL_POLICIES", value)
    with pytest.raises(InvalidSettingsError, match="TOOL_POLICIES") as raised:
        Settings.load()
    assert '{"search_web": "ask"}' in raised.value.explain()


def test_settings_read_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    """None without the setting, or if it is empty."""
    assert Settings.load().tools.policies == {}
    monkeypatch.setenv("TOOL_POLICIES", "")
    assert Settings.load().tools.policies == {}
    monkeypatch.setenv("TOOL_POLICIES", '{"a": "ask", "b__c": "auto"}')
    assert Settings.load().tools.policies == {"a": "ask", "b__c": "auto"}
