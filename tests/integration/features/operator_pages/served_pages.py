"""All pages of operators, served in this process over a real database."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import MagicMock

import httpx
import pytest
from starlette.applications import Starlette

from bench.browser_sessions import begin_session
from rich_agent.composition.features import open_features
from rich_agent.composition.repositories import Repositories, open_repositories
from rich_agent.composition.web import make_web_access
from rich_agent.feature.core import Outlets, Surface
from rich_agent.features.operator_pages.roles import ROLES
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.web.pages.areas import PageArea
from rich_agent.web.pages.routes import PageRoute
from rich_agent.web.routes import GuardedRoute
from tests.integration.catalogue import execute
from tests.needed_features import need_feature

HOME = "https://bot.example"
OWNER, STRANGER = 7, 8
USERS: dict[str, int] = {role: 10 + number for number, role in enumerate(ROLES)}


@dataclass(frozen=True)
class Pages:
    """The routes that features declared in the operator's area, as they are served."""

    routes: Sequence[PageRoute]
    served: Starlette
    repositories: Repositories

    async def browser(self, user_id: int, **headers: str) -> httpx.AsyncClient:
        """A browser with a session of the user; without headers, it shows an own page."""
        secret = await begin_session(self.repositories.databases.app, user_id)
        own = {"Origin": HOME, "Sec-Fetch-Site": "same-origin"}
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(self.served, client=("203.0.113.9", 5)),
            base_url=HOME,
            headers=headers or own,
            cookies={"__Host-rich_agent": secret},
        )

    async def audited(self) -> int:
        """The number of records in the audit."""
        records = [one async for one in self.repositories.audit.all_records()]
        return len(records)


@pytest.fixture
async def pages(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Pages]:
    """All features, open over a real database; nobody is asked outside."""
    need_feature("web_chat")
    declared: list[PageRoute] = []
    add_routes = PageArea.routes

    def note_routes(
        area: PageArea, routes: Sequence[PageRoute], templates: Path | None = None
    ) -> Sequence[GuardedRoute]:
        if area.path == "/operator":
            declared.extend(routes)
        return add_routes(area, routes, templates)

    monkeypatch.setattr(PageArea, "routes", note_routes)
    settings = Settings.load(
        telegram_bot_token="700000001:AAF-sandbox-token-for-the-tests-000",
        openai_api_key="k",
        openai_base_url="http://127.0.0.1:9/v1",
        database_url=database_url,
        data_dir=tmp_path,
        public_url=HOME,
        allowed_users="*",
        admin_users={OWNER},
        api_requests_per_minute=0,
        intranet_hosts="10.0.0.0/8",
    )
    for role, user_id in USERS.items():
        execute(
            database_url,
            f"INSERT INTO operator_roles (user_id, role, given_by) VALUES ({user_id}, '{role}', 7)",
        )
    async with open_repositories(settings) as repositories, repositories.inbox:
        surface = MagicMock(spec=Surface)
        surface.news, surface.bot_name = repositories.news, lambda: "Bot"
        surface.bot_username = lambda: "bot"
        outlets = Outlets(surface=surface)
        async with open_features(LiveSettings(settings), repositories, outlets) as features:
            assert features.broken == []
            access = make_web_access(LiveSettings(settings), repositories, features.parts)
            routes = list(access.routes(features.parts.routes, features.parts.open_routes))
            yield Pages(declared, Starlette(routes=routes), repositories)
