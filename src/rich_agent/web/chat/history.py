"""`GET /chat/history`: the conversation so far, and the turn that is still open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.domain.text import whole_number
from rich_agent.ports.programs.chat_history import ChatHistory, HistoryTurn
from rich_agent.web.access import Caller
from rich_agent.web.agui.events import source_of
from rich_agent.web.routes import GuardedRoute, handled_by

HISTORY_PATH = "/chat/history"
PAGE_THREAD = "chat"
_TURNS = 20


@dataclass(frozen=True, slots=True)
class HistoryEndpoint:
    """Answers with a page of the caller's own turns, also with those written in Telegram."""

    history: ChatHistory

    def routes(self) -> Sequence[GuardedRoute]:
        """The one route."""
        return (GuardedRoute(HISTORY_PATH, "chat", handled_by(self.answer)),)

    async def answer(self, request: Request, caller: Caller) -> Response:
        """Turns before `?before=`, oldest first; the newest come with the runs still open."""
        before = whole_number(request.query_params.get("before", ""))
        found = await self.history.page(caller.user_id, before, _TURNS + 1)
        told = {
            "thread": PAGE_THREAD,
            "turns": [_told(turn) for turn in reversed(found[:_TURNS])],
            "more": len(found) > _TURNS,
            "runs": [],
        }
        if before is None:
            runs = await self.history.open_runs(caller.user_id, PAGE_THREAD)
            told["runs"] = [
                {"runId": one.run_id, "text": one.text, "resumed": one.is_resumed} for one in runs
            ]
        return JSONResponse(told)


def _told(turn: HistoryTurn) -> Mapping[str, Any]:
    return {
        "id": turn.id,
        "question": turn.question,
        "answer": turn.answer,
        "at": turn.asked_at.isoformat(),
        "sources": [source_of(one) for one in turn.sources],
        "images": turn.images,
    }
