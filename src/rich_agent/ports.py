"""Interfaces of everything outside the graph: repositories (PostgreSQL) and upstreams.

Nodes and surfaces know these only; the implementations are chosen in `app.py`. Every method may
raise `DatabaseUnavailableError` (repositories) or an `UpstreamError` (upstreams).
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.domain.answer import Answer, Decision
from rich_agent.domain.memory import LongTermMemory, MemoryChanges
from rich_agent.domain.message import User
from rich_agent.domain.passage import Passage
from rich_agent.domain.plan import Routing
from rich_agent.domain.vision import ImageSummary


@dataclass(frozen=True, slots=True)
class Prompt:
    """One model call: the instructions, the conversation so far, and what is asked now.

    `history` holds ("user" | "assistant", text), oldest first.
    """

    system: str
    user: str
    history: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Image:
    """An image as it is sent to a model: checked, scaled, without metadata."""

    data: bytes
    mime: str


# Upstreams


class ChatModel(Protocol):
    """Writes answers."""

    def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """The answer in pieces; each piece is new text.

        Raises: EmptyCompletionError if nothing came, UpstreamUnavailableError if it broke off.
        """
        ...


class Planner(Protocol):
    """Decides how a turn is answered."""

    async def plan(self, prompt: Prompt) -> Routing:
        """The proposed routing, not yet checked against the rules.

        Raises: MalformedOutputError if the model's output is no routing.
        """
        ...


class VisionModel(Protocol):
    """Describes images."""

    name: str

    async def summarize(self, image: Image, prompt: Prompt) -> ImageSummary:
        """A structured summary; malformed output is repaired once.

        Raises: MalformedOutputError if the repair is malformed too.
        """
        ...


class MemoryExtractor(Protocol):
    """Finds what a message teaches about its writer."""

    async def extract(self, prompt: Prompt) -> MemoryChanges:
        """What to add and what to retract, empty when the message teaches nothing.

        Raises: MalformedOutputError.
        """
        ...


class EmbeddingModel(Protocol):
    """Turns texts into vectors."""

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of `dimensions` numbers for each text, in order."""
        ...


class WebSearch(Protocol):
    """Searches the web."""

    async def search(self, query: str, limit: int) -> list[Passage]:
        """At most `limit` results as passages `web:1`, `web:2`, ..., best first."""
        ...


class ImageFiles(Protocol):
    """Fetches the images that users sent."""

    async def fetch(self, file_id: str) -> bytes:
        """The bytes of an image.

        Raises: ImageRefusedError("too_large") if it is over the limit, before it is downloaded.
        """
        ...


# Repositories of the conversation (application database)


class Users(Protocol):
    """Who has written to the bot."""

    async def remember(self, user: User) -> None:
        """Insert or update a user; their last message is now."""
        ...

    async def mark_blocked(self, telegram_user_id: int) -> None:
        """Note that the user blocked the bot; cleared when they write again."""
        ...


class Memories(Protocol):
    """Long-term memory, namespace ("users", "<user_id>")."""

    async def load(self, user_id: int) -> LongTermMemory:
        """Everything remembered of this user, and of nobody else."""
        ...

    async def save(self, user_id: int, memory: LongTermMemory) -> None:
        """Replace what is remembered of this user."""
        ...


