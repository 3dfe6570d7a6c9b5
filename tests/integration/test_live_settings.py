"""Settings that an operator changes in one process, and what another one does then."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import MagicMock

import psycopg
import pytest
import structlog

from rich_agent.composition.answering import _make_handler
from rich_agent.composition.app import open_turns
from rich_agent.composition.bot import Bot
from rich_agent.composition.chat_commands import make_chat_commands
from rich_agent.composition.core import make_core
from rich_agent.composition.features import NO_FEATURES
from rich_agent.composition.live_settings import (
    follow_changes,
    load_live_settings,
    open_live_settings,
    set_log_level,
)
from rich_agent.composition.model_server import open_models
from rich_agent.composition.repositories import Repositories, open_repositories
from rich_agent.composition.serving import _make_messenger
from rich_agent.composition.web import make_web_access
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.usage_limits import Usage
from rich_agent.errors import SettingsError
from rich_agent.feature.core import Core
from rich_agent.feature.parts import Parts
from rich_agent.graph.services import Services
from rich_agent.ports.usage import GuestLimits
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings, all_settings
from rich_agent.telegram.deliver.messenger import ReplyTarget
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.turns.runner import GraphTurns
from rich_agent.web.access import Gate
from tests.scripted import ScriptedFiles

DEADLINE_S = 10.0


@dataclass(frozen=True, slots=True)
class Process:
    """All that a process makes of its settings when it begins, and keeps."""

    live: LiveSettings
    repositories: Repositories
    core: Core
    turns: GraphTurns
    handler: UpdateHandler
    gate: Gate

    @property
    def services(self) -> Services:
        """The services of a turn that begins now."""
        return self.turns.tune(self.turns.services, "user")

    @property
    def group_services(self) -> Services:
        """The services of a turn for a group that begins now."""
        assert self.turns.group_services
        return self.turns.tune(self.turns.group_services, "group")

    def buttons(self) -> int:
        """The number of rows of buttons below an answer."""
        options = self.handler.answer_options()
        return len(options.final_buttons(ReplyTarget(1, 1, "en"), Answer("Yes.")))

    def shows_widgets(self) -> bool:
        """Whether messages are shown as widgets."""
        messenger = _make_messenger(self.repositories, MagicMock(), MagicMock(), self.live)
        assert messenger.living
        return messenger.living.is_on()

    def guests(self) -> GuestLimits:
        """The limits of questions in groups."""
        assert self.handler.guests
        return self.handler.guests.limits()

    def cost(self, **use: int) -> Any:
        """The cost of a use."""
        return self.core.settings.prices.cost("m", Usage(**use))

    def limit(self, name: str) -> Any:
        """A daily limit of a user, on each way to a model."""
        limits = [
            getattr(billing.allowance.of(42), name)
            for billing in (self.turns.billing, self.core.billing)
        ]
        assert limits[0] == limits[1]
        return limits[0]


PROBES: Mapping[str, tuple[str, Callable[[Process], Any]]] = {
    "DAILY_TOKENS": ("9000", lambda one: one.limit("tokens")),
    "DAILY_IMAGES": ("9", lambda one: one.limit("images")),
    "DAILY_SEARCHES": ("9", lambda one: one.limit("searches")),
    "DAILY_TOOL_CALLS": ("9", lambda one: one.limit("tool_calls")),
    "DAILY_AUDIO_SECONDS": ("9", lambda one: one.limit("audio_seconds")),
    "MODEL_PRICES": ("m=3/4", lambda one: one.cost(input_tokens=1_000_000)),
    "SEARCH_PRICE": ("0.5", lambda one: one.cost(searches=2)),
    "DOMAIN_NAME": ("boats", lambda one: one.services.domain.name),
    "DOMAIN_DESCRIPTION": ("Boats.", lambda one: one.services.domain.description),
    "DOMAIN_EXAMPLES": ("Which boat?", lambda one: one.services.domain.examples),
    "DEFAULT_LANGUAGE": ("ja", lambda one: one.repositories.accounts.default_language),
    "RECENT_TURNS": ("3", lambda one: one.services.limits.recent_turns),
    "RETRIEVAL_PASSAGES": ("9", lambda one: one.services.limits.retrieval.passages),
    "RETRIEVAL_MIN_SCORE": ("0.9", lambda one: one.services.limits.retrieval.min_score),
    "RETRIEVAL_ROUNDS": ("1", lambda one: one.services.limits.retrieval.rounds),
    "RETRIEVAL_ROUNDS_S": ("2", lambda one: one.services.limits.retrieval.rounds_s),
    "RETRIEVAL_ROUNDS_TOKENS": ("7", lambda one: one.services.limits.retrieval.rounds_tokens),
    "CHECK_ANSWERS": ("0.5", lambda one: one.services.limits.checked_share),
    "CHECK_ANSWERS_S": ("3", lambda one: one.services.limits.check_s),
    "FILE_SCANNED_PAGES": ("2", lambda one: one.services.limits.scanned_pages),
    "LINKS_PER_MESSAGE": ("0", lambda one: one.services.limits.links),
    "OPTIONAL_CALLS": ("never", lambda one: one.services.optional_calls.fit(1, 1, 1.0)),
    "APPROVAL_INTENTS": ("general_question", lambda one: one.services.approval_intents),
    "GUEST_WEB": ("true", lambda one: one.group_services.web is None),
    "GUEST_ANSWERS_PER_DAY": ("1", lambda one: one.guests().per_user_a_day),
    "GUEST_GROUP_ANSWERS_PER_HOUR": (
        "1",
        lambda one: one.guests().per_group_an_hour,
    ),
    "STREAMING": ("off", lambda one: one.handler.answer_options().streaming),
    "RICH_MESSAGES": ("true", lambda one: one.handler.answer_options().is_rich),
    "WIDGETS": ("auto", Process.shows_widgets),
    "FEEDBACK": ("false", Process.buttons),
    "API_REQUESTS_PER_MINUTE": ("1", lambda one: one.gate.requests.most),
    "LOG_LEVEL": ("error", lambda _: logging.getLogger().level),
}
"""Another value of each setting that changes, and what a process does by it."""


@pytest.fixture
def settings(database_url: str) -> Settings:
    """The settings with which each process begins."""
    return Settings.load(
        telegram_bot_token=f"123456:{'a' * 35}",
        openai_api_key="k",
        openai_base_url="http://127.0.0.1:9/v1",
        embedding_model="none",
        context_window=16_000,
        tokenizer="estimate",
        admin_users="7",
        database_url=database_url,
    )


@pytest.fixture(autouse=True)
def _kept_log_level() -> Iterator[None]:
    """Set the level of the log back at the end."""
    level, configuration = logging.getLogger().level, structlog.get_config()
    yield
    logging.getLogger().setLevel(level)
    structlog.configure(**configuration)


@pytest.fixture
async def process(settings: Settings) -> AsyncIterator[Process]:
    """A process that serves, made once of the settings at its start."""
    stop = asyncio.Event()
    async with open_repositories(settings) as repositories, repositories.inbox:
        live = await open_live_settings(settings, repositories)
        live.react(set_log_level)
        async with (
            open_turns(live, repositories, ScriptedFiles()) as without_web,
            open_models() as access,
            asyncio.TaskGroup() as group,
        ):
            turns = _with_web(without_web)
            nothing: Any = MagicMock()
            parts: list[Any] = [MagicMock() for _ in range(7)]
            bot = Bot(live, repositories, *parts)
            chat = make_chat_commands(live, repositories, turns, nothing, NO_FEATURES)
            handler = _make_handler(bot, turns, bot.messenger, access, chat)
            gate = make_web_access(live, repositories, Parts()).gate
            group.create_task(follow_changes(live, repositories, stop))
            core = make_core(live, repositories)
            yield Process(live, repositories, core, turns, handler, gate)
            stop.set()


def _with_web(turns: GraphTurns) -> GraphTurns:
    """The turns of a bot that has a web search."""
    assert turns.group_services
    web: Any = MagicMock()
    return replace(turns, group_services=replace(turns.group_services, web=web))


async def happens(is_so: Callable[[], bool]) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(DEADLINE_S):
        while not is_so():  # noqa: ASYNC110 - another process tells it
            await asyncio.sleep(0.01)


async def test_every_setting_that_changes_is_read_again(
    process: Process, settings: Settings
) -> None:
    """A change that another process stores changes what this one does, and is taken back."""
    marked = {name for name, one in all_settings().items() if one.changes_at_run_time}
    # Features show the same of theirs.
    own = {name for name in marked if all_settings()[name].path[0] != "sections"}
    assert PROBES.keys() == own
    before = {name: probe(process) for name, (_, probe) in PROBES.items()}
    async with open_repositories(settings) as elsewhere:
        other = await load_live_settings(settings, elsewhere.setting_changes)
        for name, (value, _) in PROBES.items():
            await elsewhere.setting_changes.change(name, value, 7, other.check)
        await happens(lambda: process.live.values.keys() == PROBES.keys())
        unmoved = [name for name, (_, probe) in PROBES.items() if probe(process) == before[name]]
        assert unmoved == []
        for name in PROBES:
            await elsewhere.setting_changes.change(name, None, 7, other.check)
        await happens(lambda: not process.live.values)
    assert {name: probe(process) for name, (_, probe) in PROBES.items()} == before


async def test_changes_are_told_and_kept(process: Process) -> None:
    """The same value again is no change, and a refused one is not stored."""
    changes, check = process.repositories.setting_changes, process.live.check
    assert await changes.version() == 0
    assert await changes.change("DAILY_TOKENS", "500", 7, check) is None
    assert await changes.change("DAILY_TOKENS", "500", 8, check) == "500"
    assert await changes.change("DAILY_TOKENS", "700", None, check) == "500"
    with pytest.raises(SettingsError, match="is not a whole number"):
        await changes.change("DAILY_TOKENS", "many", 7, check)
    present = await changes.present()
    assert [(one.value, one.changed_by) for one in present.values()] == [("700", None)]
    assert await changes.change("DAILY_TOKENS", None, 7, check) == "700"
    history = await changes.history("DAILY_TOKENS", 9)
    assert [(one.value, one.changed_by) for one in history] == [
        (None, 7),
        ("700", None),
        ("500", 7),
    ]
    assert await changes.present() == {}


async def test_process_that_missed_a_notification_catches_up(
    settings: Settings, database_url: str
) -> None:
    """A row that nobody told of is in effect at the next look."""
    stop = asyncio.Event()
    async with open_repositories(settings) as repositories, repositories.inbox:
        live = await load_live_settings(settings, repositories.setting_changes)
        async with asyncio.TaskGroup() as group:
            group.create_task(follow_changes(live, repositories, stop, look_s=0.05))
            with psycopg.connect(database_url, autocommit=True) as connection:
                connection.execute(
                    "INSERT INTO setting_changes (name, value) VALUES ('DAILY_IMAGES', '4')"
                )
            await happens(lambda: live.now.cost.daily_images == 4)
            stop.set()


async def test_value_of_another_version_is_left_out_and_told(
    settings: Settings, database_url: str
) -> None:
    """A process begins without a value that passes no longer; the others are in effect."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO setting_changes (name, value) VALUES ('DAILY_TOKENS', 'plenty'), "
            "('GONE_SINCE', '1'), ('DAILY_IMAGES', '4'), ('CREDENTIALS_KEY', 'stolen')"
        )
    async with open_repositories(settings) as repositories:
        live = await load_live_settings(settings, repositories.setting_changes)
    assert live.values == {"DAILY_IMAGES": "4"}
    assert live.refused.keys() == {"DAILY_TOKENS", "GONE_SINCE", "CREDENTIALS_KEY"}
    assert live.now.storage.credentials_key is None
