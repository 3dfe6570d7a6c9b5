"""Whether an installation offers calendars, and under which address."""

import sys

import pytest

from rich_agent.features.calendars import can_publish
from rich_agent.features.calendars.endpoint import feed_address
from rich_agent.settings.settings import Settings
from rich_agent.settings.web import WebSettings


def address(**values: str) -> str | None:
    """The address of the token `t`, None if no calendars are offered."""
    settings = Settings(web=WebSettings.model_validate(values))
    return feed_address(settings.web.public_address or "", "t") if can_publish(settings) else None


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, None),
        ({"webhook_url": "https://bot.example/one/telegram/webhook"}, "https://bot.example"),
        ({"public_url": "http://10.0.0.5:8000/"}, "http://10.0.0.5:8000"),
        (
            {"public_url": "https://a.example/rich", "webhook_url": "https://b.example"},
            "https://a.example/rich",
        ),
    ],
)
def test_calendar_address_is_below_the_public_one(
    settings: dict[str, str], expected: str | None
) -> None:
    """PUBLIC_URL, else the host of WEBHOOK_URL; without either there are no calendars."""
    assert address(**settings) == (f"{expected}/calendar/t.ics" if expected else None)


def test_calendar_is_not_offered_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """`icalendar` is optional."""
    monkeypatch.setitem(sys.modules, "icalendar", None)
    assert address(public_url="https://bot.example") is None