class Transcript(Protocol):
    """The lasting record of conversations."""

    async def record(self, turn: "TurnRecord") -> None:
        """Store both messages of a turn; the same turn again changes nothing."""
        ...

    async def archive(self, turns: Sequence["TurnRecord"]) -> None:
        """Keep turns that left the window of the state; the same turn again changes nothing."""
        ...


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A finished turn as it is kept. `meta` is JSON: image hashes, citations, plan."""

    user_id: int
    thread_id: str
    request_id: str
    question: str
    answer: str
    meta: Mapping[str, Any]


# Repositories of documents and decisions (RAG database)


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """What to look for. `internal` None searches all active sources, else only (not) internal.

    `embedding` is the query's vector, None without an embedding model: full text then.
    """

    text: str
    embedding: Sequence[float] | None = None
    limit: int = 6
    internal: bool | None = None


class Passages(Protocol):
    """The chunks of active sources."""

    async def search(self, query: PassageQuery) -> list[Passage]:
        """The nearest passages, best first, scores 0..1; [] when nothing is near or stored."""
        ...

    async def source_titles(self) -> list[str]:
        """Name of each active source, for the planner (at most 50)."""
        ...


class ImageSummaries(Protocol):
    """The vision cache, keyed by the sha256 of an image's bytes and the model."""

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        """The stored summary."""
        ...

    def exclusive(self, sha256: str) -> AbstractAsyncContextManager[None]:
        """Hold while an image is looked at, so that one seen many times at once costs one call."""
        ...

    async def store(self, image: "SeenImage", model: str, summary: ImageSummary) -> None:
        """Store a summary; one that is there already stays."""
        ...


@dataclass(frozen=True, slots=True)
class SeenImage:
    """What is kept of an image: never its bytes."""

    telegram_file_id: str
    sha256: str
    mime: str
    size_bytes: int


class Decisions(Protocol):
    """One row per turn: how it was answered and why."""

    async def record(self, decision: Decision) -> str:
        """Insert or complete the row of (thread_id, request_id); its id."""
        ...

    async def latest(self, thread_id: str) -> Decision | None:
        """The decision on the thread's last turn."""
        ...


# Repositories of the Telegram surface (application database)


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """A raw update; `attempt` is 1 when it is handed out for the first time."""

    update_id: int
    raw: bytes
    attempt: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A user's turn to be served, held under `fence` until the lease ends."""

    user_id: int
    fence: int
    updates: tuple[StoredUpdate, ...] = ()


@dataclass(frozen=True, slots=True)
class ReceivedUpdate:
    """An update as it came in; `user_id` 0 when it names nobody.

    `urgent` updates (button presses, /stop) do not wait behind the user's other updates;
    `media_group_id` joins the parts of an album.
    """

    update_id: int
    user_id: int
    raw: bytes
    media_group_id: str | None = None
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class InboxDepth:
    """Updates not done yet, the age of the oldest in seconds (0 without any), and dead letters."""

    pending: int
    oldest_s: float
    dead: int


@dataclass(frozen=True, slots=True)
class InboxRules:
    """How long a lane is held without renewal, when an update is given up, how albums are awaited.

    An album is complete after `album_quiet_s` without a new part, at the latest `album_longest_s`
    after its first. Source: measured; Telegram does not say how many parts an album has.
    """

    lease_s: float = 10.0
    max_attempts: int = 5
    album_quiet_s: float = 0.5
    album_longest_s: float = 2.0


