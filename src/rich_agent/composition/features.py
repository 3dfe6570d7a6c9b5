"""Opens the installed features and joins their parts."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from rich_agent.chat_commands.replies import Handlers
from rich_agent.composition.repositories import Repositories
from rich_agent.domain.access import Access
from rich_agent.feature import loaded_features
from rich_agent.feature.parts import Check, Core, Parts
from rich_agent.installed import BrokenFeature, installed_features
from rich_agent.settings.settings import Settings

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class OpenFeatures:
    """The joined parts of all features that could be opened, and those that could not.

    `for_admins` are the names of commands that only admins may use.
    """

    parts: Parts = field(default_factory=Parts)
    checks: Mapping[str, Sequence[Check]] = field(default_factory=dict)
    for_admins: frozenset[str] = frozenset()
    broken: tuple[BrokenFeature, ...] = ()

    def handlers(self, *, for_admins: bool) -> Handlers:
        """The commands for everybody with all presses, or those for admins."""
        commands = {
            name: answer
            for name, answer in self.parts.commands.items()
            if (name in self.for_admins) == for_admins
        }
        return Handlers(commands, {} if for_admins else self.parts.presses)


NO_FEATURES = OpenFeatures()


def make_core(settings: Settings, repositories: Repositories) -> Core:
    """Make what features share."""
    return Core(
        settings=settings,
        databases=repositories.databases,
        accounts=repositories.accounts,
        access=Access(settings.access.allowed_ids, settings.access.admin_users),
        past_turns=repositories.past_turns,
        now=lambda: datetime.now(UTC),
    )


@asynccontextmanager
async def open_features(
    settings: Settings, repositories: Repositories
) -> AsyncIterator[OpenFeatures]:
    """Open every feature; one that fails is left out, and the bot goes on without it."""
    core = make_core(settings, repositories)
    for one in installed_features().broken:
        _log.warning("feature.not_loaded", feature=one.name, reason=one.reason)
    opened: dict[str, Parts] = {}
    broken: list[BrokenFeature] = []
    async with AsyncExitStack() as stack:
        for feature in loaded_features():
            try:
                parts = await stack.enter_async_context(feature.open(core))
                _check_names(parts, opened)
            except Exception as error:  # noqa: BLE001 - whatever a stranger's module does
                _log.exception("feature.not_opened", feature=feature.name)
                broken.append(BrokenFeature(feature.name, f"{type(error).__name__}: {error}"))
            else:
                opened[feature.name] = parts
        yield OpenFeatures(
            _joined(opened.values()),
            {name: parts.checks for name, parts in opened.items() if parts.checks},
            frozenset(
                entry.name for one in loaded_features() for entry in one.menu if entry.for_admins
            ),
            tuple(broken),
        )


def _check_names(parts: Parts, opened: Mapping[str, Parts]) -> None:
    """Refuse what another feature has already. Raises: ValueError."""
    for other, theirs in opened.items():
        for kind, own, taken in (
            ("tool", {tool.name for tool in parts.tools}, {tool.name for tool in theirs.tools}),
            ("command", parts.commands.keys(), theirs.commands.keys()),
            ("button", parts.presses.keys(), theirs.presses.keys()),
            ("kind of work", parts.work.keys(), theirs.work.keys()),
        ):
            if both := sorted(own & taken):
                raise ValueError(f"the {kind} {both[0]} belongs to {other}")


def _joined(parts: Collection[Parts]) -> Parts:
    return Parts(
        tools=[tool for one in parts for tool in one.tools],
        commands={name: answer for one in parts for name, answer in one.commands.items()},
        presses={verb: answer for one in parts for verb, answer in one.presses.items()},
        work={kind: work for one in parts for kind, work in one.work.items()},
        loops=[loop for one in parts for loop in one.loops],
        below_answer=[line for one in parts for line in one.below_answer],
    )
