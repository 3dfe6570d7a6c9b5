"""Parts of features: names that are taken, and loops that break."""

import asyncio

import pytest
from starlette.requests import Request
from starlette.responses import Response

from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest, Reply
from rich_agent.composition import features
from rich_agent.feature import Feature, MenuEntry
from rich_agent.feature.parts import Parts
from rich_agent.ports.search_engines import SearchEngine, WebResult
from rich_agent.web.routes import GuardedRoute, OpenRoute


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


_ENGINE = SearchEngine("brook", _search)


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
    ],
    ids=["core", "menu", "other", "core_path", "any_path", "other_path", "no_path", "engine"],
)
def test_names_that_are_taken_are_refused(parts: Parts, reason: str) -> None:
    """The feature is left out, and the reason names whose it is."""
    feature = Feature(name="chess", menu=(MenuEntry("forget"),))
    poker = [OpenRoute("/poker/{path:path}", _serve)]
    opened = {"poker": Parts(presses={"deal1": _press}, open_routes=poker, search=[_ENGINE])}
    with pytest.raises(ValueError, match=reason):
        features._check_names(feature, parts, opened)


async def test_loop_that_breaks_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends no other, and is left when it ends by itself."""
    monkeypatch.setattr(features, "_PAUSE_S", 0.0)
    begun = []

    async def loop(_stop: asyncio.Event) -> None:
        begun.append(1)
        if len(begun) < 3:
            raise RuntimeError("broke")

    await features._survivable(loop)(asyncio.Event())
    assert len(begun) == 3


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b", "/a/{id}", True),
        ("/a/b", "/{id}/b", True),
        ("/a/b/c", "/a/{rest:path}", True),
        ("/{rest:path}", "/a/b", True),
        ("/a/b", "/a", False),
        ("/a/b", "/a/c", False),
        ("/a/{id}/x", "/a/{id}/y", False),
        ("/a", "/aa", False),
    ],
)
def test_addresses_meet_where_a_request_may_be_meant_by_both(
    one: str, other: str, *, meet: bool
) -> None:
    """Parameters take any part of a path, a `path` the rest of it."""
    assert features.paths_meet(one, other) == meet
    assert features.paths_meet(other, one) == meet
