"""Presses in widgets after an attempt that ended early, an edit that was lost, and a stranger's."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from typing_extensions import override

from rich_agent.chat_commands.replies import PressReply, PressRequest
from rich_agent.domain.living_blocks import BlockAction, BlockRow, LivingBlock, state_of, with_state
from rich_agent.domain.message import User
from rich_agent.errors import (
    DatabaseUnavailableError,
    LaneLostError,
    MessageGoneError,
    OutcomeUnknownError,
    TokenRefusedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    WidgetOutgrownError,
)
from rich_agent.ports.bot_api import (
    RenderedMessage,
    TelegramApi,
    WidgetRefusedError,
    WidgetTooLargeError,
)
from rich_agent.ports.outbox import DIRECT_PART, Accounted
from rich_agent.ports.widgets import SentWidget, SentWidgets, WidgetPlace
from rich_agent.runtime.fencing import confirm_lease, confirm_lease_with
from rich_agent.telegram.deliver import living_messages, lost_messages
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.limiter import Limiter, Rates
from rich_agent.telegram.deliver.living_messages import LivingMessages
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.receive.inbound import Press
from rich_agent.telegram.serve import waiting_queries
from rich_agent.telegram.serve.replies import (
    answer_press,
    close_choices,
    complete_press,
    notify,
    refresh_widget,
)
from tests.twins.accounts import InMemoryAccounts
from tests.twins.outbox import InMemoryOutbox
from tests.twins.sending import InMemorySendingRate

CHOICE, TICK, UNDO = "answer1:7:0:c", "taskdone1:1:all:0", "taskundo1:9:all:0"
ADJUST = BlockAction("Adjust", "adjust1:c")
BLOCK = LivingBlock(
    "tasks",
    "Tasks",
    "en",
    (BlockRow("Bread", "1", mark="open", actions=(BlockAction("✓", TICK),)),),
    (BlockAction("Approve", CHOICE), ADJUST),
)
UNDOABLE = BlockRow("Bread", "1", mark="done", actions=(BlockAction("Undo", UNDO),))
TICKED = replace(BLOCK, rows=(UNDOABLE,), actions=())
_RATES = Rates(1_000, 1_000)


@dataclass(slots=True)
class Widgets:
    """Implements what of `SentWidgets` a press needs; `outages` of its writes fail first."""

    known: dict[int, SentWidget] = field(default_factory=dict)
    outages: int = 0
    waiting: tuple[str, ...] = ()
    refused: list[int] = field(default_factory=list)
    lost: int = 0
    """How often it cannot say first what a message shows."""
    blind: int = 0
    """How often it cannot say first whether a chat refuses widgets."""

    async def refuse(self, chat_id: int) -> None:
        """See `SentWidgets`."""
        self.refused.append(chat_id)

    async def find(self, chat_id: int, message_id: int) -> SentWidget | None:  # noqa: ARG002
        """See `SentWidgets`."""
        if self.lost:
            self.lost -= 1
            raise DatabaseUnavailableError("away")
        return self.known.get(message_id)

    async def note(self, place: WidgetPlace, message_id: int, block: LivingBlock) -> None:
        """See `SentWidgets`."""
        if self.outages:
            self.outages -= 1
            raise DatabaseUnavailableError("away")
        self.known[message_id] = SentWidget(block, "", place.topic_id)

    async def note_state(self, chat_id: int, message_id: int, state: str) -> None:  # noqa: ARG002
        """See `SentWidgets`."""
        self.known[message_id] = replace(self.known[message_id], state=state)

    async def forget(self, chat_id: int, message_id: int) -> None:  # noqa: ARG002
        """See `SentWidgets`."""
        self.known.pop(message_id, None)

    async def waiting_queries(self, waited_s: float, within_s: float) -> list[bytes]:  # noqa: ARG002
        """See `SentWidgets`."""
        return [json.dumps(_query(query_id)).encode() for query_id in self.waiting]

    async def are_refused(self, chat_id: int) -> bool:  # noqa: ARG002
        """See `SentWidgets`."""
        if self.blind:
            self.blind -= 1
            raise DatabaseUnavailableError("away")
        return False


def _query(query_id: str) -> dict[str, Any]:
    person = {"id": 42, "is_bot": False, "first_name": "Ada"}
    chat = {"id": 42, "type": "private", "first_name": "Ada"}
    query = {"id": query_id, "from": person, "chat": chat, "message_id": 5, "data": TICK}
    kind = {"chat_instance": "1", "type": {"type": "data"}}
    return {"update_id": 1, "widget_query": {**query, **kind}}


@dataclass(slots=True)
class Telegram:
    """Keeps what it is told; answers to queries that are named `hanging` do not end."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)
    hanging: frozenset[str] = frozenset()
    failures: dict[str, list[Exception]] = field(default_factory=dict)
    """What the next calls of a kind end with, after they were done."""

    async def send_widget(self, chat_id: int, *_: object, **__: object) -> int:
        """See `TelegramApi`."""
        self._do("send", chat_id)
        return 100 + len(self.calls)

    async def edit_message(self, chat_id: int, message_id: int, message: RenderedMessage) -> None:
        """See `TelegramApi`."""
        self._do("text", chat_id, message_id, message.text)

    async def is_own(self, chat_id: int, message_id: int) -> bool:  # noqa: ARG002
        """See `TelegramApi`."""
        return message_id > 100

    def _do(self, *call: Any) -> None:
        confirm_lease()
        self.calls.append(call)
        if failures := self.failures.get(call[0]):
            raise failures.pop(0)

    async def edit_widget(self, chat_id: int, message_id: int, state: str) -> None:
        """See `TelegramApi`."""
        self._do("edit", chat_id, message_id, state)

    async def delete_message(self, chat_id: int, message_id: int) -> None:
        """See `TelegramApi`."""
        self._do("delete", chat_id, message_id)

    async def answer_widget(self, query_id: str, data: str) -> None:
        """See `TelegramApi`."""
        if query_id in self.hanging:
            await asyncio.Event().wait()
        self._do("answer", query_id, data)


