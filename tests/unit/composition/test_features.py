"""Parts of features: names that are taken, and loops that break."""

import asyncio

import pytest

from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest, Reply
from rich_agent.composition import features
from rich_agent.feature import Feature, MenuEntry
from rich_agent.feature.parts import Parts


async def _answer(_request: CommandRequest) -> Reply:
    return Reply.of("")


async def _press(_press: PressRequest) -> PressReply:
    return PressReply("")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (Parts(commands={"forget": _answer}), "the command forget is the core's"),
        (Parts(commands={"deal": _answer}), "the command deal has no entry in the menu"),
        (Parts(presses={"deal1": _press}), "the button deal1 belongs to poker"),
    ],
    ids=["core", "menu", "other"],
)
def test_names_that_are_taken_are_refused(parts: Parts, reason: str) -> None:
    """The feature is left out, and the reason names whose it is."""
    feature = Feature(name="chess", menu=(MenuEntry("forget"),))
    opened = {"poker": Parts(presses={"deal1": _press})}
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
