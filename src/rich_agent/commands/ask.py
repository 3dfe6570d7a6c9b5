"""`rich-agent ask`: opens the agent and prints one answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rich_agent.commands.chat_answer import STAGES, numbered, sources_of
from rich_agent.composition.app import open_turns
from rich_agent.composition.repositories import Repositories, open_repositories
from rich_agent.composition.telegram_server import IMAGE_LIMITS
from rich_agent.domain.message import TurnRequest, User
from rich_agent.ports.turns import TurnOutcome
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import StatusLine, out, out_json
from rich_agent.terminal.conversation import ask_turn, outcome_to_json, terminal_request
from rich_agent.turns.runner import Finished, GraphTurns, StageChanged
from rich_agent.upstreams.local_files import LocalImageFiles


@dataclass(frozen=True, slots=True)
class Session:
    """An open agent at the terminal."""

    settings: Settings
    repositories: Repositories
    turns: GraphTurns


@asynccontextmanager
async def open_session() -> AsyncIterator[Session]:
    """The agent as the settings say.

    Raises: SettingsError, DatabaseUnavailableError, SchemaError.
    """
    settings = Settings.load("openai_api_key")
    settings.forget_secrets()
    configure_logging(settings.log_format, "error", settings.secrets)
    files = LocalImageFiles(IMAGE_LIMITS.max_bytes)
    async with (
        open_repositories(settings) as repositories,
        open_turns(settings, repositories, files) as turns,
        repositories.inbox,
    ):
        yield Session(settings, repositories, turns)


def ask_at_terminal(question: str, *, user_id: int, image: Path | None, as_json: bool) -> None:
    """Ask once and print the answer with its sources, or JSON.

    Raises: RichAgentError.
    """
    request = terminal_request(User(user_id), question, str(image.resolve()) if image else None)
    outcome = asyncio.run(_ask(request))
    if as_json:
        out_json(outcome_to_json(outcome))
        return
    choices = tuple((outcome.interrupt or {}).get("choices", ()))
    answer = outcome.answer
    out(answer.text + sources_of(answer.citations) + numbered(choices))


async def _ask(request: TurnRequest) -> TurnOutcome:
    outcome: TurnOutcome | None = None
    with StatusLine() as status:
        async with open_session() as session:
            async for event in ask_turn(request, session.turns, session.repositories.inbox):
                match event:
                    case StageChanged(stage):
                        status.show(STAGES[stage])
                    case Finished(outcome):
                        status.clear()
    assert outcome is not None  # noqa: S101 - the last event of every turn is Finished
    return outcome