@dataclass(frozen=True, slots=True)
class Room:
    """A chat with one widget, whose message has the number 5."""

    widgets: Widgets = field(default_factory=Widgets)
    telegram: Telegram = field(default_factory=Telegram)
    outbox: InMemoryOutbox = field(default_factory=InMemoryOutbox)
    is_on: bool = True

    @property
    def living(self) -> LivingMessages:
        """Its widgets."""
        widgets = cast("SentWidgets", self.widgets)
        return LivingMessages(cast("TelegramApi", self.telegram), widgets, lambda: self.is_on)

    @property
    def messenger(self) -> Messenger:
        """Its connections."""
        limiter = Limiter(InMemorySendingRate(), _RATES)
        api, users = cast("TelegramApi", self.telegram), InMemoryAccounts().users
        return Messenger(api, self.outbox, users, limiter, living=self.living)

    def show(self, now: LivingBlock) -> None:
        """Record what the widget shows."""
        self.widgets.known[5] = SentWidget(BLOCK, state_of(BLOCK, now) or "")


def press_of(data: str, *, user: int = 42) -> Press:
    """A press in the widget."""
    return Press(data, User(user, "Ada"), 5, (), 11, callback_id="q", chat_id=42, is_of_widget=True)


async def accepted(room: Room, data: str, *, was_begun: bool = False) -> bool:
    """Whether the press counts as one of a button that is there."""
    inbound = await complete_press(room.messenger, press_of(data), was_begun=was_begun)
    assert isinstance(inbound, Press)
    return bool(inbound.data)


