"""A bot around scripted turns, and the user's side of the sandbox's chat."""

import asyncio
import base64
import io
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from PIL import Image
from prometheus_client import CollectorRegistry

from rich_agent.chat_commands.conversation import Conversation
from rich_agent.chat_commands.introduction import Introduction
from rich_agent.chat_commands.registry import Commands, Presses
from rich_agent.domain.access import Access
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.message import AskedBefore, TurnRequest, User
from rich_agent.domain.routing.plan import Domain, Routing
from rich_agent.ports.inbox import Inbox, InboxRules, Questions
from rich_agent.ports.outbox import Outbox, Stops
from rich_agent.ports.turns import TurnOutcome
from rich_agent.telegram.deliver.limiter import Limiter, Rates
from rich_agent.telegram.deliver.media import MediaMessages
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.deliver.outbound import AnswerOptions, Pace, no_buttons
from rich_agent.telegram.deliver.progress import Streaming
from rich_agent.telegram.deliver.retries import RetryPolicy
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.polling import Poller, PollingOptions
from rich_agent.telegram.serve.approving import Approving
from rich_agent.telegram.serve.crowds import CrowdTimings
from rich_agent.telegram.serve.edits import Edits
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.telegram.serve.internal_work import InternalKinds
from rich_agent.telegram.serve.worker import LaneTimings, Worker, WorkerOptions
from rich_agent.turns.media import MediaTexts
from rich_agent.turns.runner import Answered, Finished, QuestionAsked, TurnEvent
from rich_agent.turns.stopping import Stopping
from rich_agent.upstreams.telegram.bot_api import TelegramClient, TelegramOptions
from tests.sandbox_server import RunningSandbox
from tests.scripted import ScriptedCatalogue
from tests.twins.accounts import InMemoryAccounts
from tests.twins.approvals import InMemoryApprovals
from tests.twins.clarifications import InMemoryClarifications
from tests.twins.conversations import InMemoryTranscript
from tests.twins.inbox import InMemoryInbox
from tests.twins.outbox import InMemoryOutbox
from tests.twins.questions import InMemoryQuestions
from tests.twins.sending import InMemorySendingRate
from tests.twins.stops import InMemoryStops
from tests.twins.user_files import InMemoryUserFiles

DEADLINE_S = 45.0
Script = Callable[[TurnRequest], AsyncIterator[TurnEvent]]


def answered(text: str, *citations: Any) -> tuple[Answered, Finished]:
    """The last two events of a turn that answers `text`."""
    answer = Answer(text, citations)
    routing = Routing("general_question", "direct", "scripted", "")
    return Answered(answer), Finished(TurnOutcome(answer, routing, (), {}))


async def echo(request: TurnRequest) -> AsyncIterator[TurnEvent]:
    """Answers what was said."""
    for event in answered(f"You said: {request.message.text}"):
        yield event


@dataclass(slots=True)
class ScriptedTurns:
    """A turn runner that plays a script and keeps what it was asked."""

    script: Script = echo
    requests: list[TurnRequest] = field(default_factory=list)
    drained: asyncio.Event = field(default_factory=asyncio.Event)

    def drain(self) -> None:
        """Tell the script, which may end then."""
        self.drained.set()

    stops: list[asyncio.Event | None] = field(default_factory=list)

    async def last_asked(self, thread_id: str) -> QuestionAsked | None:  # noqa: ARG002 - scripted
        """Nothing is asked back."""
        return None

    async def accepts(self, request: TurnRequest) -> bool:  # noqa: ARG002 - scripted
        """Nothing is asked back."""
        return False

    async def last_question(self, thread_id: str) -> AskedBefore | None:
        """The newest request of the thread."""
        asked = [request for request in self.requests if request.thread_id == thread_id]
        return AskedBefore(asked[-1].message, asked[-1].request_id) if asked else None

    def run(
        self, request: TurnRequest, stop: asyncio.Event | None = None
    ) -> AsyncIterator[TurnEvent]:
        """Play."""
        self.requests.append(request)
        self.stops.append(stop)
        return self.script(request)


