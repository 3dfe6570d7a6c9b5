"""Opens the installed features, and closes them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import structlog

from rich_agent.chat_commands.replies import Handlers
from rich_agent.composition.core import make_core
from rich_agent.composition.feature_joining import join_parts
from rich_agent.composition.feature_names import check_names, check_parts
from rich_agent.composition.repositories import Repositories
from rich_agent.errors import RichAgentError
from rich_agent.feature import Feature, MenuEntry, loaded_features
from rich_agent.feature.core import NO_OUTLETS, Core, Outlets, Surface
from rich_agent.feature.parts import Check, Parts
from rich_agent.installed import BrokenFeature, installed_features
from rich_agent.ports.personas import FindPersonas, no_personas
from rich_agent.runtime.concurrency import task_group
from rich_agent.runtime.metering import LateObserver, UseObserver
from rich_agent.settings.live import LiveSettings

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

_LONGEST_OPENING_S = 30.0
_LONGEST_CLOSING_S = 10.0
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class OpenFeatures:
    """The joined parts of all features that could be opened, and those that could not.

    `menu` has the entries of their commands, each declared by the feature that answers it. `broken`
    has those, too, whose own tasks broke while they were open.
    """

    parts: Parts = field(default_factory=Parts)
    checks: Mapping[str, Sequence[Check]] = field(default_factory=dict)
    metrics: "Mapping[str, Sequence[Collector]]" = field(default_factory=dict)
    menu: tuple[MenuEntry, ...] = ()
    broken: Sequence[BrokenFeature] = ()

    @property
    def find_personas(self) -> FindPersonas:
        """The personas of the first feature that has any."""
        return next(iter(self.parts.personas), no_personas)

    def handlers(self, *, for_admins: bool) -> Handlers:
        """The commands for everybody with all presses, or those for admins."""
        of_admins = {entry.name for entry in self.menu if entry.for_admins}
        commands = {
            name: answer
            for name, answer in self.parts.commands.items()
            if (name in of_admins) == for_admins
        }
        return Handlers(commands, {} if for_admins else self.parts.presses)


NO_FEATURES = OpenFeatures()


@asynccontextmanager
async def open_features(
    live: LiveSettings,
    repositories: Repositories,
    outlets: Outlets = NO_OUTLETS,
    observer: UseObserver | None = None,
) -> AsyncIterator[OpenFeatures]:
    """Open every feature; one that fails is left out, and the bot goes on without it.

    `observer` is told of the calls of models that features make.
    """
    for one in installed_features().broken:
        _log.warning("feature.not_loaded", feature=one.name, reason=one.reason)
    parts_by_name: dict[str, Parts] = {}
    failures: list[BrokenFeature] = []
    core = make_core(live, repositories, outlets, observer)
    async with AsyncExitStack() as stack:
        for feature in loaded_features():
            if missing_names := sorted({*feature.needs} - parts_by_name.keys()):
                reason = f"it needs {missing_names[0]}, which is not open"
                failures.append(BrokenFeature(feature.name, reason))
                continue
            context = _FeatureContext(feature, failures.append)
            stack.push_async_callback(context.close)
            if parts := await context.open(core, parts_by_name):
                parts_by_name[feature.name] = parts
        all_parts = join_parts(parts_by_name)
        core.dated_entries.extend(all_parts.dated_entries)
        core.sign_in_links.extend(all_parts.sign_in_links)
        core.sign_in_phrases.extend(all_parts.sign_in_phrases)
        core.page_links.extend(all_parts.page_links)
        core.panels.extend(sorted(all_parts.panels, key=lambda panel: panel.order))
        yield OpenFeatures(
            all_parts,
            {name: parts.checks for name, parts in parts_by_name.items() if parts.checks},
            {name: parts.metrics for name, parts in parts_by_name.items() if parts.metrics},
            tuple(_menu_entries(parts_by_name)),
            failures,
        )


def _menu_entries(parts_by_name: Mapping[str, Parts]) -> Iterator[MenuEntry]:
    """The entries of commands that the feature of the entry answers itself."""
    for feature in loaded_features():
        parts = parts_by_name.get(feature.name, Parts())
        yield from (entry for entry in feature.menu if entry.name in parts.commands)


@dataclass(slots=True, eq=False)
class _FeatureContext:
    """The context of a feature, entered and left in one task that is its own.

    So neither an error nor a cancellation comes from the feature to the core, or the other way.
    `note_failure` is called if there are no parts, or if the feature ends before it is closed.
    """

    feature: Feature
    note_failure: Callable[[BrokenFeature], None]
    _parts: Parts | None = None
    _failure: BrokenFeature | None = None
    _is_decided: asyncio.Event = field(default_factory=asyncio.Event)
    _end: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    async def open(self, core: Core, parts_by_name: Mapping[str, Parts]) -> Parts | None:
        """The parts; None if the feature failed or was refused, and is closed again."""
        self._task = asyncio.create_task(self._keep_open(core, parts_by_name))
        self._task.add_done_callback(self._note_end)
        await self._is_decided.wait()
        if self._parts is None and self._failure is None:
            self._fail("its opening was cancelled")
        return self._parts

    async def close(self) -> None:
        """Leave the context; it logs what fails then."""
        self._end.set()
        if self._task is None:
            return
        if not self._is_decided.is_set():
            self._task.cancel()
        try:
            await asyncio.wait({self._task})
        except asyncio.CancelledError:
            self._task.cancel()
            await asyncio.wait({self._task})
            raise

    async def _keep_open(self, core: Core, parts_by_name: Mapping[str, Parts]) -> None:
        stack = AsyncExitStack()
        try:
            parts = await _enter(stack, self.feature, core)
            check_parts(parts)
            check_names(self.feature, parts, parts_by_name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger's module does
            _log.exception("feature.not_opened", feature=self.feature.name)
            self._explain(error)
        else:
            self._parts = parts
            self._is_decided.set()
            await self._end.wait()
        finally:
            try:
                await _leave(stack, self.feature)
            finally:
                self._is_decided.set()

    def _explain(self, error: BaseException) -> None:
        if isinstance(error, RichAgentError):
            self._fail(str(error), error.hint)
        else:
            self._fail(": ".join(filter(None, (type(error).__name__, str(error)))))

    def _note_end(self, _task: asyncio.Task[None]) -> None:
        """Note a feature that was open and ends by itself, as when one of its tasks breaks."""
        if self._parts is not None and not self._end.is_set():
            _log.error("feature.ended", feature=self.feature.name)
            self._fail("it ended while it was open; the log has the reason")

    def _fail(self, reason: str, hint: str = "") -> None:
        self._failure = BrokenFeature(self.feature.name, reason, hint)
        self.note_failure(self._failure)


async def _enter(stack: AsyncExitStack, feature: Feature, core: Core) -> Parts:
    """Open the feature. Raises: TimeoutError, and whatever the feature raises."""
    try:
        async with asyncio.timeout(_LONGEST_OPENING_S) as limit:
            return await stack.enter_async_context(feature.open(core))
    except TimeoutError as error:
        if limit.expired():
            raise TimeoutError(f"it did not open within {_LONGEST_OPENING_S:.0f} s") from error
        raise


async def _leave(stack: AsyncExitStack, feature: Feature) -> None:
    try:
        async with asyncio.timeout(_LONGEST_CLOSING_S):
            await stack.aclose()
    except (Exception, SystemExit):  # noqa: BLE001 - whatever a stranger's module does
        _log.exception("feature.not_closed", feature=feature.name)


@dataclass(slots=True)
class OpeningFeatures:
    """The features of a process, which are opened while it receives messages already.

    `use` forwards what their calls of models use, once there is somebody to observe it.
    """

    use: LateObserver = field(default_factory=LateObserver)
    _features: OpenFeatures | None = None
    _is_open: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_done(self) -> bool:
        """Whether all are open or left out."""
        return self._is_open.is_set()

    @property
    def current(self) -> OpenFeatures:
        """The features once all are open or left out; none until then."""
        return self._features or NO_FEATURES

    def hears(self) -> bool:
        """Whether a feature reads recordings, as far as they are open."""
        reader = self.current.parts.media.get("voice")
        return reader is not None and reader.read is not None

    async def wait(self) -> OpenFeatures:
        """The features, as soon as all are open or left out."""
        await self._is_open.wait()
        assert self._features is not None  # noqa: S101 - it is there before the event
        return self._features

    def finish(self, features: OpenFeatures) -> None:
        """Hand the features to all who wait for them."""
        self._features = features
        self._is_open.set()

    async def keep_open(
        self, opening: AbstractAsyncContextManager[OpenFeatures], end: asyncio.Event
    ) -> None:
        """Open the features, and close them once `end` is set."""
        async with opening as features:
            self.finish(features)
            await end.wait()


@asynccontextmanager
async def features_opened_meanwhile(
    live: LiveSettings,
    repositories: Repositories,
    outlets: Outlets,
    make_surface: Callable[[OpeningFeatures], Surface],
) -> AsyncIterator[OpeningFeatures]:
    """Open the features while the block runs; they are closed after it."""
    opening, end = OpeningFeatures(), asyncio.Event()
    outlets = replace(outlets, surface=make_surface(opening))
    features = open_features(live, repositories, outlets, opening.use)
    async with task_group() as group:
        keeping = group.create_task(opening.keep_open(features, end))
        try:
            yield opening
        finally:
            end.set()
            if not opening.is_done:
                keeping.cancel()