async def test_press_counts_again_after_its_attempt_ended_early() -> None:
    """The first attempt had changed the widget; a decision's question says if it still counts."""
    room = Room()
    room.show(TICKED)
    assert not await accepted(room, TICK)
    assert await accepted(room, TICK, was_begun=True)
    assert await accepted(room, CHOICE)
    assert await accepted(room, UNDO)
    assert not await accepted(room, "taskdelete1:1:all:0", was_begun=True)
    assert not await accepted(room, "answer1:8:0:c")


async def test_refused_press_brings_the_widget_to_what_it_shows() -> None:
    """In the chat and in the answer; a stranger is told nothing, and changes nothing."""
    room = Room()
    room.show(TICKED)
    await refresh_widget(room.messenger, press_of(""))
    await notify(room.messenger, press_of(""), "It no longer works.")
    state = state_of(BLOCK, TICKED) or ""
    (_, *edited), (_, _, told) = room.telegram.calls
    assert edited == [42, 5, state]
    assert json.loads(told) == {"note": "It no longer works.", "state": json.loads(state)}
    room.telegram.calls.clear()
    await refresh_widget(room.messenger, press_of("", user=43))
    await notify(room.messenger, press_of("", user=43), "Not yours.")
    assert room.telegram.calls == [("answer", "q", '{"note":"Not yours."}')]


async def test_closed_question_has_no_choices() -> None:
    """Nobody took them away, because the process ended; other buttons stay."""
    room = Room()
    room.show(replace(BLOCK, actions=(*BLOCK.actions, BlockAction("More", "tasks1:all:6"))))
    press = await complete_press(room.messenger, press_of(CHOICE), was_begun=False)
    assert isinstance(press, Press)
    await close_choices(room.messenger, press)
    shown = room.widgets.known[5].present_block
    assert shown.action_data == {TICK, "tasks1:all:6"}
    assert [name for name, *_ in room.telegram.calls] == ["edit"]


