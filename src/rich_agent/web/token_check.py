"""`GET /api/token`: what a token may do, for whoever sets up a program."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.web.access import Caller
from rich_agent.web.routes import GuardedRoute, handled_by

PATH = "/api/token"


async def _describe(_request: Request, caller: Caller) -> Response:
    return JSONResponse({"user_id": caller.user_id, "scopes": sorted(caller.scopes)})


def token_check() -> GuardedRoute:
    """The route; every token opens it."""
    return GuardedRoute(PATH, None, handled_by(_describe))
