"""The terminal surface: one question, or a conversation; the same graph, the same thread."""

import time
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import asdict, dataclass
from typing import Any

from rich_agent.domain.message import IncomingMessage, Photo, TurnRequest, User, thread_of
from rich_agent.fencing import work_under
from rich_agent.ports.inbox import Inbox
from rich_agent.ports.turns import TurnOutcome
from rich_agent.turns import Finished, TurnEvent, TurnRunner

LANE_POLL_S = 0.2
RENEW_EVERY_S = 20.0


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at the terminal: as which user, with which image file (a path)."""

    text: str
    user: User
    image: str | None = None


async def ask(question: Question, turns: TurnRunner, inbox: Inbox) -> AsyncIterator[TurnEvent]:
    """The events of one turn; the user's lane is held, so that Telegram turns wait for this one.

    Raises: what `TurnRunner.run` raises.
    """
    lane = await inbox.claim_user(question.user.telegram_user_id)
    while lane is None:
        await inbox.wait(LANE_POLL_S)
        lane = await inbox.claim_user(question.user.telegram_user_id)
    work_under(lane.fence)
    try:
        renewed_at = time.monotonic()
        async with aclosing(turns.run(_request(question))) as events:  # type: ignore[type-var]
            async for event in events:
                yield event
                if time.monotonic() - renewed_at > RENEW_EVERY_S:
                    await inbox.extend(lane)
                    renewed_at = time.monotonic()
    finally:
        await inbox.finish(lane)


async def ask_once(question: Question, turns: TurnRunner, inbox: Inbox) -> TurnOutcome:
    """The outcome of one turn.

    Raises: what `TurnRunner.run` raises.
    """
    outcome: TurnOutcome | None = None
    async for event in ask(question, turns, inbox):
        if isinstance(event, Finished):
            outcome = event.outcome
    assert outcome is not None  # noqa: S101 - the last event of every turn is Finished
    return outcome


def to_json(outcome: TurnOutcome) -> dict[str, Any]:
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


def _request(question: Question) -> TurnRequest:
    photos = (Photo(question.image),) if question.image else ()
    return TurnRequest(
        thread_id=thread_of(question.user.telegram_user_id),
        request_id=f"cli:{uuid.uuid4()}",
        message=IncomingMessage(question.user, question.text, photos),
    )