@dataclass(slots=True)
class RecordingUsers:
    """Keeps who wrote and who blocked the bot."""

    remembered: list[int] = field(default_factory=list)
    blocked: list[int] = field(default_factory=list)

    async def remember(self, user: User) -> None:
        """Note a user."""
        self.remembered.append(user.telegram_user_id)

    async def mark_blocked(self, telegram_user_id: int) -> None:
        """Note a blocker."""
        self.blocked.append(telegram_user_id)


@dataclass(frozen=True, slots=True)
class Sim:
    """The actions of the user, and what they see."""

    http: httpx.AsyncClient

    async def send(self, user_id: int, text: str | None = None, **fields: Any) -> dict[str, Any]:
        """The user sends something."""
        body = {"text": text, **fields} if text is not None else fields
        return await self._messenger(f"/sim/chats/{user_id}/messages", body)

    async def press(self, user_id: int, message_id: int, data: str) -> dict[str, Any]:
        """The user presses a button."""
        body = {"message_id": message_id, "callback_data": data}
        return await self._messenger(f"/sim/chats/{user_id}/press", body)

    async def fail(self, kind: str, **fields: Any) -> None:
        """Telegram will fail."""
        await self._messenger("/sim/faults", {"upstream": "telegram", "kind": kind, **fields})

    async def chat(self, user_id: int) -> dict[str, Any]:
        """The chat as the user sees it now."""
        return dict((await self.http.get(f"/sim/chats/{user_id}")).raise_for_status().json())

    async def from_bot(self, user_id: int) -> list[dict[str, Any]]:
        """The bot's messages as the user sees them now."""
        messages = (await self.chat(user_id))["messages"]
        return [message for message in messages if message["from"] == "bot"]

    async def texts(self, user_id: int) -> list[str]:
        """The texts of the bot's messages."""
        return [message["text"] for message in await self.from_bot(user_id)]

    async def calls(self, *methods: str, chat_id: int | None = None) -> list[dict[str, Any]]:
        """The calls of these methods, in order."""
        found = (await self.http.get("/sim/calls", params={"upstream": "telegram"})).json()
        return [
            call
            for call in found["calls"]
            if (not methods or call["method"] in methods)
            and (chat_id is None or call["body"].get("chat_id") == chat_id)
        ]

    async def until_said(self, user_id: int, *texts: str) -> None:
        """Wait until the bot's messages are exactly these."""
        await until(lambda: self._shows(user_id, list(texts)))

    async def _shows(self, user_id: int, texts: list[str]) -> bool:
        return await self.texts(user_id) == texts

    async def _messenger(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        answer = await self.http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


async def until(check: Callable[[], Coroutine[None, None, bool]]) -> None:
    """Wait until a check holds, at most 45 s."""
    async with asyncio.timeout(DEADLINE_S):
        while not await check():  # noqa: ASYNC110 - what is awaited happens behind HTTP
            await asyncio.sleep(0.02)


@asynccontextmanager
async def open_sim(sandbox: RunningSandbox) -> AsyncIterator[Sim]:
    """The user's side, emptied."""
    async with httpx.AsyncClient(base_url=sandbox.url, trust_env=False) as http:
        await http.delete("/sim")
        yield Sim(http)


@asynccontextmanager
async def open_client(sandbox: RunningSandbox, **options: float) -> AsyncIterator[TelegramClient]:
    """The bot's side."""
    settings = TelegramOptions(**options)  # type: ignore[arg-type]  # floats only
    async with TelegramClient(sandbox.bot_token, sandbox.url, settings) as client:
        yield client


FAST_RATES = Rates(chat_per_s=100, chat_burst=100)
FAST_PACE = Pace(typing_s=0.3, edit_s=0.05, edit_s_per_1000_characters=0.0)
FAST_WORK = WorkerOptions(
    timings=LaneTimings(heartbeat_s=0.1, notice_s=0.05),
    crowd=CrowdTimings(waited_s=3600),
    poll_s=0.5,
    retry_s=0.02,
    longest_retry_s=0.1,
    pause_s=0.05,
)


@dataclass(slots=True)
class Bot:
    """The parts that a bot is made of; a test changes what it is about."""

    client: TelegramClient
    turns: ScriptedTurns = field(default_factory=ScriptedTurns)
    inbox: Inbox = field(default_factory=lambda: InMemoryInbox(InboxRules(album_quiet_s=0.2)))
    outbox: Outbox = field(default_factory=InMemoryOutbox)
    users: RecordingUsers = field(default_factory=RecordingUsers)
    accounts: InMemoryAccounts = field(default_factory=InMemoryAccounts)
    clarifications: InMemoryClarifications = field(default_factory=InMemoryClarifications)
    approvals: InMemoryApprovals = field(default_factory=InMemoryApprovals)
    limiter: Limiter = field(default_factory=lambda: Limiter(InMemorySendingRate(1000), FAST_RATES))
    access: Access = field(default_factory=Access)
    pace: Pace = FAST_PACE
    streaming: Streaming = "edit"
    stops: Stops | None = None
    questions: Questions | None = None
    retry_policy: RetryPolicy = field(default_factory=lambda: RetryPolicy(first_pause_s=0.02))
    options: WorkerOptions = FAST_WORK
    metrics: Metrics = field(default_factory=lambda: Metrics(CollectorRegistry()))
    internal: InternalKinds = field(default_factory=InternalKinds)

    def messenger(self) -> Messenger:
        """The messenger of a worker."""
        return Messenger(self.client, self.outbox, self.users, self.limiter, self.retry_policy)

    def handler(self) -> UpdateHandler:
        """The handler of a worker."""
        messenger = self.messenger()
        stopping = Stopping(self._stops(), poll_s=0.05)
        started = Introduction(self.access, ScriptedCatalogue(), lambda: Domain("documents", ""))
        talk = Conversation(self.accounts, InMemoryUserFiles(), stopping, self.turns)
        return UpdateHandler(
            self.turns,
            messenger,
            stopping,
            Edits(self._questions()),
            self.accounts,
            self.clarifications,
            self._approving(messenger),
            MediaMessages(self.client, MediaTexts(self.client)),
            self.internal,
            access=self.access,
            commands=Commands({**started.handlers().commands, **talk.handlers().commands}),
            presses=Presses(talk.handlers().presses),
            answer_options=lambda: AnswerOptions(self.streaming, self.pace),
        )

    def _approving(self, messenger: Messenger) -> Approving:
        transcript = InMemoryTranscript()
        return Approving(
            self.approvals, transcript, self.accounts, self.access, messenger, no_buttons
        )

    def _stops(self) -> Stops:
        if self.stops is None:
            assert isinstance(self.inbox, InMemoryInbox), "give `stops` with another inbox"
            self.stops = InMemoryStops(self.inbox)
        return self.stops

    def _questions(self) -> Questions:
        if self.questions is None:
            assert isinstance(self.inbox, InMemoryInbox), "give `questions` with another inbox"
            self.questions = InMemoryQuestions(self.inbox)
        return self.questions

    def worker(self) -> Worker:
        """A worker of its own state."""
        return Worker(self.inbox, self.handler(), self.metrics, self.options)

    def poller(self, **options: float) -> Poller:
        """A receiver."""
        settings = PollingOptions(**{"timeout_s": 1, "first_pause_s": 0.05, **options})  # type: ignore[arg-type]  # numbers only
        return Poller(self.client, self.inbox, self.metrics, settings)

    @asynccontextmanager
    async def receiving(self) -> AsyncIterator[None]:
        """Receive, and leave all to others, while the block runs."""
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.poller().run(stop))
            try:
                yield
            finally:
                stop.set()

    @asynccontextmanager
    async def running(self, *, receiving: bool = True) -> AsyncIterator[None]:
        """Receive and serve while the block runs."""
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.worker().run(stop))
            if receiving:
                group.create_task(self.poller().run(stop))
            try:
                yield
            finally:
                stop.set()


def png(width: int = 8, height: int = 8) -> bytes:
    """A small image."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(buffer, "PNG")
    return buffer.getvalue()


def base64_of(content: bytes) -> str:
    """As `/sim` takes files."""
    return base64.b64encode(content).decode()
