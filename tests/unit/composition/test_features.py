"""Features: opening and closing, names that are taken, and loops that break."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import fields, replace
from datetime import date
from unittest.mock import MagicMock

import pytest
from cryptography.fernet import Fernet
from starlette.requests import Request
from starlette.responses import Response
from structlog.testing import capture_logs

from rich_agent.chat_commands.preferences import TimeZone
from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest, Reply
from rich_agent.commands.diagnosis.features import check_features
from rich_agent.composition import feature_joining, feature_names, features
from rich_agent.composition.chat_commands import make_chat_commands
from rich_agent.composition.features import NO_FEATURES
from rich_agent.composition.tools import ToolUpstreams, make_tools
from rich_agent.domain.dated_entry import DatedEntries, DatedEntry
from rich_agent.domain.message import User
from rich_agent.errors import DatabaseUnavailableError, SettingsError
from rich_agent.feature import Feature, MenuEntry
from rich_agent.feature.parts import Parts
from rich_agent.notices import NoticeRequest
from rich_agent.ports.due_work import DueRow, DueWork
from rich_agent.ports.search_engines import SearchEngine, WebResult
from rich_agent.ports.tools import Asker
from rich_agent.telegram.deliver.asking_back import ADJUST_VERB
from rich_agent.telegram.receive.envelope import MESSAGE_VERBS
from rich_agent.telegram.serve.approving import Approving
from rich_agent.tools.tool import Arguments, Outcome, Tool
from rich_agent.web.routes import GuardedRoute, OpenRoute
from tests.twins.accounts import InMemoryAccounts


async def _answer(_request: CommandRequest) -> Reply:
    return Reply.of("")


async def _press(_press: PressRequest) -> PressReply:
    return PressReply("")


async def _serve(_request: Request) -> Response:
    return Response("")


def _guarded(path: str) -> GuardedRoute:
    return GuardedRoute(path, None, Response(""))


async def _search(_query: str, _limit: int) -> list[WebResult]:
    return []


async def _run(_arguments: Arguments, _asker: Asker) -> Outcome:
    return Outcome({})


def _tool(name: str, *aliases: str) -> Tool:
    return Tool(name, "Moves.", Arguments, _run, aliases=aliases)


async def _work(_row: DueRow) -> None:
    """Nothing is due."""


async def _word(_request: NoticeRequest) -> None:
    """There is nothing to say."""


_ENGINE = SearchEngine("brook", _search)
_WORK = DueWork(_work)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (Parts(commands={"forget": _answer}), "the command forget is the core's"),
        (Parts(commands={"deal": _answer}), "the command deal has no entry in the menu"),
        (Parts(presses={"deal1": _press}), "the button deal1 belongs to poker"),
        (Parts(routes=[_guarded("/healthz")]), "the address /healthz belongs to core"),
        (Parts(open_routes=[OpenRoute("/{any}", _serve)]), "the address /{any} belongs to core"),
        (Parts(routes=[_guarded("/poker/{id}/x")]), "the address /poker/{id}/x belongs to poker"),
        (Parts(routes=[_guarded("chess")]), "the address chess does not begin with a slash"),
        (Parts(search=[_ENGINE]), "the search engine brook belongs to poker"),
        (Parts(tools=[_tool("list_files")]), "the tool list_files is the core's"),
        (Parts(tools=[_tool("move", "list_files")]), "the tool list_files is the core's"),
        (Parts(tools=[_tool("undo_last_change")]), "the tool undo_last_change is the core's"),
        (Parts(tools=[_tool("move", "bet")]), "the tool bet belongs to poker"),
        (Parts(presses={"undo2": _press}), "the button undo is the core's"),
        (Parts(work={"lesson": _WORK}), "the kind of work lesson is the core's"),
        (Parts(work={"go": _WORK}), "the kind of work go does not begin with chess"),
        (Parts(notices={"go": _word}), "the kind of work go does not begin with chess"),
        (Parts(notices={"run": _word}), "the kind of work run is the core's"),
        (Parts(notices={"chess_mate": _word}), "the kind of work chess_mate belongs to poker"),
        (
            Parts(work={"chess": _WORK}, notices={"chess": _word}),
            "chess is a kind of work and of notices",
        ),
    ],
    ids=[
        *("core", "menu", "other", "core_path", "any_path", "other_path", "no_path", "engine"),
        *("tool", "alias", "undo", "other_alias", "button", "core_work", "prefix"),
        *("notice_prefix", "core_notice", "other_notice", "both"),
    ],
)
def test_names_that_are_taken_are_refused(parts: Parts, reason: str) -> None:
    """The feature is left out, and the reason names whose it is."""
    feature = Feature(name="chess", menu=(MenuEntry("forget"),))
    poker = [OpenRoute("/poker/{path:path}", _serve)]
    bet = [_tool("bet")]
    theirs = Parts(
        presses={"deal1": _press},
        open_routes=poker,
        search=[_ENGINE],
        tools=bet,
        work={"chess_mate": _WORK},
    )
    opened = {"poker": theirs}
    with pytest.raises(ValueError, match=reason):
        feature_names.check_names(feature, parts, opened)


def test_names_of_the_core_are_reserved() -> None:
    """Each tool and each verb of a button, and none that the core does not have."""
    settings, nothing = MagicMock(), MagicMock()
    settings.storage.credentials_keys = [Fernet.generate_key()]
    tools = make_tools(settings, nothing, None, ToolUpstreams(web=nothing)).own.tools
    assert {name for one in tools for name in (one.name, *one.aliases)} == feature_names.CORE_TOOLS
    chat = make_chat_commands(settings, nothing, nothing, nothing, NO_FEATURES)
    approving = Approving(*[nothing] * len(fields(Approving))).handlers().presses
    verbs = {*chat.presses.answers, *approving, *MESSAGE_VERBS, ADJUST_VERB}
    assert {verb.rstrip("0123456789") for verb in verbs} == feature_names.CORE_BUTTONS


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """A function that makes these the features of the process."""

    def install_features(*those: Feature) -> None:
        monkeypatch.setattr(features, "loaded_features", lambda: those)
        monkeypatch.setattr(features, "make_core", MagicMock())

    return install_features


def _feature(name: str, parts: Parts, closed: list[str], *menu: MenuEntry) -> Feature:
    @asynccontextmanager
    async def open_parts(_core: object) -> AsyncIterator[Parts]:
        yield parts
        closed.append(name)

    return Feature(name=name, open=open_parts, menu=menu)


def _open_features() -> AbstractAsyncContextManager[features.OpenFeatures]:
    return features.open_features(MagicMock(), MagicMock())


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (Parts(open_routes=[OpenRoute("/x/{id:uid}", _serve)]), "Unknown path convertor 'uid'"),
        (Parts(routes=[_guarded("/x/{id}/{id}")]), "Duplicated param name id"),
        (Parts(sign_in_links=[_serve]), "has no attribute 'path_to'"),  # type: ignore[list-item]
        (Parts(privacy_phrases=["no-such-phrase"]), "no-such-phrase"),
        (Parts(sign_ins=[_serve]), "has no attribute 'comes_from_browsers'"),  # type: ignore[list-item]
        (Parts(open_routes=[OpenRoute("/x", _serve, None)]), "must be an iterable"),  # type: ignore[arg-type]
        (Parts(loops=None), "`loops` of its parts is no sequence"),  # type: ignore[arg-type]
        (Parts(work=()), "`work` of its parts is no mapping"),  # type: ignore[arg-type]
        (Parts(loops=[None]), "one of `loops` of its parts cannot be called"),  # type: ignore[list-item]
        (None, "no attribute"),
    ],
    ids=[
        "convertor",
        "doubled",
        "link",
        "phrase",
        "sign-in",
        "methods",
        "loops",
        "work",
        "loop",
        "none",
    ],
)
async def test_parts_that_the_core_cannot_use_are_refused(
    parts: Parts, reason: str, install: Install
) -> None:
    """Their feature is closed before the next one opens, and the next one is there."""
    closed: list[str] = []
    install(_feature("chess", parts, closed), _feature("poker", Parts(), closed))
    async with _open_features() as opened:
        assert closed == ["chess"]
        assert [one.name for one in opened.broken] == ["chess"]
        assert reason in opened.broken[0].reason
    assert closed == ["chess", "poker"]


async def test_feature_is_not_opened_without_the_features_that_it_needs(install: Install) -> None:
    """The reason names what is missing, whether that failed to open or needed another itself."""
    closed: list[str] = []
    tasks = _feature("tasks", Parts(loops=None), closed)  # type: ignore[arg-type]
    mail = replace(_feature("mail", Parts(), closed), needs=("tasks",))
    digest = replace(_feature("digest", Parts(), closed), needs=("mail",))
    install(tasks, mail, digest)
    async with _open_features() as opened:
        reasons = {failure.name: failure.reason for failure in opened.broken}
    assert closed == ["tasks"]
    assert reasons["mail"] == "it needs tasks, which is not open"
    assert reasons["digest"] == "it needs mail, which is not open"


async def test_feature_that_exits_or_hangs_while_it_opens_is_left_out(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason says so in words."""
    monkeypatch.setattr(features, "_LONGEST_OPENING_S", 0.01)

    def fail(name: str, error: BaseException) -> Feature:
        return Feature(name=name, open=MagicMock(side_effect=error))

    @asynccontextmanager
    async def hang(_core: object) -> AsyncIterator[Parts]:
        await asyncio.Event().wait()
        yield Parts()

    exits, cancels = SystemExit("no licence"), asyncio.CancelledError()
    install(fail("exit", exits), Feature(name="hang", open=hang), fail("cancel", cancels))
    async with _open_features() as opened:
        assert [one.reason for one in opened.broken] == [
            "SystemExit: no licence",
            "TimeoutError: it did not open within 0 s",
            "its opening was cancelled",
        ]


