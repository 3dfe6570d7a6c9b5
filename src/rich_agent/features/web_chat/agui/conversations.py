"""Conversations over HTTP: renaming, deleting, and a search in their messages."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature.surface import OWN_CONVERSATION, Conversations, FoundTurn
from rich_agent.feature.text import shorten
from rich_agent.feature.web import Caller, GuardedRoute, RequestRefusedError, handled_by
from rich_agent.features.web_chat.agui.found_words import words_found_in
from rich_agent.features.web_chat.agui.interrupts import Wire
from rich_agent.features.web_chat.agui.requests import refused_input

TITLE_CHARS = 80
_MOST_QUERY_CHARS, _MOST_FOUND = 200, 30
_MOST_BODY_BYTES = 10_000
_SHOWN_BEHIND = 10


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)


class _Named(_Body):
    title: Annotated[str, Field(max_length=TITLE_CHARS)]


class _Searched(_Body):
    query: Annotated[str, Field(min_length=1, max_length=_MOST_QUERY_CHARS)]


@dataclass(frozen=True, slots=True)
class ConversationEndpoints:
    """Changes and searches the caller's conversations. Those of other users are not found."""

    conversations: Callable[[], Conversations]

    def routes(self) -> Sequence[GuardedRoute]:
        """The route of the search. `change` is reached by the address of a thread."""
        search = handled_by(self.search)
        return (GuardedRoute("/agui/search", "chat", search, ("POST",), _MOST_BODY_BYTES),)

    async def change(self, request: Request, caller: Caller, thread: str) -> Response:
        """Name a conversation with its own thread (POST), or delete it with all its messages."""
        if not thread.startswith(OWN_CONVERSATION):
            message = "The main conversation keeps its name; /forget deletes it."
            raise RequestRefusedError(409, "main_thread", message)
        if request.method == "DELETE":
            if not await self.conversations().forget(caller.user_id, thread):
                raise _unknown_thread()
            return Response(status_code=204)
        try:
            body = _Named.model_validate_json(await request.body())
        except ValidationError:
            message = f'The body is {{"title": "…"}}, at most {TITLE_CHARS} characters.'
            raise refused_input(message) from None
        title = " ".join(body.title.split())
        if not await self.conversations().rename(caller.user_id, thread, title):
            raise _unknown_thread()
        return JSONResponse({"id": thread, "title": title})

    async def behind(self, caller: Caller, thread: str, turn: str) -> int | None:
        """The cursor of a page that ends a few messages after a turn; None for the last page."""
        return await self.conversations().behind(caller.user_id, thread, turn, _SHOWN_BEHIND)

    async def search(self, request: Request, caller: Caller) -> Response:
        """The turns whose messages contain all of these words, newest first."""
        try:
            query = _Searched.model_validate_json(await request.body()).query
        except ValidationError:
            message = f'The body is {{"query": "…"}}, 1 to {_MOST_QUERY_CHARS} characters.'
            raise refused_input(message) from None
        turns = await self.conversations().search(caller.user_id, query, _MOST_FOUND)
        # In a thread, because long answers are searched completely.
        results = await asyncio.to_thread(lambda: [_to_wire(turn, query) for turn in turns])
        return JSONResponse({"found": results})


def _to_wire(turn: FoundTurn, query: str) -> Wire:
    text_before, match, text_after = words_found_in((turn.question, turn.answer), query)
    return {
        "threadId": turn.thread or None,
        "title": shorten(turn.title, TITLE_CHARS),
        "turn": turn.request_id,
        "saidAt": turn.said_at.isoformat(timespec="seconds"),
        "excerpt": {"before": text_before, "match": match, "after": text_after},
    }


def _unknown_thread() -> RequestRefusedError:
    return RequestRefusedError(404, "unknown_thread", "There is no such conversation.")
