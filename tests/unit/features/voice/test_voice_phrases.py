"""Sentences about recordings, in each language."""

import pytest

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.phrases import say


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
@pytest.mark.parametrize("kind", ["voice", "audio", "video-note"])
def test_refusal_of_a_recording_names_the_setting_that_is_missing(locale: str, kind: str) -> None:
    """So that a user can tell the operator what to do, in every language."""
    assert "TRANSCRIPTION_MODEL" in say(locale, f"voice-cannot-read-{kind}")
