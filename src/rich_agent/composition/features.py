"""Opens the installed features and joins their parts."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import date

import structlog
from starlette.routing import Route

from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL
from rich_agent.chat_commands.preferences import ZoneMove
from rich_agent.chat_commands.replies import Handlers
from rich_agent.composition.core import make_core
from rich_agent.composition.repositories import Repositories
from rich_agent.domain.dated_entry import DatedEntries, DatedEntry
from rich_agent.domain.media import MEDIA_KINDS
from rich_agent.domain.words import Words
from rich_agent.errors import DatabaseUnavailableError, LaneLostError, RichAgentError
from rich_agent.feature import Feature, MenuEntry, loaded_features
from rich_agent.feature.core import NO_OUTLETS, Core, Outlets, Surface
from rich_agent.feature.parts import Check, Loop, Parts
from rich_agent.installed import BrokenFeature, installed_features
from rich_agent.notices import (
    MakeContent,
    NoteDelivery,
    NoticeContent,
    NoticeRequest,
    UserNotice,
    WordNotice,
)
from rich_agent.ports.approvals import APPROVAL_WORK, NOTICE_KIND
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.memories import LESSON_WORK
from rich_agent.ports.reminders import FIRING_WORK, REMINDER_WORK
from rich_agent.ports.runs import RUN_WORK
from rich_agent.ports.search_engines import SearchEngine
from rich_agent.runtime.concurrency import task_group, unless
from rich_agent.runtime.metering import LateObserver, UseObserver
from rich_agent.settings.settings import Settings
from rich_agent.telegram.receive.webhook_health import WEBHOOK_PATH
from rich_agent.web.addresses import paths_meet

CORE_PATHS = (
    *("/healthz", "/health", "/readyz", "/metrics", WEBHOOK_PATH, "/api/token"),
    "/passages/{passage_id}",
)
"""Addresses of the core's own routes over HTTP."""
CORE_TOOLS = frozenset(
    {
        *("remind", "cancel_reminder", "list_reminders", "snooze_reminder", "undo_last_change"),
        *("list_files", "search_documents", "search_web", "request_more_information"),
    }
)
"""The core's own tools, by all names that a model may call them by."""
CORE_BUTTONS = frozenset(
    {
        *("adjust", "answer", "approve", "ask", "command", "correct", "daypicture"),
        *("digest", "done", "endtoken", "endtool", "endtools", "file"),
        *("files", "forget", "keep", "keepfiles", "language", "maketoken", "memory"),
        *("notedelete", "noteopen", "notes", "noteundo", "passage", "putoff"),
        *("quiet", "rate", "reject", "reminders", "snooze", "sources", "space", "stop"),
        *("taskdelete", "taskdone", "tasklater", "tasks", "taskundo"),
        *("tokens", "tools", "undo", "unlearn", "unremind", "why"),
        "zone",
    }
)
"""Verbs of the core's own buttons, without the numbers at their ends."""
_CORE_WORK = frozenset(
    {
        *(APPROVAL_WORK, FIRING_WORK, LESSON_WORK),
        *(NOTICE_KIND, REMINDER_WORK, RUN_WORK, "stream", "history"),
    }
)
"""The core's own kinds of work, due or in the inbox: one set, because a letter has the kind too."""
_CALLED = (
    *("commands", "presses", "notices", "loops", "dated_entries", "zone_moves", "below_answer"),
    *("follow_ups", "freshen_tasks", "checks", "open_pages"),
)
_LONGEST_OPENING_S = 30.0
_LONGEST_CLOSING_S = 10.0
_LONGEST_LISTING_S = 3.0
_LONGEST_WORDING_S = 10.0
"""Longest for a notice: it is worded in the lane of its user, whose messages wait meanwhile."""
_LONGEST_NOTE_S = 5.0
_PAUSE_S = 5.0
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class OpenFeatures:
    """The joined parts of all features that could be opened, and those that could not.

    `menu` has the entries of their commands, each declared by the feature that answers it.
    """

    parts: Parts = field(default_factory=Parts)
    checks: Mapping[str, Sequence[Check]] = field(default_factory=dict)
    menu: tuple[MenuEntry, ...] = ()
    broken: tuple[BrokenFeature, ...] = ()

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
    settings: Settings,
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
    core = make_core(settings, repositories, outlets, observer)
    async with AsyncExitStack() as stack:
        for feature in loaded_features():
            context = _FeatureContext(feature)
            stack.push_async_callback(context.close)
            parts = await context.open(core, parts_by_name)
            if parts is None:
                failures.append(BrokenFeature(feature.name, context.reason, context.hint))
            else:
                parts_by_name[feature.name] = parts
        all_parts = replace(_join(parts_by_name.values()), search=_engines(parts_by_name))
        core.dated_entries.extend(all_parts.dated_entries)
        core.freshen_tasks.extend(all_parts.freshen_tasks)
        yield OpenFeatures(
            all_parts,
            {name: parts.checks for name, parts in parts_by_name.items() if parts.checks},
            tuple(_entries(parts_by_name)),
            tuple(failures),
        )


