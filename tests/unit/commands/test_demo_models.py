"""The notices of the demo's page, in each language."""

import re
from importlib.resources import files

import pytest

from rich_agent.commands.demo_models import about_model, about_stand_in
from rich_agent.domain.languages import SUPPORTED_LOCALES

_WORDS = files("rich_agent_sandbox").joinpath("page/static/words.js").read_text(encoding="utf-8")
# The second word of a language is the button's.
_LANGUAGE = re.compile(r'^  "?([a-zA-Z-]{2,7})"?: \["[^"]+", "([^"]+)"', re.MULTILINE)


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_about_stand_in_names_the_button_as_the_page_does(locale: str) -> None:
    """A reader finds what the notice tells them to tap."""
    buttons = dict(_LANGUAGE.findall(_WORDS))
    notices = dict(_marked(text) for text in about_stand_in())
    assert buttons[locale if locale in buttons else locale[:2]] in notices[locale]
    assert "OPENAI_API_KEY=" in notices[locale]
    assert "/help" in notices[locale]


def test_about_model_names_the_model_in_every_language() -> None:
    """Once each; what has no code is English."""
    notices = [_marked(text) for text in about_model("tiny-1")]
    assert [locale for locale, _ in notices] == list(SUPPORTED_LOCALES)
    assert all("tiny-1" in text for _, text in notices)


def _marked(text: str) -> tuple[str, str]:
    """The locale of a notice, and its words."""
    code, colon, rest = text.partition(":")
    return (code, rest) if colon and code in SUPPORTED_LOCALES else ("en", text)
