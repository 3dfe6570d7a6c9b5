"""Makes what features share."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from rich_agent.composition.repositories import Repositories
from rich_agent.composition.seals import make_seal
from rich_agent.domain.access import Access
from rich_agent.feature.core import NO_OUTLETS, Core, Documents, Outlets
from rich_agent.runs.service import RunService
from rich_agent.runtime.metering import Billing, UseObserver
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.composition.model_server import OpenModel

OpenDocuments = Callable[[Settings, Repositories], AbstractAsyncContextManager[Documents]]


def make_core(
    live: LiveSettings,
    repositories: Repositories,
    outlets: Outlets = NO_OUTLETS,
    observer: UseObserver | None = None,
) -> Core:
    """Make it of the open databases; `observer` is told of features' calls of models."""
    settings = live.now
    return Core(
        live=live,
        databases=repositories.databases,
        accounts=repositories.accounts,
        approvals=repositories.approvals,
        dead_letters=repositories.dead_letters,
        due_work=repositories.due_work,
        access=Access(settings.access.allowed_ids, settings.access.admin_users),
        setting_changes=repositories.setting_changes,
        audit=repositories.audit,
        confirmations=repositories.confirmations,
        past_turns=repositories.past_turns,
        usage=repositories.usage,
        spaces=repositories.spaces,
        uploads=repositories.uploads,
        runs=RunService(repositories.runs, repositories.stops),
        open_documents=lambda: _open_documents(settings, repositories),
        open_models=partial(_open_models, repositories),
        billing=Billing(repositories.usage, live.allowance, observer),
        now=lambda: datetime.now(UTC),
        make_seal=partial(make_seal, settings),
        tell_admins=outlets.admins.tell,
        alert_admins=outlets.admins.alert,
        messages=outlets.messages,
        surface=outlets.surface,
    )


@asynccontextmanager
async def _open_documents(
    settings: Settings, repositories: Repositories
) -> AsyncIterator[Documents]:
    open_documents = await asyncio.to_thread(_load_documents)
    async with open_documents(settings, repositories) as documents:
        yield documents


def _load_documents() -> OpenDocuments:
    # In a thread: it loads clients of models, and what reads vectors.
    import rich_agent.repositories.knowledge.passages  # noqa: F401, PLC0415 - see above
    from rich_agent.composition.knowledge import open_documents  # noqa: PLC0415 - see above

    return open_documents


@asynccontextmanager
async def _open_models(repositories: Repositories) -> "AsyncIterator[OpenModel]":
    # The clients of models take a second to load.
    from rich_agent.composition.model_server import open_models  # noqa: PLC0415 - see above

    async with open_models(repositories.capabilities) as access:
        yield access
