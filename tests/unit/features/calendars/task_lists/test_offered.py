"""Whether an installation lets users connect task lists."""

import sys

import pytest
from pydantic import SecretStr

from rich_agent.composition.seals import make_seal
from rich_agent.features.calendars import can_connect
from rich_agent.features.calendars.task_lists.opening import missing_for_lists
from rich_agent.settings.settings import Settings
from rich_agent.settings.storage import StorageSettings

KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="


def settings(key: str | None = KEY) -> Settings:
    """The settings of an installation."""
    given = StorageSettings(credentials_key=SecretStr(key) if key else None)
    return Settings(storage=given)


@pytest.mark.parametrize("library", ["icalendar", "cryptography"])
def test_lists_are_not_offered_without_the_extra(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The libraries are optional, and nothing of them is loaded."""
    assert can_connect(settings())
    monkeypatch.setitem(sys.modules, library, None)
    assert missing_for_lists(settings()) == "extra"
    assert not can_connect(settings())
    assert (make_seal(settings()) is None) == (library == "cryptography")


def test_lists_are_not_offered_without_a_key() -> None:
    """A password is never stored in the clear."""
    assert missing_for_lists(settings(None)) == "key"
    assert missing_for_lists(settings("")) == "key"
    assert missing_for_lists(settings()) == ""
    assert not can_connect(settings(None))


def test_every_key_of_a_list_is_a_secret() -> None:
    """Each by itself is left out of the log."""
    other = KEY.replace("M", "N")
    loaded = settings(f"{KEY}, {other}")
    assert loaded.storage.credentials_keys == (KEY, other)
    assert {KEY, other} <= loaded.secrets
