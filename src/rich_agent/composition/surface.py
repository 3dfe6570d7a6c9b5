"""Makes what surfaces of features share; most of it is loaded when a user first needs it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from rich_agent.chat_commands.preferences import TimeZone
from rich_agent.composition.features import OpeningFeatures
from rich_agent.composition.menus import make_menu
from rich_agent.composition.ratings import ReportedFeedback
from rich_agent.composition.repositories import Repositories
from rich_agent.domain.message import thread_of
from rich_agent.domain.persona import Persona
from rich_agent.domain.rights import Reader
from rich_agent.feature.core import Surface, TurnKey
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.memories import Memories
from rich_agent.ports.tools import Tools
from rich_agent.runs.service import UploadedFiles
from rich_agent.runtime.personas import choose_persona
from rich_agent.settings.live import LiveSettings

_RECALLING = "N2_load_long_term_memory"

if TYPE_CHECKING:
    from rich_agent.turns.rehearsal import Rehearsal


def make_surface(
    live: LiveSettings,
    repositories: Repositories,
    files: ImageFiles,
    bot_names: Callable[[], tuple[str, str]],
    features: OpeningFeatures,
) -> Surface:
    """Make it; `files` is what Telegram keeps, `bot_names` what it calls the bot."""
    buttons = _Buttons(live, repositories, features)
    return Surface(
        menu=lambda: make_menu(live.now, features.current),
        persona_of=buttons.persona_of,
        bot_name=lambda: bot_names()[0],
        bot_username=lambda: bot_names()[1],
        hears=features.hears,
        news=repositories.news,
        attempts=repositories.inbox.attempts,
        feedback=ReportedFeedback(repositories.feedback, lambda: features.current.parts.ratings),
        files=UploadedFiles(repositories.uploads, files),
        conversations=lambda: repositories.conversations,
        user_files=lambda: repositories.user_files,
        suggest=buttons.suggest,
        explain=buttons.explain,
        explain_to=buttons.explain_to,
        undo=buttons.undo,
        personal_data=repositories.user_data,
        memories=buttons.memories,
        choose_time_zone=buttons.choose_time_zone,
        open_rehearsal=partial(_open_rehearsal, live, repositories, features),
    )


@dataclass(slots=True, eq=False)
class _Buttons:
    """The deeds of Telegram's buttons, without their words."""

    live: LiveSettings
    repositories: Repositories
    features: OpeningFeatures
    _tools: Tools | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def suggest(self, user_id: int) -> Sequence[str]:
        await asyncio.to_thread(_load_knowledge)
        from rich_agent.chat_commands.suggestions import subjects_to_try

        catalogue = self.repositories.knowledge.catalogue
        return await subjects_to_try(self.live.now.turn.domain, catalogue, Reader(user_id))

    async def persona_of(self, user_id: int | None) -> Persona | None:
        find, spaces = self.features.current.find_personas, self.repositories.spaces
        return await choose_persona(find, spaces, Reader(user_id))

    async def explain(self, user_id: int, turn: str, locale: str) -> str | None:
        decision = await self.repositories.decisions.find(thread_of(user_id), turn)
        if decision is None:
            return None
        await asyncio.to_thread(_load_explaining)
        from rich_agent.chat_commands.why import explain_to, recollect
        from rich_agent.rendering.message_markdown import as_markdown

        graph = self.repositories.graph
        recollection = await recollect(decision, user_id, graph.memories, graph.archive)
        spaces = self.repositories.spaces
        explanation = await explain_to(Reader(user_id), decision, spaces, locale, recollection)
        return as_markdown(explanation)

    async def memories(self) -> Memories:
        await asyncio.to_thread(_load_explaining)
        return self.repositories.graph.memories

    async def choose_time_zone(self, user_id: int, zone: str) -> None:
        features = await self.features.wait()
        moves = features.parts.zone_moves
        await TimeZone(self.repositories.accounts, moves).move(user_id, zone)

    async def explain_to(self, reader_id: int, turn: TurnKey, locale: str) -> str | None:
        decision = await self.repositories.decisions.find(turn.thread_id, turn.request_id)
        if decision is None:
            return None
        await asyncio.to_thread(_load_explaining)
        from rich_agent.chat_commands.why import explain_to

        # A planner words its reason with what the conversation says.
        nodes = {name: lines for name, lines in decision.nodes.items() if name != _RECALLING}
        impersonal = replace(decision, reason="", nodes=nodes)
        spaces = self.repositories.spaces
        return (await explain_to(Reader(reader_id), impersonal, spaces, locale)).text

    async def undo(self, user_id: int, turn: str, locale: str) -> Sequence[str]:
        async with self._opening:
            if self._tools is None:
                features = await self.features.wait()
                await asyncio.to_thread(_load_knowledge)
                from rich_agent.composition.tools import ToolUpstreams, make_tools

                # They search and call nothing.
                outside = ToolUpstreams()
                self._tools = make_tools(self.live, self.repositories, None, outside, features)
        return await self._tools.undo(user_id, turn, locale)


@asynccontextmanager
async def _open_rehearsal(
    live: LiveSettings, repositories: Repositories, features: OpeningFeatures
) -> "AsyncIterator[Rehearsal]":
    """See `Surface.open_rehearsal`. Raises: SettingsError without a key."""
    open_features = await features.wait()
    await asyncio.to_thread(_load_graph)
    from rich_agent.composition.app import open_rehearsal

    async with open_rehearsal(live, repositories, open_features) as rehearsal:
        yield rehearsal


# In threads: what comes meanwhile is received and stored.
def _load_knowledge() -> None:
    import rich_agent.composition.tools
    import rich_agent.repositories.knowledge.passages
    import rich_agent.repositories.knowledge.source_catalogue  # noqa: F401


def _load_graph() -> None:
    import rich_agent.composition.app  # noqa: F401


def _load_explaining() -> None:
    import rich_agent.chat_commands.why
    import rich_agent.rendering.message_markdown
    import rich_agent.repositories.memories
    import rich_agent.repositories.turns.archive
    import rich_agent.repositories.turns.checkpoints  # noqa: F401
