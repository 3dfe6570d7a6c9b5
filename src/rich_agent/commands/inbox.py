"""`rich-agent inbox`: what an operator does with updates that were given up."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from rich_agent.composition.storage import open_databases
from rich_agent.domain.redaction import redact
from rich_agent.domain.user_tags import UserTags
from rich_agent.errors import UnknownDeadLetterError
from rich_agent.repositories.inbox.dead_letters import DeadLetter, PostgresDeadLetters
from rich_agent.settings.settings import Settings
from rich_agent.telegram.receive.envelope import kind_of
from rich_agent.terminal.console import out, show_table

NOTHING_DEAD = "No dead letters: nothing was given up."


def list_dead_letters(*, as_json: bool) -> None:
    """Print all of them, a line each.

    Raises: DatabaseUnavailableError, SchemaError.
    """
    asyncio.run(_list(as_json=as_json))


def show_dead_letter(update_id: int, *, as_json: bool) -> None:
    """Print one with the update as Telegram sent it.

    Raises: UnknownDeadLetterError.
    """
    asyncio.run(_show(update_id, as_json=as_json))


def replay_dead_letters(update_ids: Sequence[int]) -> None:
    """Have them answered after all; without ids all of them.

    Raises: UnknownDeadLetterError.
    """
    asyncio.run(_settle(update_ids, PostgresDeadLetters.replay, "put back to be answered next"))


def drop_dead_letters(update_ids: Sequence[int]) -> None:
    """Forget them; without ids all of them.

    Raises: UnknownDeadLetterError.
    """
    asyncio.run(_settle(update_ids, PostgresDeadLetters.drop, "dropped"))


async def _list(*, as_json: bool) -> None:
    settings = Settings.load()
    async with _open(settings) as letters:
        found = [_summary(letter, _tags(settings)) for letter in await letters.all()]
    if as_json:
        out(json.dumps(found, indent=2))
        return
    if not found:
        out(NOTHING_DEAD)
        return
    columns = ("update_id", "dead_at", "user", "kind", "attempts", "last_error")
    show_table(columns, [[str(row[name]) for name in columns] for row in found])


async def _show(update_id: int, *, as_json: bool) -> None:
    settings = Settings.load()
    async with _open(settings) as letters:
        letter = await letters.find(update_id)
    if letter is None:
        raise UnknownDeadLetterError([update_id])
    shown = {**_summary(letter, _tags(settings)), "update": _readable(letter.raw)}
    if as_json:
        out(redact(json.dumps(shown, indent=2), settings.secrets))
        return
    update = shown.pop("update")
    for name, value in shown.items():
        out(f"{name}: {value}")
    pretty = update if isinstance(update, str) else json.dumps(update, indent=2, ensure_ascii=False)
    out(redact(pretty, settings.secrets).encode(errors="replace").decode())


async def _settle(
    update_ids: Sequence[int],
    act: Callable[[PostgresDeadLetters, Sequence[int]], Awaitable[Sequence[int]]],
    done: str,
) -> None:
    async with _open(Settings.load()) as letters:
        settled = await act(letters, await _choose(letters, update_ids))
    named = ", ".join(map(str, settled))
    out(f"{len(settled)} {done}: {named}" if settled else NOTHING_DEAD)


async def _choose(letters: PostgresDeadLetters, update_ids: Sequence[int]) -> list[int]:
    """The ids asked for, all of them when none is named; nothing is done unless all are dead."""
    known = [letter.update_id for letter in await letters.all()]
    unknown = sorted(set(update_ids) - set(known))
    if unknown:
        raise UnknownDeadLetterError(unknown)
    return list(update_ids) or known


@asynccontextmanager
async def _open(settings: Settings) -> AsyncIterator[PostgresDeadLetters]:
    async with open_databases(settings) as databases:
        yield PostgresDeadLetters(databases.app)


def _tags(settings: Settings) -> UserTags:
    token = settings.telegram_bot_token
    return UserTags(token.get_secret_value() if token else "")


def _summary(letter: DeadLetter, tags: UserTags) -> dict[str, Any]:
    return {
        "update_id": letter.update_id,
        "user": tags.of(letter.user_id),
        "kind": kind_of(letter.raw),
        "attempts": letter.attempts,
        "received_at": letter.received_at.isoformat(timespec="seconds"),
        "dead_at": letter.dead_at.isoformat(timespec="seconds"),
        "last_error": redact(letter.last_error),
    }


def _readable(raw: bytes) -> Any:  # noqa: ANN401 - whatever JSON came
    """The update as JSON; its bytes as text when it is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw.decode(errors="replace")
