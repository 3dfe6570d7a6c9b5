"""The addresses of the core, which no feature may take, against the routes that are served."""

from prometheus_client import CollectorRegistry
from starlette.routing import Route

from rich_agent.composition.feature_names import CORE_PATHS
from rich_agent.composition.repositories import make_repositories
from rich_agent.composition.web import open_web_routes
from rich_agent.feature.parts import Parts
from rich_agent.repositories.database.pools import open_pools
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.webhook import Secrets, create_webhook_app
from rich_agent.web.addresses import paths_meet
from tests.acceptance.world import TOKEN
from tests.twins.inbox import InMemoryInbox


async def _ready() -> str:
    return ""


async def test_addresses_of_the_core_are_reserved(database_url: str) -> None:
    """Each of them, and none that the core does not have."""
    names = {"telegram_bot_token": TOKEN, "public_url": "https://bot.example"}
    settings = Settings.load(**names)
    async with open_pools(database_url, database_url, max_size=2) as databases:
        repositories = make_repositories(settings, databases)
        secrets = Secrets(webhook="secret")
        metrics = Metrics(CollectorRegistry())
        app = create_webhook_app(InMemoryInbox(), metrics, _ready, secrets=secrets)
        async with open_web_routes(LiveSettings(settings), repositories) as make_routes:
            app.router.routes.extend(make_routes(Parts()))
    paths = [route.path for route in app.router.routes if isinstance(route, Route)]
    free = [path for path in paths if not any(paths_meet(path, one) for one in CORE_PATHS)]
    assert free == []
    assert all(any(paths_meet(one, path) for path in paths) for one in CORE_PATHS)
