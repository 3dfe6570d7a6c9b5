"""The questions that the web chat offers in an empty conversation."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.chat_commands.suggestions import subjects_to_try
from rich_agent.domain.rights import Reader
from rich_agent.phrases import say
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.web.access import Caller
from rich_agent.web.languages import locale_of

SUGGESTIONS_PATH = "/chat/suggestions"


@dataclass(frozen=True, slots=True)
class SuggestedQuestions:
    """Suggests what /start suggests in Telegram, and to ask what the bot can do."""

    catalogue: SourceCatalogue

    async def list(self, request: Request, caller: Caller) -> Response:
        """`{"questions": […]}`, one to four, in the order of the page."""
        subjects = await subjects_to_try(self.catalogue, Reader(caller.user_id))
        return JSONResponse({"questions": [say(locale_of(request), "chat-abilities"), *subjects]})
