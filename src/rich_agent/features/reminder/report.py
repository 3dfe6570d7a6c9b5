"""`rich-agent reminders`: lists reminders that did not come as they should, for the operator."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from rich_agent.feature import Settings, Shell
from rich_agent.feature.terminal import UserTags, out, redact, show_table
from rich_agent.features.reminder.records import ReminderTrouble
from rich_agent.features.reminder.repository import Reminders

ALL_CAME = "All reminders came in time."
_LATE_S = 60.0
_COLUMNS = ("reminder", "user", "kind", "state", "due_at", "late_s", "error")


def list_reminders(shell: Shell, *, as_json: bool) -> None:
    """Print reminders that are late, were missed or failed, a line each, without text of users.

    Raises: DatabaseUnavailableError, SchemaError.
    """
    settings = Settings.load()
    token = settings.telegram.bot_token
    tags = UserTags(token.get_secret_value() if token else "")
    rows = [_summary(trouble, tags) for trouble in asyncio.run(_load(shell, settings))]
    if as_json:
        out(json.dumps(rows, indent=2))
    elif rows:
        show_table(_COLUMNS, [[str(row[name]) for name in _COLUMNS] for row in rows])
    else:
        out(ALL_CAME)


async def _load(shell: Shell, settings: Settings) -> Sequence[ReminderTrouble]:
    async with shell.open_core(settings) as core:
        return await Reminders(core.databases.app, core.accounts).troubles(_LATE_S)


def _summary(trouble: ReminderTrouble, tags: UserTags) -> dict[str, Any]:
    return {
        "reminder": trouble.id,
        "user": tags.of(trouble.user_id),
        "kind": trouble.kind,
        "state": trouble.state,
        "due_at": trouble.due_at.isoformat(timespec="seconds"),
        "late_s": round(trouble.late_s),
        "error": redact(trouble.error),
    }