@dataclass(slots=True, eq=False)
class _FeatureContext:
    """The context of a feature, entered and left in one task that is its own.

    So neither an error nor a cancellation comes from the feature to the core, or the other way.
    `reason` tells why there are no parts, `hint` what to do about that if the feature knows it.
    """

    feature: Feature
    reason: str = "its opening was cancelled"
    hint: str = ""
    _parts: Parts | None = None
    _is_decided: asyncio.Event = field(default_factory=asyncio.Event)
    _end: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    async def open(self, core: Core, parts_by_name: Mapping[str, Parts]) -> Parts | None:
        """The parts; None if the feature failed or was refused, and is closed again."""
        self._task = asyncio.create_task(self._keep_open(core, parts_by_name))
        await self._is_decided.wait()
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
            _check_parts(parts)
            _check_names(self.feature, parts, parts_by_name)
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
        self.reason = ": ".join(filter(None, (type(error).__name__, str(error))))
        if isinstance(error, RichAgentError):
            self.reason, self.hint = str(error), error.hint


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
    settings: Settings,
    repositories: Repositories,
    outlets: Outlets,
    make_surface: Callable[[OpeningFeatures], Surface],
) -> AsyncIterator[OpeningFeatures]:
    """Open the features while the block runs; they are closed after it."""
    opening, end = OpeningFeatures(), asyncio.Event()
    outlets = replace(outlets, surface=make_surface(opening))
    features = open_features(settings, repositories, outlets, opening.use)
    async with task_group() as group:
        keeping = group.create_task(opening.keep_open(features, end))
        try:
            yield opening
        finally:
            end.set()
            if not opening.is_done:
                keeping.cancel()


def _check_parts(parts: Parts) -> None:
    """Refuse parts that the core cannot join or serve. Raises: Exception, of many types."""
    for one in fields(Parts):
        value, kind = getattr(parts, one.name), Sequence if one.default == () else Mapping
        if not isinstance(value, kind) or isinstance(value, str):
            raise TypeError(f"`{one.name}` of its parts is no {kind.__name__.lower()}")
    for name in _CALLED:
        values = getattr(parts, name)
        if not all(map(callable, values.values() if isinstance(values, Mapping) else values)):
            raise TypeError(f"one of `{name}` of its parts cannot be called")
    for sign_in in parts.sign_ins:
        for name in ("comes_from_browsers", "hint", "secret_of", "holder"):
            getattr(sign_in, name)
    for guarded_route in parts.routes:
        Route(guarded_route.path, guarded_route.app)
    for route in parts.open_routes:
        Route(route.path, route.answer, methods=[*route.methods])
    _join([parts])


