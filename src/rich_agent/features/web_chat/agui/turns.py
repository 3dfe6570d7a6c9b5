"""Finished turns: rating, explaining, undoing and repeating them, and keeping their files.

The effects and records are those of the buttons in Telegram.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature.runs import RunAsked, Runs, SaidBefore, newest_question
from rich_agent.feature.surface import MOST_FILES, Feedback, Rating, UserFile, UserFiles
from rich_agent.feature.turns import thread_of
from rich_agent.feature.web import (
    Caller,
    GuardedRoute,
    RequestRefusedError,
    handled_by,
    locale_of,
)
from rich_agent.features.web_chat.agui.interrupts import Wire
from rich_agent.features.web_chat.agui.requests import MOST_TEXT_CHARS, RunInput, refused_input


async def question_again(runs: Runs, run_input: RunInput, user_id: int) -> RunAsked:
    """The newest question of a thread, to be answered again; edited if a message comes with it.

    Raises: RequestRefusedError if it is not the newest question, or was deleted.
    """
    turn, message = run_input.replaces, run_input.last_user_message()
    question = await newest_question(runs, user_id, run_input.thread_id, turn)
    if question is None:
        raise RequestRefusedError(
            409, "not_latest", "Only the newest question of a conversation is answered again."
        )
    if message is None:
        return RunAsked(question, replaces=turn)
    text = message.text()
    if message.attachments():
        raise refused_input("The files of the question stay: send its words alone.")
    if not text.strip():
        raise refused_input("The message is empty.")
    if len(text) > MOST_TEXT_CHARS:
        raise refused_input(f"A message has at most {MOST_TEXT_CHARS:,} characters.", 413)
    return RunAsked(text, message_id=message.id, replaces=turn, is_edited=True)


@dataclass(frozen=True, slots=True)
class TurnOffers:
    """The state of the actions that are offered for the answers of a conversation."""

    feedback: Feedback
    files: Callable[[], UserFiles]

    async def below(self, user_id: int, messages: Sequence[SaidBefore]) -> list[Wire]:
        """The additional fields of each message. May raise DatabaseUnavailableError."""
        answers = [message for message in messages if message.role == "assistant"]
        request_ids = [message.request_id for message in answers if message.worth_rating]
        file_ids = [file_id for message in answers for file_id in message.file_ids]
        ratings = (
            await self.feedback.ratings(thread_of(user_id), request_ids) if request_ids else {}
        )
        user_files = await self.files().find(user_id, file_ids) if file_ids else []
        files_by_id = {file.id: file for file in user_files}
        return [_offers_below(message, ratings, files_by_id) for message in messages]


def _offers_below(
    message: SaidBefore, ratings: Mapping[str, Rating], files: Mapping[int, UserFile]
) -> Wire:
    if message.role == "user" or not message.number:
        return {}
    offers: Wire = {"rateable": message.worth_rating}
    if rating := ratings.get(message.request_id):
        offers["rating"] = rating
    keepable = [files[file_id] for file_id in message.file_ids if file_id in files]
    if keepable:
        offers["keepable"] = [
            {"id": file.id, "name": file.name, "kept": file.is_kept} for file in keepable
        ]
    return offers


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
    """Actions on turns and files of the caller. Those of other users are not found."""

    feedback: Feedback
    files: Callable[[], UserFiles]
    explanation: Callable[[int, str, str], Awaitable[str | None]]
    undo: Callable[[int, str, str], Awaitable[Sequence[str]]]

    def routes(self) -> Sequence[GuardedRoute]:
        """All routes, which need the scope `chat`."""
        turn, post = "/agui/turns/{request_id}", ("POST",)
        return (
            GuardedRoute(f"{turn}/rating", "chat", handled_by(self.rate), post),
            GuardedRoute(f"{turn}/why", "chat", handled_by(self.explain)),
            GuardedRoute(f"{turn}/undo", "chat", handled_by(self.take_back), post),
            GuardedRoute("/agui/files", "chat", handled_by(self.keep), post),
        )

    async def rate(self, request: Request, caller: Caller) -> Response:
        """Store, change or remove the rating of an answer. A repetition changes nothing."""
        try:
            rating_input = _Rated.model_validate_json(await request.body())
        except ValidationError:
            raise refused_input(f"The body is {_RATING}.") from None
        turn = request.path_params["request_id"]
        if not await self.feedback.rate(thread_of(caller.user_id), turn, rating_input.rating):
            raise _unknown_turn()
        return JSONResponse({"rating": rating_input.rating})

    async def explain(self, request: Request, caller: Caller) -> Response:
        """Explain how an answer came about, as Markdown."""
        turn = request.path_params["request_id"]
        text = await self.explanation(caller.user_id, turn, locale_of(request))
        if text is None:
            raise _unknown_turn()
        return JSONResponse({"text": text})

    async def take_back(self, request: Request, caller: Caller) -> Response:
        """Undo the changes of a turn; the answer has a line for each."""
        turn = request.path_params["request_id"]
        lines = await self.undo(caller.user_id, turn, locale_of(request))
        if not lines:
            raise RequestRefusedError(
                404, "nothing_to_undo", "There is nothing here that can be taken back any more."
            )
        return JSONResponse({"undone": list(lines)})

    async def keep(self, request: Request, caller: Caller) -> Response:
        """Keep files beyond their conversation, or no longer."""
        try:
            choice = _Kept.model_validate_json(await request.body())
        except ValidationError:
            raise refused_input(f"The body is {_KEPT}.") from None
        if not await self.files().keep(caller.user_id, choice.ids, kept=choice.kept):
            raise RequestRefusedError(404, "unknown_file", "This file is not known any more.")
        return JSONResponse({"kept": choice.kept})


def _unknown_turn() -> RequestRefusedError:
    return RequestRefusedError(404, "unknown_turn", "This answer is not known, or kept no more.")