class Inbox(Protocol):
    """Durable updates, a lane for each user, in order; only the database's clock counts."""

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Commit the updates and wake a worker; how many were new (a known update_id is not)."""
        ...

    async def claim(self) -> Lane | None:
        """Lease the lane that waits longest, with its next update or whole album; or None."""
        ...

    async def extend(self, lane: Lane) -> None:
        """Renew the lease.

        Raises: LaneLostError if another worker holds the lane now.
        """
        ...

    async def finish(self, lane: Lane) -> None:
        """Mark the lane's updates done and free the lane for its next update.

        Raises: LaneLostError.
        """
        ...

    async def retry(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back for `delay_s`; False when the attempts are used up (dead letter).

        Raises: LaneLostError.
        """
        ...

    async def release(self, lane: Lane) -> None:
        """Give the lane back, at once claimable by anyone (shutdown); the attempt stays counted.

        Raises: LaneLostError.
        """
        ...

    async def claim_user(self, user_id: int) -> Lane | None:
        """Lease a user's lane without an update, None while another holds it (terminal)."""
        ...

    async def queued(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """What waits behind a held lane and was never handed out, oldest first, an album once."""
        ...

    async def wait(self, timeout_s: float) -> None:
        """Return when work may have arrived, at the latest after `timeout_s`."""
        ...

    async def depth(self) -> InboxDepth:
        """How much waits."""
        ...

    async def prune(self, days: float) -> int:
        """Forget updates that were done more than `days` ago; how many."""
        ...


OutboxState = Literal["sending", "sent", "failed"]


@dataclass(frozen=True, slots=True)
class OutboxPart:
    """A message of an answer; part 0 is the placeholder that grows.

    `message_id` is Telegram's once known; `state` "sending" means that a send was begun and its
    outcome is not known, unless the part `is_new`: made by this very call. `text` is what the part
    shows for good, empty until it does.
    """

    update_id: int
    part: int
    state: OutboxState
    message_id: int | None
    sent_at: datetime | None = None
    text: str = ""
    is_new: bool = False


class Outbox(Protocol):
    """What was sent in answer to an update, so that a second try edits instead of sending again."""

    async def begin(self, update_id: int, part: int, chat_id: int) -> OutboxPart:
        """The part's row, made in state "sending" if new; an existing row comes back as it is."""
        ...

    async def sent(self, update_id: int, part: int, message_id: int) -> None:
        """Record Telegram's message id of a part."""
        ...

    async def finalized(self, update_id: int, part: int, text: str) -> None:
        """Record that the part shows its final text."""
        ...

    async def failed(self, update_id: int, part: int, reason: str) -> None:
        """Record that a part cannot be sent (blocked by the user, chat gone)."""
        ...

    async def prune(self, days: float) -> int:
        """Forget parts begun more than `days` ago; how many."""
        ...


# Telegram


@dataclass(frozen=True, slots=True)
class TextEntity:
    """A span of a message; `offset` and `length` count UTF-16 units.

    Source: Bot API, MessageEntity.
    """

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class RenderedMessage:
    """A text as Telegram takes it, at most 4096 UTF-16 units with at most 100 entities."""

    text: str
    entities: tuple[TextEntity, ...] = ()


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """Who the token belongs to."""

    id: int
    username: str


class TelegramApi(Protocol):
    """The Bot API's methods that the bot uses.

    Every method may raise UpstreamRateLimitedError, UpstreamUnavailableError (nothing was done),
    UpstreamTimeoutError or OutcomeUnknownError (it may have been done), UpstreamRefusedError.
    """

    async def get_me(self) -> BotIdentity:
        """Who the bot is."""
        ...

    async def send_message(
        self, chat_id: int, message: RenderedMessage, *, reply_to: int | None = None
    ) -> int:
        """Send without link preview; the new message's id.

        Raises: ChatBlockedError, EntitiesRefusedError.
        """
        ...

    async def edit_message(self, chat_id: int, message_id: int, message: RenderedMessage) -> None:
        """Replace a message's text; a text that it has already is no error.

        Raises: ChatBlockedError, EntitiesRefusedError, MessageGoneError.
        """
        ...

    async def send_typing(self, chat_id: int) -> None:
        """Show "typing…" for 5 seconds."""
        ...

    async def answer_callback(self, callback_id: str, text: str = "") -> None:
        """End the waiting mark on a pressed button."""
        ...

    async def set_commands(
        self, commands: Sequence[tuple[str, str]], language_code: str = ""
    ) -> None:
        """Publish (name, description) of the commands; "" is for all other languages."""
        ...

    async def set_webhook(self, url: str, secret: str, allowed_updates: Sequence[str]) -> None:
        """Have updates posted to `url`; what waits is kept."""
        ...

    async def delete_webhook(self) -> None:
        """Go back to polling; what waits is kept."""
        ...

    async def get_updates(
        self, offset: int | None, timeout_s: int, allowed_updates: Sequence[str]
    ) -> list[bytes]:
        """Raw updates from `offset` on, confirming those before; [] after `timeout_s`.

        Raises: UpdatesConflictError if someone else takes them.
        """
        ...

    async def reconnect(self) -> None:
        """Drop the connections on which updates are awaited and open new ones."""
        ...


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What a finished turn gives to a surface."""

    answer: Answer
    routing: Routing
    nodes: tuple[str, ...]
    latency_ms: Mapping[str, float]
    interrupt: Mapping[str, Any] | None = None
