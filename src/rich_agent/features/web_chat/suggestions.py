"""The questions that the page offers in an empty conversation."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature import say
from rich_agent.feature.web import Caller, GuardedRoute, handled_by, locale_of

SUGGESTIONS_PATH = "/chat/suggestions"


@dataclass(frozen=True, slots=True)
class SuggestedQuestions:
    """Suggests the questions of /start in Telegram, and the question what the bot can do."""

    suggest: Callable[[int], Awaitable[Sequence[str]]]

    def route(self) -> GuardedRoute:
        """The one route."""
        return GuardedRoute(SUGGESTIONS_PATH, "chat", handled_by(self.list))

    async def list(self, request: Request, caller: Caller) -> Response:
        """`{"questions": […]}` with one to four questions, in the order of the page."""
        subjects = await self.suggest(caller.user_id)
        abilities = say(locale_of(request), "web_chat-abilities")
        return JSONResponse({"questions": [abilities, *subjects]})
