"""What other programs reach over HTTP: every route for them, behind one gate."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.routing import Route

from rich_agent.composition.repositories import Repositories
from rich_agent.composition.telegram_server import IMAGE_LIMITS
from rich_agent.runs.desk import RunDesk
from rich_agent.settings.settings import Settings
from rich_agent.telegram.access import Access
from rich_agent.web.access import Gate
from rich_agent.web.agui.endpoints import AguiEndpoints
from rich_agent.web.limits import RateLimit
from rich_agent.web.routes import GuardedRoute, guard
from rich_agent.web.token_check import token_check


def web_routes(settings: Settings, repositories: Repositories) -> Sequence[Route]:
    """The routes; without a token they answer 401."""
    access = Access(settings.allowed_ids, settings.admin_users)
    gate = Gate(
        repositories.api_tokens, access.permits, RateLimit(settings.api_requests_per_minute)
    )
    front = urlsplit(settings.public_address or "").path
    return list(guard(_guarded(repositories), gate, origins=settings.cors_origins, front=front))


def _guarded(repositories: Repositories) -> Sequence[GuardedRoute]:
    desk = RunDesk(repositories.runs, repositories.stops)
    chat = AguiEndpoints(desk, repositories.uploads, IMAGE_LIMITS)
    return (token_check(), *chat.routes())
