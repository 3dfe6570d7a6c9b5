"""Turns at the terminal: single questions and conversations, with the same graph and threads."""

import asyncio
import io
import shlex
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich_agent.domain.message import (
    DECISIONS,
    Decided,
    IncomingMessage,
    Photo,
    SentFile,
    TurnRequest,
    User,
    thread_of,
)
from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.ports.inbox import Inbox, Lane
from rich_agent.ports.turns import TurnOutcome
from rich_agent.runtime.concurrency import alongside
from rich_agent.runtime.fencing import work_under, work_without_lane
from rich_agent.terminal.console import err
from rich_agent.turns.runner import QuestionAsked, TurnEvent, TurnRunner

LANE_POLL_S = 0.2
QUIET_S = 0.5
_FILE_HINT = 'Write: /file PATH WORDS. A path with spaces stands in quotes: "my report.pdf".'
RENEW_EVERY_S = 3.0


def terminal_request(
    user: User, text: str, image: str | None = None, files: Sequence[str] = ()
) -> TurnRequest:
    """The request of a user at the terminal, with an image or other files (paths) if given."""
    photos = (Photo(image),) if image else ()
    return TurnRequest(
        thread_id=thread_of(user.telegram_user_id),
        request_id=f"cli:{uuid.uuid4()}",
        message=IncomingMessage(
            user,
            text,
            photos,
            files=tuple(SentFile(path, Path(path).name, size_bytes=_size(path)) for path in files),
        ),
    )


def file_and_words(text: str) -> tuple[Path, str]:
    """The file at the beginning of a text, and the words after it; a path may be quoted.

    Raises: RichAgentError if the text names no file.
    """
    reader = io.StringIO(text)
    lexer = shlex.shlex(reader, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        path = Path(lexer.get_token() or "").expanduser().resolve()
        if path.is_file():
            return path, reader.read().strip()
    except (ValueError, RuntimeError, OSError) as error:
        raise RichAgentError(f"the path cannot be read: {error}", hint=_FILE_HINT) from error
    raise RichAgentError(f"{path} is no file", hint=_FILE_HINT)


def _size(path: str) -> int | None:
    with suppress(OSError):
        return Path(path).stat().st_size
    return None


def deciding(user: User, question: QuestionAsked, decision: Decided) -> TurnRequest:
    """The request with a user's decision on the calls that wait for approval.

    Raises: IndexError for a permanent permission that is not among the choices.
    """
    return replace(
        terminal_request(user, question.choices[DECISIONS.index(decision)]),
        answers=question.request_id,
        decision=decision,
        approves=question.approves,
    )


async def ask_turn(
    request: TurnRequest,
    turns: TurnRunner,
    inbox: Inbox,
    stop: asyncio.Event | None = None,
) -> AsyncIterator[TurnEvent]:
    """The events of one turn.

    The user's lane is held, so that Telegram turns wait for this one. Once `stop` is set, the text
    so far is the answer.

    Raises: the errors of `TurnRunner.run`, LaneLostError.
    """
    lane = await _take_lane(request.message.user.telegram_user_id, inbox)
    work_under(lane.fence)
    async with (
        _keep_lane(lane, inbox),
        aclosing(turns.run(request, stop)) as events,  # type: ignore[type-var]
    ):
        async for event in events:
            yield event


async def _take_lane(user_id: int, inbox: Inbox) -> Lane:
    clock = asyncio.get_running_loop().time
    notice_time: float | None = clock() + QUIET_S
    while (lane := await inbox.claim_user(user_id)) is None:
        if notice_time is not None and clock() >= notice_time:
            err("Another answer to this user is being written; waiting for it to finish…")
            notice_time = None
        await inbox.wait(LANE_POLL_S)
    return lane


@asynccontextmanager
async def _keep_lane(lane: Lane, inbox: Inbox) -> AsyncIterator[None]:
    """Hold the lane while the block runs, then free it. Raises: LaneLostError."""
    async with alongside(_renew_on(lane, inbox)):
        try:
            yield
        finally:
            # The user's next action, such as an undo, belongs to no turn.
            work_without_lane()
            await inbox.finish(lane)


async def _renew_on(lane: Lane, inbox: Inbox) -> None:
    while True:
        await asyncio.sleep(RENEW_EVERY_S)
        with suppress(DatabaseUnavailableError):
            await inbox.extend(lane)


def outcome_to_json(outcome: TurnOutcome) -> dict[str, Any]:
    """The outcome as `rich-agent ask --json` prints it."""
    return {
        "request_id": outcome.request_id,
        "answer": outcome.answer.text,
        "citations": [asdict(citation) for citation in outcome.answer.citations],
        "plan": outcome.routing.plan,
        "intent": outcome.routing.intent,
        "reason": outcome.routing.reason,
        "query": outcome.routing.query,
        "nodes": list(outcome.nodes),
        "interrupt": outcome.interrupt,
        "latency_ms": dict(outcome.latency_ms),
    }
