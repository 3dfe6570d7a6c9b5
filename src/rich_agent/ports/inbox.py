"""Interfaces for incoming updates, the lanes that order them, and each user's latest question.

Every method may raise DatabaseUnavailableError.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from rich_agent.domain.json_values import read_json


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """A raw update from the inbox."""

    update_id: int
    raw: bytes
    attempt: int
    """The number of times that it was handed out, 1 for the first."""
    over_cap: bool = False
    """Whether it stands for all surplus updates of its user, and is not answered."""
    holds: int = 0
    """How often it has waited for a busy model server."""
    held_s: float = 0.0
    """The seconds since it first waited for one."""
    is_new: bool = False
    """Whether it was certainly handed out for the first time, and alone."""
    is_newest: bool = False
    """Whether certainly no later update of its lane waited then."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A user's lane, held under `fence` until the lease ends."""

    user_id: int
    fence: int
    updates: tuple[StoredUpdate, ...] = ()
    """The updates to answer together: one, an album, or the pieces of a long text."""
    is_spent: bool = False
    """Whether their attempts are used up, so that the user only gets a notice."""
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class ReceivedUpdate:
    """An update as it was received."""

    update_id: int
    user_id: int
    """Its user, 0 if it names none."""
    raw: bytes
    media_group_id: str | None = None
    """The id that the parts of an album share."""
    urgent: bool = False
    """Whether it does not wait for the user's other updates: a button or a command."""
    text_units: int | None = None
    """The UTF-16 units of a text that may be a piece of a longer one, else None."""
    topic_id: int | None = None
    """The chat's topic in which it was written."""
    user_message_id: int | None = None
    """The id of a new message in a private chat."""


def internal_update(update_id: int, user_id: int, kind: str, *, urgent: bool) -> ReceivedUpdate:
    """An update that the bot puts into the inbox itself; its id is negative.

    It holds only the kind of work. The id leads to the rest, so that nobody can forge it.
    """
    raw = json.dumps({kind: {"from": {"id": user_id}}}).encode()
    return ReceivedUpdate(update_id, user_id, raw, urgent=urgent)


def shortened(raw: bytes, name: str) -> bytes | None:
    """A raw update with the command `/name`, without its arguments; None for other updates."""
    update = read_json(raw)
    message = update.get("message") if isinstance(update, dict) else None
    if not isinstance(update, dict) or not isinstance(message, dict):
        return None
    text = message.get("text")
    if not isinstance(text, str) or not text.lower().startswith(f"/{name}"):
        return None
    plain_message = {key: value for key, value in message.items() if key != "entities"}
    return json.dumps({**update, "message": {**plain_message, "text": f"/{name}"}}).encode()


SPLIT_TEXT_UNITS = 4_000
"""The UTF-16 units from which a text may continue in the next message; clients split at 4,096."""


MOST_QUEUED = 3
"""The most waiting messages for which the user gets a notice at one time."""


@dataclass(frozen=True, slots=True)
class InboxDepth:
    """The number and age of unfinished updates."""

    pending: int
    oldest_s: float
    """The age of the oldest unfinished update in seconds, 0 if there is none."""
    dead: int
    """The number of dead letters."""
    unsent_s: float = 0.0
    """The age of the oldest message of an answer whose sending has no known outcome."""
    held: int = 0
    """The number of updates that wait for a busy model server."""
    waiting_s: float = 0.0
    """The age of the oldest update that no worker has taken."""


@dataclass(frozen=True, slots=True)
class InboxRules:
    """Leases, attempts and waiting times of the inbox."""

    lease_s: float = 10.0
    max_attempts: int = 10
    """The attempts after which an update ends even without a notice of its failure.

    Failing turns have fewer attempts, see `WorkerOptions`; for attempts that end their process, see
    `Attempts`.
    """
    album_quiet_s: float = 0.5
    """An album is complete after this time without a new part.

    Telegram does not say how many parts it has, and takes up to 2 s for ten.
    """
    album_longest_s: float = 2.5
    """An album is complete at the latest this long after its first part."""
    text_gap_s: float = 1.5
    """The longest time between two pieces of a long text."""
    max_pending: int = 50
    """The most ordinary updates of a user that wait; others are dropped with one notice."""
    longest_postponed_s: float = 86_400.0
    """The longest time for which an answer that cannot be delivered is postponed.

    Telegram keeps an update for the same time.
    """


