"""Turns that are over: rated, explained, answered again; their files remembered.

What these do is what the buttons in Telegram do, with the same records.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.domain.message import thread_of
from rich_agent.domain.rights import Reader
from rich_agent.domain.runs import RunAsked
from rich_agent.domain.user_files import UserFile
from rich_agent.ports.accounts import Feedback, Rating
from rich_agent.ports.memories import Memories
from rich_agent.ports.runs import Runs, SaidBefore
from rich_agent.ports.spaces import Spaces
from rich_agent.ports.turns import Archive, Decisions
from rich_agent.ports.user_files import MOST_FILES, UserFiles
from rich_agent.runs.service import newest_question
from rich_agent.web.access import Caller
from rich_agent.web.agui.interrupts import Wire
from rich_agent.web.agui.requests import MOST_TEXT_CHARS, RunInput, refused_input
from rich_agent.web.languages import locale_of
from rich_agent.web.refusals import RequestRefusedError
from rich_agent.web.routes import GuardedRoute, handled_by


async def asked_again(runs: Runs, wanted: RunInput, user_id: int) -> RunAsked:
    """The newest question of a thread, to be answered again; edited if a message comes with it.

    Raises: RequestRefusedError if it is not the newest, or nothing is left of it.
    """
    turn, said = wanted.replaces, wanted.last_said()
    asked = await newest_question(runs, user_id, wanted.thread_id, turn)
    if asked is None:
        raise RequestRefusedError(
            409, "not_latest", "Only the newest question of a conversation is answered again."
        )
    if said is None:
        return RunAsked(asked, replaces=turn)
    text = said.text()
    if said.attachments():
        raise refused_input("The files of the question stay: send its words alone.")
    if not text.strip():
        raise refused_input("The message is empty.")
    if len(text) > MOST_TEXT_CHARS:
        raise refused_input(f"A message has at most {MOST_TEXT_CHARS:,} characters.", 413)
    return RunAsked(text, message_id=said.id, replaces=turn, is_edited=True)


@dataclass(frozen=True, slots=True)
class TurnOffers:
    """The state of what is offered below the answers of a conversation."""

    feedback: Feedback
    files: Callable[[], UserFiles]

    async def below(self, user_id: int, said: Sequence[SaidBefore]) -> list[Wire]:
        """Further fields of each message. May raise DatabaseUnavailableError."""
        answers = [one for one in said if one.role == "assistant"]
        requests = [one.request_id for one in answers if one.worth_rating]
        ids = [number for one in answers for number in one.file_ids]
        rated = await self.feedback.ratings(thread_of(user_id), requests) if requests else {}
        stored = await self.files().find(user_id, ids) if ids else []
        files = {file.id: file for file in stored}
        return [_offered(one, rated, files) for one in said]


def _offered(said: SaidBefore, rated: Mapping[str, Rating], files: Mapping[int, UserFile]) -> Wire:
    if said.role == "user" or not said.number:
        return {}
    offered: Wire = {"rateable": said.worth_rating}
    if rating := rated.get(said.request_id):
        offered["rating"] = rating
    kept = [files[number] for number in said.file_ids if number in files]
    if kept:
        offered["keepable"] = [
            {"id": file.id, "name": file.name, "kept": file.is_kept} for file in kept
        ]
    return offered


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Rated(_Body):
    rating: Literal["up", "down"] | None


class _Kept(_Body):
    ids: Annotated[list[int], Field(min_length=1, max_length=MOST_FILES)]
    kept: bool


_RATING, _KEPT = '{"rating": "up" | "down" | null}', '{"ids": [1], "kept": true | false}'


@dataclass(frozen=True, slots=True)
class TurnEndpoints:
    """Answers for turns and files of the caller; those of others are not found."""

    feedback: Feedback
    decisions: Decisions
    spaces: Spaces
    files: Callable[[], UserFiles]
    said_before: Callable[[], Awaitable[tuple[Memories, Archive]]]

    def routes(self) -> Sequence[GuardedRoute]:
        """Every address, with the scope `chat`."""
        return (
            GuardedRoute(
                "/agui/turns/{request_id}/rating", "chat", handled_by(self.rate), ("POST",)
            ),
            GuardedRoute("/agui/turns/{request_id}/why", "chat", handled_by(self.explain)),
            GuardedRoute("/agui/files", "chat", handled_by(self.keep), ("POST",)),
        )

    async def rate(self, request: Request, caller: Caller) -> Response:
        """Store, change or remove the rating of an answer; twice is the same as once."""
        try:
            wanted = _Rated.model_validate_json(await request.body())
        except ValidationError:
            raise refused_input(f"The body is {_RATING}.") from None
        turn = request.path_params["request_id"]
        if not await self.feedback.rate(thread_of(caller.user_id), turn, wanted.rating):
            raise _unknown_turn()
        return JSONResponse({"rating": wanted.rating})

    async def explain(self, request: Request, caller: Caller) -> Response:
        """Tell how an answer came about, as Markdown."""
        from rich_agent.chat_commands.why import (  # noqa: PLC0415 - few ever ask
            explain_to,
            recollect,
        )
        from rich_agent.rendering.message_markdown import as_markdown  # noqa: PLC0415 - the same

        turn = request.path_params["request_id"]
        decision = await self.decisions.find(thread_of(caller.user_id), turn)
        if decision is None:
            raise _unknown_turn()
        recalled = await recollect(decision, caller.user_id, *await self.said_before())
        reader, locale = Reader(caller.user_id), locale_of(request)
        told = await explain_to(reader, decision, self.spaces, locale, recalled)
        return JSONResponse({"text": as_markdown(told)})

    async def keep(self, request: Request, caller: Caller) -> Response:
        """Remember files beyond their conversation, or no longer."""
        try:
            wanted = _Kept.model_validate_json(await request.body())
        except ValidationError:
            raise refused_input(f"The body is {_KEPT}.") from None
        if not await self.files().keep(caller.user_id, wanted.ids, kept=wanted.kept):
            raise RequestRefusedError(404, "unknown_file", "This file is not known any more.")
        return JSONResponse({"kept": wanted.kept})


def _unknown_turn() -> RequestRefusedError:
    return RequestRefusedError(404, "unknown_turn", "This answer is not known, or kept no more.")
