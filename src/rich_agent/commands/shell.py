"""Opens the core for commands of features; each part is loaded when it is opened."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich_agent.feature.core import Core
    from rich_agent.feature.shell import FormModel
    from rich_agent.ports.images import ImageFiles
    from rich_agent.ports.turns import StoredTurn
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
        from rich_agent.composition.live_settings import load_live_settings
        from rich_agent.composition.repositories import open_repositories

        async with open_repositories(settings, read_only=read_only) as repositories:
            live = await load_live_settings(settings, repositories.setting_changes)
            yield make_core(live, repositories)

    @asynccontextmanager
    async def open_rehearsal(
        self, settings: "Settings", *, photos_of: "StoredTurn | None" = None
    ) -> AsyncIterator["Rehearsal"]:
        """See `Shell.open_rehearsal`."""
        from rich_agent.composition import app
        from rich_agent.composition.features import open_features
        from rich_agent.composition.live_settings import load_live_settings
        from rich_agent.composition.repositories import open_repositories

        async with (
            _open_photos(settings, photos_of) as files,
            open_repositories(settings, read_only=True) as repositories,
        ):
            live = await load_live_settings(settings, repositories.setting_changes)
            async with (
                open_features(live, repositories) as features,
                app.open_rehearsal(live, repositories, features, files) as rehearsal,
            ):
                yield rehearsal

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


@asynccontextmanager
async def _open_photos(
    settings: "Settings", turn: "StoredTurn | None"
) -> AsyncIterator["ImageFiles"]:
    """Open the source of the photos of a turn: Telegram for its own, otherwise this machine."""
    from rich_agent.composition.telegram_server import IMAGE_LIMITS, open_telegram
    from rich_agent.upstreams.local_files import LocalImageFiles

    if turn and turn.decision.request_id.startswith("tg:") and settings.telegram.bot_token:
        async with open_telegram(settings) as telegram:
            yield telegram
    else:
        yield LocalImageFiles(IMAGE_LIMITS.max_bytes)
