"""The questions that the page offers in an empty conversation."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature import say
from rich_agent.feature.surface import FirstWords, Persona
from rich_agent.feature.web import Caller, GuardedRoute, handled_by, locale_of

SUGGESTIONS_PATH = "/chat/suggestions"


@dataclass(frozen=True, slots=True)
class SuggestedQuestions:
    """Suggests the questions of /start in Telegram, and the question what the bot can do.

    If the bot has a persona, its greeting and its questions are there in their place.
    """

    suggest: Callable[[int], Awaitable[Sequence[str]]]
    persona_of: Callable[[int | None], Awaitable[Persona | None]]

    def route(self) -> GuardedRoute:
        """The one route."""
        return GuardedRoute(SUGGESTIONS_PATH, "chat", handled_by(self.list))

    async def list(self, request: Request, caller: Caller) -> Response:
        """`{"questions": […], "greeting": "…"}`: questions in the order of the page, at least one.

        Without a persona, `greeting` is "".
        """
        locale, persona = locale_of(request), await self.persona_of(caller.user_id)
        opening = persona.opening_in(locale) if persona else FirstWords()
        questions = opening.starters or (
            say(locale, "web_chat-abilities"),
            *await self.suggest(caller.user_id),
        )
        return JSONResponse({"questions": questions, "greeting": opening.greeting})
