"""Alerts to admins: once an hour for each cause, each in their own language."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from rich_agent.errors import RichAgentError
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.operations import AdminAlert
from rich_agent.telegram.serve.alarm import Alarm

ADA, BO = 1, 2


@dataclass(slots=True)
class Chats:
    """The chats of admins, of whom some cannot be reached; each cause may be told once."""

    unreachable: AbstractSet[int] = frozenset()
    messages: list[tuple[int, RenderedMessage]] = field(default_factory=list)
    causes: set[str] = field(default_factory=set)

    async def take(self, _chat_id: int) -> None:
        """Wait for nothing."""

    async def send_message(self, chat_id: int, message: RenderedMessage) -> None:
        """Keep the message."""
        if chat_id in self.unreachable:
            raise RichAgentError("blocked")
        self.messages.append((chat_id, message))

    async def may_tell(self, cause: str, _pause_s: float) -> bool:
        """Whether it is the first time."""
        is_new = cause not in self.causes
        self.causes.add(cause)
        return is_new

    async def find(self, user_id: int) -> Any:
        """The account, with a language of its own."""
        return SimpleNamespace(locale={ADA: "de", BO: None}[user_id], time_zone="")


def alarm_of(chats: Chats) -> Alarm:
    """The alarm of two admins."""
    double: Any = chats
    messenger: Any = SimpleNamespace(limiter=chats, api=chats)
    return Alarm(double, double, messenger, {ADA, BO})


def alert_of(verbatim: str = "") -> AdminAlert:
    """An alert of a lamp that is away."""
    return AdminAlert("lamps:hall", RichAgentError("away"), lambda locale: f"{locale}!", verbatim)


async def test_alert_of_a_feature_reaches_each_admin_once() -> None:
    """In their language; what is shown as it is stands below, and is cut where it is long."""
    chats = Chats()
    assert await alarm_of(chats).alert(alert_of("x" * 2_000))
    assert not await alarm_of(chats).alert(alert_of())
    assert [(chat, one.text[:3]) for chat, one in chats.messages] == [(ADA, "de!"), (BO, "en!")]
    message = chats.messages[0][1]
    assert message.text.endswith("x… (+500)")
    assert [one.type for one in message.entities] == ["pre"]


async def test_alert_tells_whether_an_admin_was_reached() -> None:
    """One is enough; without any it can be given again later."""
    assert await alarm_of(Chats(frozenset({ADA}))).alert(alert_of())
    assert not await alarm_of(Chats(frozenset({ADA, BO}))).alert(alert_of())
