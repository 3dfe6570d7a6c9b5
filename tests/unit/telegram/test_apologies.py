from datetime import UTC, datetime

import pytest

from rich_agent.errors import (
    AttemptsSpentError,
    DatabaseUnavailableError,
    EmptyCompletionError,
    FeatureMissingError,
    ImageRefusedError,
    MalformedOutputError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import ModelAccountError, ModelAwayError
from rich_agent.times import Clocks
from rich_agent.turns import apologies
from rich_agent.turns.apologies import apology, passes_by_itself

REASONS = ("empty", "too_large", "too_many_pixels", "unreadable", "format", "animated", "new")


@pytest.mark.parametrize("locale", ["en", "ja"])
@pytest.mark.parametrize(
    "error",
    [
        UpstreamUnavailableError("model", "secret detail"),
        UpstreamTimeoutError("model", 60),
        ModelAccountError("model", "credit", "secret detail", hint="secret hint"),
        ModelAccountError("model", "key", "secret detail", hint="secret hint"),
        ModelAwayError("model", datetime(2026, 1, 1, tzinfo=UTC)),
        UpstreamRefusedError("model", "secret detail"),
        MalformedOutputError("model", "secret detail"),
        EmptyCompletionError("model", "secret detail"),
        ZeroDivisionError("secret detail"),
        *(ImageRefusedError(reason, "secret detail") for reason in REASONS),
    ],
)
def test_apology_is_one_plain_sentence(error: Exception, locale: str) -> None:
    """In the user's language, without the error's own words."""
    text = apology(error, Clocks(locale))
    assert len(text) > 10
    assert "secret" not in text


def test_apology_tells_images_apart() -> None:
    """Each reason says what to send instead."""
    assert len({apology(ImageRefusedError(reason, ""), Clocks("en")) for reason in REASONS}) == len(
        REASONS
    )


def test_apology_for_work_of_a_feature_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named as the kind of the work; without such a phrase, the one that fits any work."""
    monkeypatch.setattr(apologies, "is_phrase", lambda key: key == "poker-deal-set-aside")
    monkeypatch.setattr(apologies, "say", lambda _locale, key: key)
    phrases = [
        apology(AttemptsSpentError(kind), Clocks("en"))
        for kind in ("poker_deal", "poker_bet", "lesson")
    ]
    assert phrases == ["poker-deal-set-aside", "apology-spent", "aside-lesson"]


def test_passes_by_itself_tells_what_is_worth_another_try() -> None:
    """A lost connection comes back; what is refused, or was tried by the turn, does not."""
    assert not passes_by_itself(UpstreamUnavailableError("model", ""))
    assert passes_by_itself(UpstreamUnavailableError("telegram", ""))
    assert passes_by_itself(DatabaseUnavailableError(""))
    assert passes_by_itself(FeatureMissingError("tea"))
    assert not passes_by_itself(UpstreamRefusedError("telegram", ""))
    assert not passes_by_itself(ImageRefusedError("format", ""))