async def test_sent_widget_is_recorded_when_the_database_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody could press its buttons otherwise."""
    monkeypatch.setattr(living_messages, "_PAUSE_S", 0.0)
    room = Room(Widgets(outages=2))
    message_id = await room.living.send(BLOCK, WidgetPlace(42))
    assert message_id in room.widgets.known
    assert room.telegram.calls == [("send", 42)]


OTHER = replace(BLOCK, rows=(replace(UNDOABLE, text="é" * 600),))
"""A block that a state of `BLOCK` has no place for."""


async def _holds() -> None:
    """The lane is ours."""


async def answered(room: Room, block: LivingBlock = OTHER, hold: Hold = _holds) -> None:
    """The first button is pressed, and is answered with a block."""

    class Answers:
        async def answer(self, request: PressRequest) -> PressReply:  # noqa: ARG002
            """The next page."""
            return PressReply(message=RenderedMessage("Tasks", living=block))

    request = PressRequest(TICK, User(42, "Ada"), 5, (), 11, locale="en", hold=hold)
    async with asyncio.timeout(5):
        await answer_press(room.messenger, cast("Any", Answers()), press_of(TICK), request)


async def test_new_widget_of_a_press_is_sent_once() -> None:
    """Also if the press is repeated after its process had ended with the work half done."""
    room = Room()
    room.show(BLOCK)
    kept = room.widgets.known[5]
    for _ in range(2):
        await answered(room)
        assert 5 not in room.widgets.known
        room.widgets.known[5] = kept
    assert [name for name, *_ in room.telegram.calls].count("send") == 1


_UNKNOWN = OutcomeUnknownError("telegram", "reset")
_GONE = MessageGoneError("telegram", "message to delete not found")
_TOO_OLD = UpstreamRefusedError("telegram", "message can't be deleted for everyone")
_LATE = UpstreamTimeoutError("telegram", 15.0)


@pytest.mark.parametrize(
    ("failures", "marked"),
    [
        ({"delete": [_UNKNOWN, _GONE]}, False),
        ({"delete": [_LATE, _GONE]}, False),
        ({"delete": [_UNKNOWN, _LATE, _UNKNOWN]}, True),
        ({"delete": [_TOO_OLD]}, True),
        ({"delete": [_TOO_OLD], "edit": [_LATE]}, True),
    ],
    ids=["reset", "timeout", "nobody knows", "too old", "too old, and Telegram hangs"],
)
async def test_widget_that_was_perhaps_deleted_is_sent_anew(
    failures: dict[str, list[Exception]],
    marked: bool,  # noqa: FBT001 - a column
) -> None:
    """Once; what is perhaps still there has no buttons and says that it was replaced."""
    room = Room(telegram=Telegram(failures={kind: [*list_] for kind, list_ in failures.items()}))
    room.show(TICKED)
    await answered(room)
    assert [name for name, *_ in room.telegram.calls].count("send") == 1
    assert [shown.present_block for shown in room.widgets.known.values()] == [OTHER]
    edits = [with_state(BLOCK, state) for name, *_, state in room.telegram.calls if name == "edit"]
    left = replace(BLOCK, rows=(), actions=(), note="(replaced)")
    assert edits == ([left] if marked else [])


async def test_widget_whose_change_is_refused_is_sent_anew() -> None:
    """Its button counts again at another attempt."""
    refusal = WidgetRefusedError("telegram", "there is no widget in the message to edit")
    room = Room(telegram=Telegram(failures={"edit": [refusal]}))
    room.show(BLOCK)
    await answered(room, TICKED)
    assert [name for name, *_ in room.telegram.calls] == ["edit", "delete", "send"]
    assert [shown.present_block for shown in room.widgets.known.values()] == [TICKED]


async def test_press_is_tried_again_if_the_database_fails_once_its_widget_is_gone() -> None:
    """Nobody else would send the widget anew."""
    room = Room(Widgets(blind=1))
    room.show(BLOCK)
    with pytest.raises(DatabaseUnavailableError):
        await answered(room)
    assert [name for name, *_ in room.telegram.calls] == ["delete"]
    assert await accepted(room, TICK)
    await answered(room)
    assert [shown.present_block for shown in room.widgets.known.values()] == [OTHER]


async def test_card_that_grows_too_large_is_sent_anew_with_its_outcome() -> None:
    """In its topic; nothing is known of the old one."""
    room = Room()
    room.show(BLOCK)
    await room.messenger.edit_or_send(42, 5, RenderedMessage("Tasks", living=OTHER), 7)
    (sent,) = room.widgets.known.values()
    assert (sent.block, sent.topic_id) == (OTHER, 7)


async def test_answer_that_hangs_holds_up_no_other_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """Telegram gives a query up after 15 seconds, also one of somebody else."""
    monkeypatch.setattr(waiting_queries, "LOOK_EVERY_S", 0.05)
    telegram = Telegram(hanging=frozenset({"a"}))
    room = Room(Widgets(waiting=("a", "b")), telegram)
    room.show(TICKED)
    async with asyncio.timeout(5):
        await waiting_queries.WaitingQueries(room.messenger, InMemoryAccounts()).look()
    ((_, answered, told),) = telegram.calls
    assert answered == "b"
    assert json.loads(told)["state"] == json.loads(state_of(BLOCK, TICKED) or "")


@dataclass(slots=True)
class BusyOutbox(InMemoryOutbox):
    """An outbox with another send in the chat, which hangs for a number of looks."""

    looks: int = 120

    @override
    async def account_before(self, update_id: int, part: int, below: int) -> Accounted:
        """See `Outbox`."""
        self.looks -= 1
        found = await InMemoryOutbox.account_before(self, update_id, part, below)
        return replace(found, under_way=int(self.looks > 0))


async def test_copy_of_a_widget_is_found_after_another_send_that_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It hangs for as long as Telegram may take to answer; nothing says "sent again"."""
    monkeypatch.setattr(lost_messages, "_PAUSE_S", 0.0)
    failure = OutcomeUnknownError("telegram", "reset")
    room = Room(telegram=Telegram(failures={"send": [failure]}), outbox=BusyOutbox())
    target = ReplyTarget(11, 42, "en", after_id=100)
    message = RenderedMessage("Tasks", living=BLOCK)
    async with asyncio.timeout(5):
        await Delivery(room.messenger, target, _holds).complete([message])
    assert room.telegram.calls == [("send", 42), ("send", 42), ("delete", 42, 101)]
    assert room.widgets.known[102].present_block == BLOCK


