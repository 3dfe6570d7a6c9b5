"""Targets of answers: where they go, and in which language."""

import pytest

from rich_agent.domain.message import IncomingMessage, User
from rich_agent.ports.accounts import Account
from rich_agent.telegram.deliver.update_context import target_of
from rich_agent.telegram.receive.inbound import Command, Turn

TURN = Turn(IncomingMessage(User(7, language_code="en"), "これは https://a.example です"), 7)


def test_target_of_a_user_has_the_links_and_the_language_of_the_text() -> None:
    """An answer may lead where the user's words lead."""
    target = target_of(TURN, Account(), 1)
    assert target.allowed_links
    assert target.locale == "ja"


def test_target_of_a_stranger_looks_at_no_text() -> None:
    """A person without access cannot keep the bot busy; the language is that of their Telegram."""
    target = target_of(TURN, Account(), 1, is_permitted=False)
    assert target.allowed_links == frozenset()
    assert target.locale == "en"


COMMAND = Command("tasks", "", User(7, language_code="en"), 7, 1)


@pytest.mark.parametrize(
    ("account", "locale"),
    [
        (Account(), "en"),
        (Account(client="ja"), "en"),
        (Account(spoken="de", client="en"), "de"),
        (Account(spoken="de", preferred_locale="nl"), "nl"),
        (Account(spoken="de", locale="fr", preferred_locale="nl"), "fr"),
    ],
)
def test_target_of_a_command_speaks_as_the_user_chose_or_wrote_last(
    account: Account, locale: str
) -> None:
    """The choice counts most, then the preference, the words, the client in hand, and its last."""
    assert target_of(COMMAND, account, 1).locale == locale


def test_account_speaks_the_language_of_the_client_without_any_words() -> None:
    """As a reminder does, whose user only pressed buttons."""
    assert Account(client="pt-BR").locale_for() == "pt-BR"
    assert Account().locale_for() == "en"
