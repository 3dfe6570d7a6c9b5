"""Where an answer goes, and in which language."""

from rich_agent.domain.message import IncomingMessage, User
from rich_agent.ports.accounts import Account
from rich_agent.telegram.deliver.update_context import target_of
from rich_agent.telegram.receive.inbound import Turn

TURN = Turn(IncomingMessage(User(7, language_code="en"), "これは https://a.example です"), 7)


def test_target_of_a_user_has_the_links_and_the_language_of_the_text() -> None:
    """An answer may lead where the user's words lead."""
    target = target_of(TURN, Account(), 1)
    assert target.allowed_links
    assert target.locale == "ja"


def test_target_of_a_stranger_looks_at_no_text() -> None:
    """Who may not use the bot cannot keep it busy; the language is that of their Telegram."""
    target = target_of(TURN, Account(), 1, heard=False)
    assert target.allowed_links == frozenset()
    assert target.locale == "en"
