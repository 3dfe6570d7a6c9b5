"""`rich-agent inbox`: what an operator does with updates that were given up."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Literal

from rich_agent.composition.repositories import open_repositories
from rich_agent.domain.access import UserTags
from rich_agent.domain.redaction import redact
from rich_agent.errors import UnknownDeadLetterError
from rich_agent.ports.dead_letters import DeadLetter
from rich_agent.settings.settings import Settings
from rich_agent.telegram.receive.letters import summarize_letter
from rich_agent.terminal.console import out, out_json, show_table

NOTHING_DEAD = "There are no dead letters."


def list_dead_letters(*, as_json: bool) -> None:
    """Print all of them, a line each. Raises: DatabaseUnavailableError, SchemaError."""
    settings = Settings.load()
    rows = [_summary(letter, _tags(settings)) for letter in asyncio.run(_load(settings))]
    if as_json:
        out(json.dumps(rows, indent=2))
    elif rows:
        columns = ("update_id", "dead_at", "user", "kind", "attempts", "last_error")
        show_table(columns, [[str(row[name]) for name in columns] for row in rows])
    else:
        out(NOTHING_DEAD)


def show_dead_letter(update_id: int, *, as_json: bool) -> None:
    """Print one with the update as Telegram sent it. Raises: UnknownDeadLetterError."""
    settings = Settings.load()
    letter = next(iter(asyncio.run(_load(settings, update_id))), None)
    if letter is None:
        raise UnknownDeadLetterError([update_id])
    fields = {**_summary(letter, _tags(settings)), "update": _readable(letter.raw)}
    if as_json:
        out(redact(json.dumps(fields, indent=2), settings.secrets))
        return
    update = fields.pop("update")
    for name, value in fields.items():
        out(f"{name}: {value}")
    pretty = update if isinstance(update, str) else json.dumps(update, indent=2, ensure_ascii=False)
    out(redact(pretty, settings.secrets).encode(errors="replace").decode())


def replay_dead_letters(update_ids: Sequence[int], *, as_json: bool) -> None:
    """Have them answered after all; without ids all of them. Raises: UnknownDeadLetterError."""
    ids = asyncio.run(_settle(update_ids, "replay"))
    _show_settled(ids, "replayed", "put back to be answered next", as_json=as_json)


def drop_dead_letters(update_ids: Sequence[int], *, as_json: bool) -> None:
    """Delete dead letters by their ids; without ids, delete all.

    Raises: UnknownDeadLetterError.
    """
    ids = asyncio.run(_settle(update_ids, "drop"))
    _show_settled(ids, "dropped", "dropped", as_json=as_json)


def _show_settled(ids: Sequence[int], field: str, words: str, *, as_json: bool) -> None:
    if as_json:
        out_json({field: ids})
    else:
        listing = ", ".join(map(str, ids))
        out(f"{len(ids)} {words}: {listing}" if ids else NOTHING_DEAD)


async def _load(settings: Settings, update_id: int | None = None) -> Sequence[DeadLetter]:
    """The one of this id, if there is one; without an id all."""
    async with open_repositories(settings) as repositories:
        if update_id is None:
            return await repositories.dead_letters.all()
        letter = await repositories.dead_letters.find(update_id)
        return [letter] if letter else []


async def _settle(update_ids: Sequence[int], act: Literal["replay", "drop"]) -> list[int]:
    """Replay or drop; return the ids of those that were there.

    Nothing is done unless all that are named are dead letters; none stands for all.
    """
    async with open_repositories(Settings.load()) as repositories:
        letters = repositories.dead_letters
        existing_ids = [letter.update_id for letter in await letters.all()]
        if unknown := sorted(set(update_ids) - set(existing_ids)):
            raise UnknownDeadLetterError(unknown)
        ids = list(update_ids) or existing_ids
        return list(await (letters.replay(ids) if act == "replay" else letters.drop(ids)))


def _tags(settings: Settings) -> UserTags:
    token = settings.telegram.bot_token
    return UserTags(token.get_secret_value() if token else "")


def _summary(letter: DeadLetter, tags: UserTags) -> dict[str, Any]:
    summary = summarize_letter(letter)
    return {
        "update_id": summary.update_id,
        "user": tags.of(summary.user_id),
        "kind": summary.kind,
        "attempts": summary.attempts,
        "received_at": summary.received_at.isoformat(timespec="seconds"),
        "dead_at": summary.dead_at.isoformat(timespec="seconds"),
        "last_error": summary.last_error,
    }


def _readable(raw: bytes) -> Any:  # noqa: ANN401 - whatever JSON came
    """The update as JSON; its bytes as text when it is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw.decode(errors="replace")