async def test_press_takes_away_a_widget_that_has_no_record() -> None:
    """No button of it works; not while one is being sent, nor for somebody else."""
    room = Room()
    await refresh_widget(room.messenger, press_of("", user=43))
    number = await room.outbox.begin_direct(42)
    await refresh_widget(room.messenger, press_of(""))
    assert room.telegram.calls == []
    await room.outbox.note_sent(number, DIRECT_PART, 6)
    await refresh_widget(room.messenger, press_of(""))
    assert room.telegram.calls == [("delete", 42, 5)]


async def test_block_that_is_too_large_is_a_text_alone() -> None:
    """The chat gets other blocks as widgets; an unknown token is none of its affairs."""
    failures = [
        WidgetTooLargeError("telegram", "too large"),
        TokenRefusedError("telegram", "Unauthorized"),
        WidgetRefusedError("telegram", "not allowed"),
    ]
    room = Room(telegram=Telegram(failures={"send": list(failures)}))
    assert await room.living.send(BLOCK, WidgetPlace(42)) is None
    with pytest.raises(TokenRefusedError):
        await room.living.send(BLOCK, WidgetPlace(42))
    assert room.widgets.refused == []
    assert await room.living.send(BLOCK, WidgetPlace(42)) is None
    assert room.widgets.refused == [42]


async def test_press_is_done_although_nobody_knows_what_its_widget_shows() -> None:
    """It is not done once more for its answer."""
    room = Room(Widgets(lost=1))
    await notify(room.messenger, press_of(TICK), "Done.")
    assert room.telegram.calls == []


@pytest.mark.parametrize(
    ("is_on", "refusal", "calls"),
    [
        (True, "message can't be edited", ["delete"]),
        (False, "there is no text in the message to edit", ["text", "delete"]),
    ],
)
async def test_widget_that_becomes_a_text_is_deleted(
    refusal: str,
    calls: list[str],
    *,
    is_on: bool,
) -> None:
    """Whatever Telegram says of its text; a message that is no widget is edited."""
    kind = MessageGoneError if is_on else UpstreamRefusedError
    room = Room(telegram=Telegram(failures={"text": [kind("telegram", refusal)]}), is_on=is_on)
    room.show(BLOCK)
    with pytest.raises(WidgetOutgrownError):
        await room.messenger.edit(42, 5, RenderedMessage("You have no open tasks."))
    assert [name for name, *_ in room.telegram.calls] == calls
    room.telegram.failures.clear()
    await room.messenger.edit(42, 6, RenderedMessage("Hello"))
    assert room.telegram.calls[-1] == ("text", 42, 6, "Hello")


@pytest.mark.parametrize("block", [TICKED, OTHER], ids=["changed", "outgrown"])
async def test_worker_that_lost_its_lane_shows_nothing(block: LivingBlock) -> None:
    """Another one has gone on meanwhile: neither asked, nor if its lease ends after that."""

    async def lost() -> None:
        raise LaneLostError("lane of fence 1")

    room = Room()
    room.show(BLOCK)
    with pytest.raises(LaneLostError):
        await answered(room, block, lost)
    assert room.widgets.known[5].state == ""

    async def serve() -> None:
        confirm_lease_with(lambda: False)
        with pytest.raises(LaneLostError):
            await answered(room, block)

    await asyncio.create_task(serve())
    assert room.telegram.calls == []
