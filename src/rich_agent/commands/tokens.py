"""`rich-agent tokens`: what an operator does with the tokens of other programs."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from rich_agent.composition.repositories import open_repositories
from rich_agent.domain.access import Access
from rich_agent.domain.text import shorten
from rich_agent.domain.tokens import (
    LONGEST_NAME,
    MOST_TOKENS,
    SCOPES,
    ApiToken,
    NewApiToken,
)
from rich_agent.errors import RichAgentError, UnknownTokenError
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, out, out_json, show_table

NO_TOKENS = "There are no tokens. `rich-agent tokens add` makes one."
_COLUMNS = ("id", "user_id", "name", "scopes", "state", "created_at", "last_used_at", "expires_at")


def make_token(user_id: int, name: str, scopes: Sequence[str] | None, days: int | None) -> None:
    """Print a new token; a note on stderr if its user may not use the bot.

    Raises: RichAgentError if the user has too many, DatabaseUnavailableError, SchemaError.
    """
    settings = Settings.load()
    lasts = timedelta(days=days) if days else None
    label = shorten(" ".join(name.split()), LONGEST_NAME)
    request = NewApiToken(user_id, label, frozenset(scopes or SCOPES), lasts)
    token, is_permitted = asyncio.run(_make(settings, request))
    if token is None:
        raise RichAgentError(
            f"user {user_id} has {MOST_TOKENS} tokens, which is the most",
            hint="`rich-agent tokens revoke ID` ends one; `rich-agent tokens list` shows them.",
        )
    if not is_permitted:
        err(f"User {user_id} may not use the bot yet: the token opens nothing until they may.")
    err("Copy the token now; it is not shown again:")
    out(token)


def show_tokens(*, as_json: bool) -> None:
    """Print the tokens of all users, a line each. Raises: DatabaseUnavailableError, SchemaError."""
    now = datetime.now(UTC)
    rows = [_summary(one, now) for one in asyncio.run(_load_all(Settings.load()))]
    if as_json:
        out_json(rows)
    elif rows:
        show_table(_COLUMNS, [[_cell(row[name]) for name in _COLUMNS] for row in rows])
    else:
        out(NO_TOKENS)


def end_token(token_id: int) -> None:
    """Revoke a token. Raises: UnknownTokenError, DatabaseUnavailableError, SchemaError."""
    if not asyncio.run(_revoke(Settings.load(), token_id)):
        raise UnknownTokenError(token_id)
    out(f"revoked {token_id}")


async def _make(settings: Settings, request: NewApiToken) -> tuple[str | None, bool]:
    access = Access(settings.access.allowed_ids, settings.access.admin_users)
    async with open_repositories(settings) as repositories:
        account = await repositories.accounts.find(request.user_id)
        is_permitted = access.permits(request.user_id, account.is_allowed)
        return await repositories.api_tokens.make(request), is_permitted


async def _load_all(settings: Settings) -> Sequence[ApiToken]:
    async with open_repositories(settings) as repositories:
        return await repositories.api_tokens.all_of()


async def _revoke(settings: Settings, token_id: int) -> bool:
    async with open_repositories(settings) as repositories:
        return await repositories.api_tokens.revoke(token_id)


def _summary(token: ApiToken, now: datetime) -> dict[str, Any]:
    end_state = "revoked" if token.revoked_at else "expired"
    moments = {name: _moment(value) for name, value in asdict(token).items() if name[-3:] == "_at"}
    return {
        **asdict(token),
        **moments,
        "scopes": sorted(token.scopes),
        "state": "open" if token.is_open(now) else end_state,
    }


def _moment(value: datetime | None) -> str | None:
    return value.isoformat(timespec="seconds") if value else None


def _cell(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value if value is not None else "–")
