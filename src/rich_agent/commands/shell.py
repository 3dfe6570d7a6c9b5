"""Opens the core for commands of features; each part is loaded when it is opened."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich_agent.feature.core import Core
    from rich_agent.feature.shell import FormModel
    from rich_agent.settings.settings import Settings
    from rich_agent.turns.rehearsal import Rehearsal


class ProgramShell:
    """Implements `Shell`."""

    @asynccontextmanager
    async def open_core(
        self, settings: "Settings", *, read_only: bool = False
    ) -> AsyncIterator["Core"]:
        """See `Shell.open_core`."""
        from rich_agent.composition.core import make_core
        from rich_agent.composition.repositories import open_repositories

        async with open_repositories(settings, read_only=read_only) as repositories:
            yield make_core(settings, repositories)

    @asynccontextmanager
    async def open_rehearsal(self, settings: "Settings") -> AsyncIterator["Rehearsal"]:
        """See `Shell.open_rehearsal`."""
        from rich_agent.composition.app import open_services, without_effects
        from rich_agent.composition.repositories import open_repositories
        from rich_agent.composition.telegram_server import IMAGE_LIMITS
        from rich_agent.turns.rehearsal import Rehearsal
        from rich_agent.upstreams.local_files import LocalImageFiles

        files = LocalImageFiles(IMAGE_LIMITS.max_bytes)
        async with (
            open_repositories(settings, read_only=True) as repositories,
            open_services(settings, repositories, files) as services,
        ):
            yield Rehearsal(without_effects(services), settings.cost.prices)

    @asynccontextmanager
    async def open_model(self, settings: "Settings") -> AsyncIterator["FormModel"]:
        """See `Shell.open_model`."""
        from rich_agent.composition.model_server import open_models
        from rich_agent.composition.repositories import open_repositories
        from rich_agent.upstreams.models.forms import OpenAIFormModel

        async with (
            open_repositories(settings, read_only=True) as repositories,
            open_models(repositories.capabilities) as access,
        ):
            yield OpenAIFormModel(access(settings.models.role("planner")))