async def test_setting_that_keeps_a_feature_out_is_told_with_its_own_hint(
    install: Install,
) -> None:
    """Doctor says what to do about the setting, and nothing of packages."""
    error = SettingsError("CHESS_DIR", "/chess is not a directory", hint="Create it.")
    install(Feature(name="chess", open=MagicMock(side_effect=error)))
    async with _open_features() as opened:
        results = {one.name: one async for one in check_features(opened)}
    result = results["feature chess"]
    assert result.detail == "is left out: CHESS_DIR: /chess is not a directory"
    assert result.hint == "Create it."


async def test_feature_that_fails_or_hangs_while_it_closes_ends_nothing(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log names it, and the others are closed."""
    monkeypatch.setattr(features, "_LONGEST_CLOSING_S", 0.01)
    closed: list[str] = []

    @asynccontextmanager
    async def hang(_core: object) -> AsyncIterator[Parts]:
        yield Parts()
        await asyncio.Event().wait()

    @asynccontextmanager
    async def leave(_core: object) -> AsyncIterator[Parts]:
        yield Parts()
        raise SystemExit

    @asynccontextmanager
    async def fail(_core: object) -> AsyncIterator[Parts]:
        yield Parts()
        raise OSError("gone")

    hostile = (Feature(name=one.__name__, open=one) for one in (hang, leave, fail))
    install(_feature("chess", Parts(), closed), *hostile)
    with capture_logs() as logs:
        async with _open_features() as opened:
            assert not opened.broken
    assert closed == ["chess"]
    names = [one["feature"] for one in logs if one["event"] == "feature.not_closed"]
    assert names == ["fail", "leave", "hang"]


async def test_errors_of_the_core_do_not_reach_features(install: Install) -> None:
    """A context that swallows whatever comes swallows none of them."""

    @asynccontextmanager
    async def swallow(_core: object) -> AsyncIterator[Parts]:
        with suppress(Exception):
            yield Parts()

    install(Feature(name="careless", open=swallow))
    with pytest.raises(ValueError, match="of the core"):
        async with _open_features():
            raise ValueError("of the core")


async def test_tasks_of_a_feature_that_fail_do_not_cancel_the_core(install: Install) -> None:
    """Its context is entered and left in one task, which is not the core's; it counts as broken."""
    tasks = []
    failed = asyncio.Event()

    async def fail() -> None:
        failed.set()
        raise OSError("gone")

    @asynccontextmanager
    async def work(_core: object) -> AsyncIterator[Parts]:
        tasks.append(asyncio.current_task())
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(fail())
                yield Parts()
        finally:
            tasks.append(asyncio.current_task())

    install(Feature(name="busy", open=work))
    async with _open_features() as opened:
        await failed.wait()
        for _ in range(10):  # the group ends, the context, its task, and then it is noted
            await asyncio.sleep(0)
    assert [failure.name for failure in opened.broken] == ["busy"]
    assert tasks[0] is tasks[1]
    assert tasks[0] is not asyncio.current_task()


async def test_opening_that_is_cancelled_closes_all_features(install: Install) -> None:
    """Both the open ones and the one that is being opened."""
    closed: list[str] = []
    begun = asyncio.Event()

    @asynccontextmanager
    async def hang(_core: object) -> AsyncIterator[Parts]:
        try:
            begun.set()
            await asyncio.Event().wait()
            yield Parts()
        finally:
            closed.append("hang")

    async def open_them() -> None:
        async with _open_features():
            pass

    install(_feature("chess", Parts(), closed), Feature(name="hang", open=hang))
    opening = asyncio.create_task(open_them())
    await begun.wait()
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert closed == ["hang", "chess"]


async def test_search_engines_of_other_packages_come_first(install: Install) -> None:
    """Whoever installs one wants to use it; the project's own features open before them."""
    own = _feature("tavily", Parts(search=[SearchEngine("tavily", _search)]), [])
    install(own, _feature("brook", Parts(search=[_ENGINE]), []))
    async with _open_features() as opened:
        assert [one.name for one in opened.parts.search] == ["brook", "tavily"]


async def test_commands_for_admins_are_those_of_open_features(install: Install) -> None:
    """No other feature takes a command from everybody or hides it, whether it opens or not."""
    hidden = MenuEntry("deal", for_admins=True, is_available=lambda _settings: False)
    broken = _feature("chess", Parts(commands={"forget": _answer}), [], hidden)
    silent = _feature("bridge", Parts(), [], hidden)
    poker = _feature("poker", Parts(commands={"deal": _answer}), [], MenuEntry("deal"))
    install(broken, silent, poker)
    async with _open_features() as opened:
        assert "deal" in opened.handlers(for_admins=False).commands
        assert opened.menu == poker.menu


async def test_entries_of_a_feature_that_breaks_leave_others_on_the_calendar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that breaks or is late has none; while the database is away, nobody has any."""
    monkeypatch.setattr(feature_joining, "_LONGEST_LISTING_S", 0.0)
    day = date(2026, 3, 2)

    def giving(error: Exception | None) -> DatedEntries:
        async def give(_user_id: int, _since: date, _until: date) -> Sequence[DatedEntry]:
            if error:
                raise error
            await asyncio.Event().wait()
            return ()

        return feature_joining._complete(give)

    assert await giving(KeyError("tea"))(1, day, day) == ()
    assert await giving(None)(1, day, day) == ()
    with pytest.raises(DatabaseUnavailableError):
        await giving(DatabaseUnavailableError("gone"))(1, day, day)


async def test_feature_that_breaks_does_not_keep_a_user_in_a_time_zone() -> None:
    """The choice is stored after it."""

    async def move(_user_id: int, _zone: str) -> None:
        raise KeyError("tea")

    accounts = InMemoryAccounts()
    zones = TimeZone(accounts, [feature_joining._harmless(move)])
    request = CommandRequest("timezone", "Europe/Berlin", User(42), "en")
    await zones.answer(request)
    assert (await accounts.find(42)).time_zone == "Europe/Berlin"


async def test_loop_that_breaks_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends no other, and is left when it ends by itself."""
    monkeypatch.setattr(feature_joining, "_PAUSE_S", 0.0)
    begun = []

    async def loop(_stop: asyncio.Event) -> None:
        begun.append(1)
        if len(begun) < 3:
            raise RuntimeError("broke")

    await feature_joining._survivable(loop)(asyncio.Event())
    assert len(begun) == 3
