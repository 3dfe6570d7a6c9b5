"""`POST /agui/turns/{request_id}/undo`: takes back what was done for a message of the caller."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.ports.tools import Tools
from rich_agent.web.access import Caller
from rich_agent.web.languages import locale_of
from rich_agent.web.refusals import RequestRefusedError

UNDO_PATH = "/agui/turns/{request_id}/undo"


@dataclass(frozen=True, slots=True)
class UndoEndpoint:
    """Takes back the changes of the caller's own turns; those of others are not found."""

    tools: Tools

    async def undo(self, request: Request, caller: Caller) -> Response:
        """A line for each change that was taken back."""
        request_id = request.path_params["request_id"]
        lines = await self.tools.undo(caller.user_id, request_id, locale_of(request))
        if not lines:
            raise RequestRefusedError(
                404, "nothing_to_undo", "There is nothing here that can be taken back any more."
            )
        return JSONResponse({"undone": list(lines)})
