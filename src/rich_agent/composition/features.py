"""Opens the installed features and joins their parts."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import structlog

from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL
from rich_agent.chat_commands.replies import Handlers
from rich_agent.composition.core import make_core
from rich_agent.composition.repositories import Repositories
from rich_agent.feature import Feature, loaded_features
from rich_agent.feature.parts import Check, Loop, Parts
from rich_agent.installed import BrokenFeature, installed_features
from rich_agent.runtime.concurrency import unless
from rich_agent.settings.settings import Settings

_LONGEST_OPENING_S = 30.0
_PAUSE_S = 5.0
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
                async with asyncio.timeout(_LONGEST_OPENING_S):
                    parts = await stack.enter_async_context(feature.open(core))
                _check_names(feature, parts, opened)
            except Exception as error:  # noqa: BLE001 - whatever a stranger's module does
                _log.exception("feature.not_opened", feature=feature.name)
                broken.append(BrokenFeature(feature.name, f"{type(error).__name__}: {error}"))
            else:
                opened[feature.name] = parts
        yield OpenFeatures(
            _join(opened.values()),
            {name: parts.checks for name, parts in opened.items() if parts.checks},
            frozenset(
                entry.name for one in loaded_features() for entry in one.menu if entry.for_admins
            ),
            tuple(broken),
        )


def _check_names(feature: Feature, parts: Parts, opened: Mapping[str, Parts]) -> None:
    """Refuse what another feature or the core has already, and commands in no menu.

    Raises: ValueError.
    """
    listed = {entry.name for entry in feature.menu}
    for name in parts.commands:
        if name in {*FOR_ALL, *FOR_ADMINS}:
            raise ValueError(f"the command {name} is the core's")
        if name not in listed:
            raise ValueError(f"the command {name} has no entry in the menu")
    for other, theirs in opened.items():
        for kind, own, taken in (
            ("tool", {tool.name for tool in parts.tools}, {tool.name for tool in theirs.tools}),
            ("command", parts.commands.keys(), theirs.commands.keys()),
            ("button", parts.presses.keys(), theirs.presses.keys()),
            ("kind of work", parts.work.keys(), theirs.work.keys()),
        ):
            if both := sorted(own & taken):
                raise ValueError(f"the {kind} {both[0]} belongs to {other}")


def _join(parts: Collection[Parts]) -> Parts:
    return Parts(
        tools=[tool for one in parts for tool in one.tools],
        commands={name: answer for one in parts for name, answer in one.commands.items()},
        presses={verb: answer for one in parts for verb, answer in one.presses.items()},
        work={kind: work for one in parts for kind, work in one.work.items()},
        loops=[_survivable(loop) for one in parts for loop in one.loops],
        below_answer=[line for one in parts for line in one.below_answer],
    )


def _survivable(loop: Loop) -> Loop:
    """The loop; if it breaks, it is begun again after a pause, and ends nothing else."""

    async def run(stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await loop(stop)
            except Exception:  # noqa: BLE001 - a feature's loop ends none of the core's
                _log.exception("feature.loop_broke")
                await unless(stop, asyncio.sleep(_PAUSE_S))
            else:
                return

    return run
