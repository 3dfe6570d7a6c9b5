"""Making, listing and revoking tokens at the terminal, for the operator."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from rich_agent.feature import SCOPES, RichAgentError, Settings
from rich_agent.feature.terminal import err, out, out_json, show_table
from rich_agent.feature.text import shorten
from rich_agent.features.tokens.records import (
    LONGEST_NAME,
    MOST_TOKENS,
    ApiToken,
    NewApiToken,
)
from rich_agent.features.tokens.repository import PostgresApiTokens

if TYPE_CHECKING:
    from rich_agent.feature import Shell

NO_TOKENS = "There are no tokens. `rich-agent tokens add` makes one."
_COLUMNS = ("id", "user_id", "name", "scopes", "state", "created_at", "last_used_at", "expires_at")


class UnknownTokenError(RichAgentError):
    """The token does not exist, or is already revoked."""

    hint = "`rich-agent tokens list` shows the tokens."

    def __init__(self, token_id: int) -> None:
        super().__init__(f"no token that works has the id {token_id}")
        self.token_id = token_id


def make_token(shell: "Shell", request: NewApiToken, *, as_json: bool) -> None:
    """Print a new token, and a note on stderr if its user may not use the bot.

    Raises: RichAgentError if the user has too many, DatabaseUnavailableError, SchemaError.
    """
    token, is_permitted = asyncio.run(_make(shell, request))
    user_id = request.user_id
    if token is None:
        raise RichAgentError(
            f"user {user_id} has {MOST_TOKENS} tokens, which is the most",
            hint="`rich-agent tokens revoke ID` ends one; `rich-agent tokens list` shows them.",
        )
    if not is_permitted:
        err(f"User {user_id} may not use the bot yet: the token opens nothing until they may.")
    if as_json:
        out_json({"token": token, "user_id": user_id, "is_permitted": is_permitted})
        return
    err("Copy the token now; it is not shown again:")
    out(token)


def token_request(
    user_id: int, name: str, scopes: Sequence[str] | None, days: int | None
) -> NewApiToken:
    """The token to make, with a name on one line of at most LONGEST_NAME characters."""
    label = shorten(" ".join(name.split()), LONGEST_NAME)
    lasts = timedelta(days=days) if days else None
    return NewApiToken(user_id, label, frozenset(scopes or SCOPES), lasts)


def show_tokens(shell: "Shell", *, as_json: bool) -> None:
    """Print the tokens of all users, a line each. Raises: DatabaseUnavailableError, SchemaError."""
    now = datetime.now(UTC)
    rows = [_summary(one, now) for one in asyncio.run(_load_all(shell))]
    if as_json:
        out_json(rows)
    elif rows:
        show_table(_COLUMNS, [[_cell(row[name]) for name in _COLUMNS] for row in rows])
    else:
        out(NO_TOKENS)


def end_token(shell: "Shell", token_id: int, *, as_json: bool) -> None:
    """Revoke a token. Raises: UnknownTokenError, DatabaseUnavailableError, SchemaError."""
    if not asyncio.run(_revoke(shell, token_id)):
        raise UnknownTokenError(token_id)
    if as_json:
        out_json({"revoked": token_id})
    else:
        out(f"revoked {token_id}")


async def _make(shell: "Shell", request: NewApiToken) -> tuple[str | None, bool]:
    async with shell.open_core(Settings.load()) as core:
        account = await core.accounts.find(request.user_id)
        is_permitted = core.access.permits(request.user_id, account.is_allowed)
        return await PostgresApiTokens(core.databases.app).make(request), is_permitted


async def _load_all(shell: "Shell") -> Sequence[ApiToken]:
    async with shell.open_core(Settings.load(), read_only=True) as core:
        return await PostgresApiTokens(core.databases.app).all_of()


async def _revoke(shell: "Shell", token_id: int) -> bool:
    async with shell.open_core(Settings.load()) as core:
        return await PostgresApiTokens(core.databases.app).revoke(token_id)


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