def _check_names(feature: Feature, parts: Parts, parts_by_name: Mapping[str, Parts]) -> None:
    """Refuse what another feature or the core has already, and names that do not fit.

    Raises: ValueError.
    """
    _check_core_names(parts)
    menu_names = {entry.name for entry in feature.menu}
    for kind in set[str](parts.media) - {*MEDIA_KINDS}:
        raise ValueError(f"the kind of message {kind} is none of {', '.join(MEDIA_KINDS)}")
    for name in parts.commands.keys() - menu_names:
        raise ValueError(f"the command {name} has no entry in the menu")
    for kind in sorted(parts.work.keys() & parts.notices.keys()):
        raise ValueError(f"{kind} is a kind of work and of notices")
    for kind in _work_kinds(parts):
        if not kind.startswith(feature.name):
            raise ValueError(f"the kind of work {kind} does not begin with {feature.name}")
    _check_paths(parts, parts_by_name)
    for other, theirs in parts_by_name.items():
        for kind, own, others in (
            (
                "search engine",
                {one.name for one in parts.search},
                {one.name for one in theirs.search},
            ),
            ("tool", _names_of_tools(parts), _names_of_tools(theirs)),
            ("command", parts.commands.keys(), theirs.commands.keys()),
            ("button", parts.presses.keys(), theirs.presses.keys()),
            ("kind of session", _templates_of(parts), _templates_of(theirs)),
            ("kind of work", _work_kinds(parts), _work_kinds(theirs)),
            ("kind of message", parts.media.keys(), theirs.media.keys()),
        ):
            if both := sorted(own & others):
                raise ValueError(f"the {kind} {both[0]} belongs to {other}")


def _check_core_names(parts: Parts) -> None:
    """Refuse the names of the core's own. Raises: ValueError."""
    verbs = {verb.rstrip("0123456789") for verb in parts.presses}
    for kind, names, core_names in (
        ("tool", _names_of_tools(parts), CORE_TOOLS),
        ("command", parts.commands.keys(), {*FOR_ALL, *FOR_ADMINS}),
        ("button", verbs, CORE_BUTTONS),
        ("kind of work", _work_kinds(parts), _CORE_WORK),
    ):
        if both := sorted(names & core_names):
            raise ValueError(f"the {kind} {both[0]} is the core's")


def _work_kinds(parts: Parts) -> set[str]:
    return {*parts.work, *parts.notices}


def _names_of_tools(parts: Parts) -> set[str]:
    return {name for tool in parts.tools for name in (tool.name, *tool.aliases)}


def _check_paths(parts: Parts, parts_by_name: Mapping[str, Parts]) -> None:
    """Refuse addresses that would answer in place of another's. Raises: ValueError."""
    holders = {
        "core": CORE_PATHS,
        **{name: tuple(_paths(one)) for name, one in parts_by_name.items()},
    }
    for path in _paths(parts):
        if not path.startswith("/"):
            raise ValueError(f"the address {path} does not begin with a slash")
        for holder, others in holders.items():
            if any(paths_meet(path, other) for other in others):
                raise ValueError(f"the address {path} belongs to {holder}")


def _paths(parts: Parts) -> Iterator[str]:
    yield from (route.path for route in parts.routes)
    yield from (route.path for route in parts.open_routes)


def _templates_of(parts: Parts) -> set[str]:
    return {name for lead in parts.session_leads for name in lead.templates}


