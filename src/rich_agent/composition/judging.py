"""The model that marks answers: the planner's."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich_agent.composition.model_server import open_models
from rich_agent.composition.repositories import Repositories
from rich_agent.ports.models import AnswerJudge
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.models.judging import OpenAIAnswerJudge


@asynccontextmanager
async def open_judge(settings: Settings, repositories: Repositories) -> AsyncIterator[AnswerJudge]:
    """Open the judge. Raises: SettingsError without a key."""
    async with open_models(repositories.capabilities) as access:
        yield OpenAIAnswerJudge(access(settings.models.role("planner")))
