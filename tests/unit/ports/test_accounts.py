"""The language of the bot's own sentences for a user."""

import pytest

from rich_agent.domain.message import User
from rich_agent.ports.accounts import Account


@pytest.mark.parametrize(
    ("account", "client", "locale"),
    [
        (Account(), None, "en"),
        (Account(default_language="ja"), None, "ja"),
        (Account(default_language="ja"), "de", "de"),
        (Account(default_language="ja", client="fr"), None, "fr"),
        (Account(default_language="ja", spoken="ko"), None, "ko"),
        (Account(default_language="ja", locale="it"), None, "it"),
    ],
)
def test_default_language_is_the_last_choice(
    account: Account, client: str | None, locale: str
) -> None:
    """A choice, words and the client's language go before it, on pages and in turns."""
    assert account.locale_for("", client) == locale
    user = account.in_turn(User(1, language_code=client))
    assert (user.locale or user.language_code or "en") == locale
