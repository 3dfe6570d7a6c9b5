"""`rich-agent work`: what an operator sees of the work that is due at its times."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from rich_agent.composition.repositories import open_repositories
from rich_agent.domain.access import UserTags
from rich_agent.domain.redaction import redact
from rich_agent.errors import UnknownDueWorkError
from rich_agent.ports.due_work import DueWorkEntry
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out, out_json, show_table

NO_WORK = "There is no due work."
_COLUMNS = ("id", "kind", "user", "state", "due_at", "tries", "last_error")


def list_due_work(*, as_json: bool) -> None:
    """Print it, a line each; no text of a user. Raises: DatabaseUnavailableError, SchemaError."""
    settings = Settings.load()
    token = settings.telegram.bot_token
    tags = UserTags(token.get_secret_value() if token else "")
    entries = [_summary(entry, tags) for entry in asyncio.run(_load(settings))]
    if as_json:
        out(json.dumps(entries, indent=2))
    elif entries:
        show_table(_COLUMNS, [[str(entry[name]) for name in _COLUMNS] for entry in entries])
    else:
        out(NO_WORK)


def retry_due_work(ids: Sequence[int], *, as_json: bool) -> None:
    """Have it done now. Raises: UnknownDueWorkError for what there is not; the rest is due then."""
    due_ids = asyncio.run(_retry(ids))
    if unknown := sorted(set(ids) - set(due_ids)):
        raise UnknownDueWorkError(unknown)
    if as_json:
        out_json({"due": due_ids})
    else:
        out(f"{len(due_ids)} due now: {', '.join(map(str, due_ids))}")


async def _load(settings: Settings) -> Sequence[DueWorkEntry]:
    async with open_repositories(settings) as repositories:
        return await repositories.due_work.entries()


async def _retry(ids: Sequence[int]) -> Sequence[int]:
    async with open_repositories(Settings.load()) as repositories:
        return await repositories.due_work.retry(ids)


def _summary(entry: DueWorkEntry, tags: UserTags) -> dict[str, Any]:
    return {
        "id": entry.id,
        "kind": entry.kind,
        "user": "" if entry.user_id is None else tags.of(entry.user_id),
        "state": entry.state,
        "due_at": entry.due_at.isoformat(timespec="seconds"),
        "tries": entry.tries,
        "last_error": redact(entry.last_error),
    }