def _join(parts: Collection[Parts]) -> Parts:
    return Parts(
        tools=[tool for one in parts for tool in one.tools],
        tool_sources=[source for one in parts for source in one.tool_sources],
        commands={name: answer for one in parts for name, answer in one.commands.items()},
        presses={verb: answer for one in parts for verb, answer in one.presses.items()},
        work={kind: work for one in parts for kind, work in one.work.items()},
        notices={kind: _bounded(word) for one in parts for kind, word in one.notices.items()},
        search=[engine for one in parts for engine in one.search],
        loops=[_survivable(loop) for one in parts for loop in one.loops],
        dated_entries=[_complete(give) for one in parts for give in one.dated_entries],
        zone_moves=[_harmless(move) for one in parts for move in one.zone_moves],
        session_leads=[lead for one in parts for lead in one.session_leads],
        below_answer=[line for one in parts for line in one.below_answer],
        sign_ins=[sign_in for one in parts for sign_in in one.sign_ins],
        routes=[route for one in parts for route in one.routes],
        open_routes=[route for one in parts for route in one.open_routes],
        open_pages=[pages for one in parts for pages in one.open_pages],
        follow_ups=[message for one in parts for message in one.follow_ups],
        freshen_tasks=[freshen for one in parts for freshen in one.freshen_tasks],
        media={kind: reader for one in parts for kind, reader in one.media.items()},
    )


def _entries(parts_by_name: Mapping[str, Parts]) -> Iterator[MenuEntry]:
    """The entries of commands that the feature of the entry answers itself."""
    for feature in loaded_features():
        parts = parts_by_name.get(feature.name, Parts())
        yield from (entry for entry in feature.menu if entry.name in parts.commands)


def _engines(parts_by_name: Mapping[str, Parts]) -> Sequence[SearchEngine]:
    """The search engines; those of other packages come first, because the operator chose them."""
    own = installed_features().own
    names = sorted(parts_by_name, key=lambda name: name in own)
    return [engine for name in names for engine in parts_by_name[name].search]


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


def _complete(give: DatedEntries) -> DatedEntries:
    """The entries of a feature; none if it breaks or is late, so that others' are shown."""

    async def entries(user_id: int, since: date, until: date) -> Sequence[DatedEntry]:
        try:
            async with asyncio.timeout(_LONGEST_LISTING_S):
                return await give(user_id, since, until)
        except DatabaseUnavailableError:
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.dated_entries_broke")
            return ()

    return entries


def _bounded(word: WordNotice) -> WordNotice:
    """The wording of a feature; there is nothing to say if it breaks: the user's lane goes on.

    Raises: RichAgentError, and TimeoutError if it is late; then it is tried again a few times.
    """

    async def run(request: NoticeRequest) -> RenderedMessage | UserNotice | None:
        try:
            async with asyncio.timeout(_LONGEST_WORDING_S):
                notice = await word(request)
        except (RichAgentError, TimeoutError):
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("notice.not_worded", wording=getattr(word, "__qualname__", ""))
            return None
        return _bounded_notice(notice) if isinstance(notice, UserNotice) else notice

    return run


def _bounded_notice(notice: UserNotice) -> UserNotice:
    """The notice of a feature, whose functions have as long as a wording and a note."""
    note = _bounded_note(notice.note) if notice.note else None
    if isinstance(notice.content, RenderedMessage | Words):
        return replace(notice, note=note)
    return replace(notice, content=_bounded_content(notice.content), note=note)


def _bounded_content(make_content: MakeContent) -> MakeContent:
    async def run() -> NoticeContent:
        async with asyncio.timeout(_LONGEST_WORDING_S):
            return await make_content()

    return run


def _bounded_note(note: NoteDelivery) -> NoteDelivery:
    """The note of a feature; what fails in it concerns no notice that has come."""

    async def run(message_id: int | None) -> None:
        try:
            async with asyncio.timeout(_LONGEST_NOTE_S):
                await note(message_id)
        except (DatabaseUnavailableError, LaneLostError):
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("notice.not_noted", note=getattr(note, "__qualname__", ""))

    return run


def _harmless(move: ZoneMove) -> ZoneMove:
    """The move of a feature; if it breaks, the user's zone is changed all the same."""

    async def run(user_id: int, zone: str) -> None:
        try:
            await move(user_id, zone)
        except DatabaseUnavailableError:
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.zone_not_changed")

    return run