class Inbox(Protocol):
    """Durable updates in one ordered lane per user; all times are of the database's clock."""

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Store the updates and wake a worker; return the number with a new update_id.

        Updates over the cap are stored by id only. The first message of a burst is handed out as a
        marked urgent update. A burst ends when none of the user's updates wait. Urgent updates have
        a separate cap of the same size.
        """

    async def claim(self, *, urgent: bool = False) -> Lane | None:
        """Lease the lane that has waited longest, with its next updates; None if none is ready."""

    def may_be_ready(self, *, urgent: bool) -> bool:
        """Whether a claim may find a lane; False if the last one saw that none is ready yet."""

    async def claim_untold(self, waited_s: float) -> Lane | None:
        """Lease the ordinary lane that has waited longest, to tell its user that others go first.

        None if no lane has waited for `waited_s` without a notice. `put_back` gives the lane back.
        """

    async def place_of(self, lane: Lane) -> int:
        """The place of a lane of `claim_untold` among those that wait, from 1 to at most 1,000.

        Lanes of other users to whom a notice is being sent are left out.
        """

    def count_attempt(self, lane: Lane) -> AbstractAsyncContextManager[None]:
        """Serve a lane, with the attempt counted beforehand; see `Attempts.counted`.

        After two attempts that ended the process, the lane `is_spent`. An attempt that ends
        normally or by an error does not count.
        """

    def is_leased(self, lane: Lane) -> bool:
        """Whether the lease of the lane is still valid, as far as this process renewed it."""

    async def extend(self, lane: Lane) -> None:
        """Renew the lease. Raises: LaneLostError if another worker holds the lane now."""

    async def finish(self, lane: Lane) -> None:
        """Mark the lane's updates as done, delete their bytes, and free the lane.

        Raises: LaneLostError.
        """

    async def retry(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back for `delay_s`; False if no attempt is left (dead letter).

        Raises: LaneLostError.
        """

    async def bury(self, lane: Lane, error: str) -> None:
        """Give up the lane's updates as dead letters, and free the lane. Raises: LaneLostError."""

    async def release(self, lane: Lane, *, counted: bool) -> None:
        """Give the lane back, so that any worker can claim it at once (shutdown).

        With `counted`, this attempt counts; a clean handover does not.
        Raises: LaneLostError.
        """

    async def put_back(self, lane: Lane, *, told: bool = True) -> None:
        """Give a lane of `claim_untold` back to its place, without counting an attempt.

        Unless its user was told, `claim_untold` may take it again.

        Raises: LaneLostError.
        """

    async def postpone(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back for `delay_s`, without counting the attempt, since nothing failed.

        False if they have waited for too long and become a dead letter.
        Raises: LaneLostError.
        """

    async def hold(self, lane: Lane, error: str, delay_s: float) -> None:
        """Put the updates back until a busy model server accepts requests; no attempt counts.

        Updates of an urgent lane move to the ordinary one: commands do not wait for a model.
        Raises: LaneLostError.
        """

    async def shorten_command(self, update_id: int, name: str) -> None:
        """Remove the arguments of a stored command, also of one over HTTP: they hold a password."""

    async def claim_user(self, user_id: int) -> Lane | None:
        """Lease a user's lane without an update (terminal); None while another worker holds it."""

    async def waiting_updates(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """The first 3 waiting updates of a held lane; a bundle counts as one."""

    def is_quiet(self, lane: Lane) -> bool:
        """Whether certainly nothing waits behind the lane's updates since it was claimed.

        Ask this inside of `hearing_from`, so that what is stored later is heard.
        """

    @property
    def is_deaf(self) -> bool:
        """Whether the listener for new updates has lost its connection."""

    def hearing_from(self, user_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set whenever updates of this user are stored.

        It is set as well if some may have been missed, but not while the database is unavailable.
        """

    async def wait(self, timeout_s: float, *, urgent: bool = False) -> None:
        """Return when a lane may be ready, after `timeout_s` at the latest."""

    async def depth(self) -> InboxDepth:
        """The number and age of unfinished updates."""

    async def prune(self, days: float) -> int:
        """Delete updates that were done more than `days` ago; return their number.

        Updates over the cap, or of people without access, are deleted after a day.
        """


MOST_EDITS_WAITING = 100
"""The most waiting updates that are searched for edits of a question."""


@dataclass(frozen=True, slots=True)
class EditableQuestion:
    """A user's question in its latest form."""

    user_id: int
    update_id: int
    """Its first update, which identifies the answer."""
    message_ids: tuple[int, ...]
    """Its messages."""
    updates: tuple[bytes, ...]
    """The raw update of each message."""
    revision: int = 0
    """The last update that edited it or added to it, 0 if there is none."""
    answered: int | None = None
    """The revision that was answered, None if none was."""
    told: tuple[int, ...] = ()
    """Older messages whose edits came too late, as the user knows."""

    @property
    def is_answered(self) -> bool:
        """Whether the latest form of the message was answered."""
        return self.answered == self.revision

    def with_edit(self, message_id: int, update: StoredUpdate) -> "EditableQuestion":
        """The question with one of its messages replaced by its edited form."""
        index = self.message_ids.index(message_id)
        updates = (*self.updates[:index], update.raw, *self.updates[index + 1 :])
        return replace(self, updates=updates, revision=update.update_id)

    def with_parts(self, parts: Mapping[int, StoredUpdate]) -> "EditableQuestion":
        """The question with more messages after the others, by their ids."""
        return replace(
            self,
            message_ids=(*self.message_ids, *parts),
            updates=(*self.updates, *(part.raw for part in parts.values())),
            revision=max(part.update_id for part in parts.values()),
        )


class Questions(Protocol):
    """The latest question of each user; only this one is answered again after an edit."""

    async def begin(self, question: EditableQuestion) -> None:
        """Store a question or its new form as the user's latest; an older one changes nothing."""

    async def finish(self, question: EditableQuestion) -> None:
        """Note that the question was answered in this form."""

    async def latest(self, user_id: int) -> EditableQuestion | None:
        """The user's latest question, None if there is none."""

    async def note_late_edit(self, user_id: int, message_id: int) -> None:
        """Note that the user was told that an edit of this message came too late."""

    async def waiting(self, user_id: int, after: int) -> tuple[StoredUpdate, ...]:
        """The user's waiting updates after the given one, in order (at most 100)."""

    async def prune(self, days: float) -> int:
        """Delete questions that were done more than `days` ago; return their number."""
