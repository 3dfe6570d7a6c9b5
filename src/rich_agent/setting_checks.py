"""What a setting's type cannot say: each check names the setting and what to write instead."""

import re
from collections.abc import Collection, Iterable

from pydantic import SecretStr

from rich_agent.domain.prices import Prices
from rich_agent.errors import SettingsError

_TOKEN = re.compile(r"\d{3,}:[A-Za-z0-9_-]{20,}")
_WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")
_DATABASE = re.compile(r"postgres(ql)?://")


def check_token(token: SecretStr | None) -> None:
    """Refuse what cannot be a bot's token.

    Raises: SettingsError.
    """
    if token and not _TOKEN.fullmatch(token.get_secret_value()):
        raise SettingsError(
            "TELEGRAM_BOT_TOKEN",
            "is not a bot token",
            mend="Write the token as @BotFather gave it: 123456789:AA… "
            "(digits, a colon, 35 characters).",
        )


def check_database_urls(database_url: str | None, rag_database_url: str | None) -> None:
    """Refuse addresses that are not PostgreSQL's, and the second one without the first.

    Raises: SettingsError.
    """
    for name, url in (("DATABASE_URL", database_url), ("RAG_DATABASE_URL", rag_database_url)):
        if url and not _DATABASE.match(url):
            raise SettingsError(
                name,
                "is not a PostgreSQL address",
                mend="Write postgresql://USER:PASSWORD@HOST:5432/NAME, or leave it out for the "
                "embedded PostgreSQL.",
            )
    if rag_database_url and not database_url:
        raise SettingsError(
            "RAG_DATABASE_URL",
            "is set without DATABASE_URL",
            mend="Set DATABASE_URL too, or leave both out for the embedded PostgreSQL.",
        )


def check_prices(models: Iterable[str], search: str | None) -> None:
    """Refuse what is no price.

    Raises: SettingsError.
    """
    for name, entries, price in (("MODEL_PRICES", models, None), ("SEARCH_PRICE", (), search)):
        try:
            Prices.parse(entries, price)
        except ValueError as error:
            raise SettingsError(
                name,
                str(error),
                mend="Write USD, as in MODEL_PRICES=gpt-4.1-mini=0.40/1.60,"
                "text-embedding-3-small=0.02 (per million tokens) and SEARCH_PRICE=0.008.",
            ) from None


def check_approvals(
    intents: Collection[str], known: Collection[str], admins: Collection[int]
) -> None:
    """Refuse intents that no answer has, and a review that nobody could make.

    Raises: SettingsError.
    """
    if unknown := sorted(set(intents) - set(known)):
        raise SettingsError(
            "APPROVAL_INTENTS",
            f"there is no intent {', '.join(unknown)}",
            mend=f"Write some of these, parted by commas: {', '.join(known)}.",
        )
    if intents and not admins:
        raise SettingsError(
            "APPROVAL_INTENTS",
            "is set, and there is nobody who could approve",
            mend="Write the Telegram ids of those who approve into ADMIN_USERS, parted by commas.",
        )


def check_webhook_secret(secret: SecretStr | None) -> None:
    """Refuse what Telegram would not take as the secret of a webhook, or a stranger could guess.

    Raises: SettingsError.
    Source: Bot API, setWebhook, `secret_token`.
    """
    text = secret.get_secret_value() if secret else ""
    if not _WEBHOOK_SECRET.fullmatch(text):
        raise SettingsError(
            "WEBHOOK_SECRET",
            "is too short or malformed" if text else "is missing, and WEBHOOK_URL is set",
            mend="Write 16-256 letters, digits, _ or -. `openssl rand -hex 32` makes one.",
        )
