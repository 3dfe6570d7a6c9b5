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
    """A raw update; `attempt` is 1 the first time it is handed out.

    If it is `over_cap`, it is not answered: it stands for all surplus updates of its user. It has
    waited for a busy model server `holds` times, the first time `held_s` seconds ago.
    """

    update_id: int
    raw: bytes
    attempt: int
    over_cap: bool = False
    holds: int = 0
    held_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Lane:
    """A user's lane, held under `fence` until the lease ends.

    `updates` are answered together: one update, an album, or the pieces of a long text. If the lane
    `is_spent`, their attempts are used up, and the user only has to be told.
    """

    user_id: int
    fence: int
    updates: tuple[StoredUpdate, ...] = ()
    is_spent: bool = False
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class ReceivedUpdate:
    """An update as received; `user_id` is 0 if it names no user.

    `urgent` updates (button presses, commands) do not wait for the user's other updates.
    `media_group_id` joins the parts of an album. `text_units` is the length in UTF-16 units of a
    text that may be a piece of a longer one, else None. `topic_id` is the chat's topic in which it
    was written, `user_message_id` the id of a new message in a private chat.
    """

    update_id: int
    user_id: int
    raw: bytes
    media_group_id: str | None = None
    urgent: bool = False
    text_units: int | None = None
    topic_id: int | None = None
    user_message_id: int | None = None


def internal_update(update_id: int, user_id: int, kind: str, *, urgent: bool) -> ReceivedUpdate:
    """An update that the bot puts into the inbox by itself; its id is negative.

    It names only what kind of work it is. The id leads to the rest, so nobody can forge that.
    """
    raw = json.dumps({kind: {"from": {"id": user_id}}}).encode()
    return ReceivedUpdate(update_id, user_id, raw, urgent=urgent)


def shortened(raw: bytes, name: str) -> bytes | None:
    """A raw update with the command `/name` without its arguments; None for any other update."""
    update = read_json(raw)
    message = update.get("message") if isinstance(update, dict) else None
    if not isinstance(update, dict) or not isinstance(message, dict):
        return None
    text = message.get("text")
    if not isinstance(text, str) or not text.lower().startswith(f"/{name}"):
        return None
    name_alone = {key: value for key, value in message.items() if key != "entities"}
    return json.dumps({**update, "message": {**name_alone, "text": f"/{name}"}}).encode()


SPLIT_TEXT_UNITS = 4_000
"""A text of at least this length may continue in the next message; clients split at 4,096."""


MOST_QUEUED = 3
"""Most waiting messages for which the user gets a notice at one time."""


@dataclass(frozen=True, slots=True)
class InboxDepth:
    """Updates not done yet, the age of the oldest in seconds (0 if none), and dead letters.

    `unsent_s` is the age of the oldest message in an answer to them whose send has no known outcome
    yet. `held` of the updates wait for a busy model server. `waiting_s` is the age of the oldest
    update that no worker has taken yet.
    """

    pending: int
    oldest_s: float
    dead: int
    unsent_s: float = 0.0
    held: int = 0
    waiting_s: float = 0.0


@dataclass(frozen=True, slots=True)
class InboxRules:
    """Leases, attempts and waiting times of the inbox.

    An album is complete after `album_quiet_s` without a new part, at the latest `album_longest_s`
    after its first; Telegram does not say how many parts it has, and takes up to 2 s for ten. The
    pieces of a long text arrive within `text_gap_s` of each other. At most `max_pending` ordinary
    updates of a user wait; surplus ones are dropped, and the user is told once. An answer that
    cannot be delivered is put back for up to `longest_postponed_s` in all, which is as long as
    Telegram keeps an update.

    `max_attempts` ends an update of which not even the failure can be told. A turn that fails is
    tried less often, see `WorkerOptions`; attempts that end their process count elsewhere, see
    `Attempts`.
    """

    lease_s: float = 10.0
    max_attempts: int = 10
    album_quiet_s: float = 0.5
    album_longest_s: float = 2.5
    text_gap_s: float = 1.5
    max_pending: int = 50
    longest_postponed_s: float = 86_400.0


class Inbox(Protocol):
    """Durable updates in one ordered lane per user; all times are of the database's clock."""

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Commit the updates and wake a worker; returns how many had a new update_id.

        Updates over the cap are stored by id but not handed out, except that the first message of
        a burst is handed out as a marked urgent update. A burst ends when none of the user's
        updates wait. Urgent updates have a separate cap of the same size.
        """

    async def claim(self, *, urgent: bool = False) -> Lane | None:
        """Lease the lane that has waited longest, with its next updates; None if none is ready."""

    async def claim_untold(self, waited_s: float) -> Lane | None:
        """Lease the ordinary lane that has waited longest, to tell its user that others go first.

        None if none has waited for `waited_s` without being told. Give it back by `put_back`.
        """

    def count_attempt(self, lane: Lane) -> AbstractAsyncContextManager[None]:
        """Serve a lane, whose attempt counts already; see `Attempts.counted`.

        Two attempts at its updates that ended their process make it `is_spent`. An attempt that
        the block settles, or leaves by an error, is none of them.
        """

    def is_leased(self, lane: Lane) -> bool:
        """Whether the lease of the lane still runs, as far as this process renewed it."""

    async def extend(self, lane: Lane) -> None:
        """Renew the lease. Raises: LaneLostError if another worker holds the lane now."""

    async def finish(self, lane: Lane) -> None:
        """Mark the lane's updates as done, delete their bytes, and free the lane.

        Raises: LaneLostError.
        """

    async def retry(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back for `delay_s`; False if the attempts are used up (dead letter).

        Raises: LaneLostError.
        """

    async def bury(self, lane: Lane, error: str) -> None:
        """Give up the lane's updates as dead letters, and free the lane. Raises: LaneLostError."""

    async def release(self, lane: Lane, *, counted: bool) -> None:
        """Give the lane back, so that any worker can claim it at once (shutdown).

        `counted` says whether this counts as an attempt; a clean hand-over does not.

        Raises: LaneLostError.
        """

    async def put_back(self, lane: Lane) -> None:
        """Give a lane of `claim_untold` back in its place; no attempt counts.

        Raises: LaneLostError.
        """

    async def postpone(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back for `delay_s` without counting the attempt, since nothing failed.

        False if they have waited for too long (dead letter).

        Raises: LaneLostError.
        """

    async def hold(self, lane: Lane, error: str, delay_s: float) -> None:
        """Put the updates back until a busy model server may be asked again; no attempt counts.

        Updates of an urgent lane move to the ordinary one: commands do not wait for a model.

        Raises: LaneLostError.
        """

    async def shorten_command(self, update_id: int, name: str) -> None:
        """Leave of a command, also one sent over HTTP, only `/name`: a password follows it."""

    async def claim_user(self, user_id: int) -> Lane | None:
        """Lease a user's lane without an update (terminal); None while another holds it."""

    async def waiting_updates(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """The first 3 updates waiting in a held lane, not handed out yet; a bundle counts once."""

    def hearing_from(self, user_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set whenever updates of this user are stored.

        Also when some may have been missed; while the database cannot tell, it is not set.
        """

    async def wait(self, timeout_s: float, *, urgent: bool = False) -> None:
        """Return when a lane may be ready, at the latest after `timeout_s`."""

    async def depth(self) -> InboxDepth:
        """The number and age of unfinished updates."""

    async def prune(self, days: float) -> int:
        """Delete updates that were done more than `days` ago; returns how many.

        Updates over the cap, or of people without access, are deleted after a day.
        """


MOST_EDITS_WAITING = 100
"""Most waiting updates that are searched for edits of a question."""


@dataclass(frozen=True, slots=True)
class EditableQuestion:
    """A user's question in its latest form: its messages, and the raw update of each.

    `update_id` is its first update, and identifies the answer. `revision` is the last update that
    edited it or joined it later, 0 if there is none; `answered` is the revision that was answered,
    None if there is none. `told` are older messages for which the user was told that an edit came
    too late.
    """

    user_id: int
    update_id: int
    message_ids: tuple[int, ...]
    updates: tuple[bytes, ...]
    revision: int = 0
    answered: int | None = None
    told: tuple[int, ...] = ()

    @property
    def is_answered(self) -> bool:
        """Whether it was answered in its latest form."""
        return self.answered == self.revision

    def with_edit(self, message_id: int, update: StoredUpdate) -> "EditableQuestion":
        """The question with one of its messages replaced by its edited form."""
        place = self.message_ids.index(message_id)
        updates = (*self.updates[:place], update.raw, *self.updates[place + 1 :])
        return replace(self, updates=updates, revision=update.update_id)

    def with_parts(self, parts: Mapping[int, StoredUpdate]) -> "EditableQuestion":
        """The question with more messages, by their ids, that came after the others."""
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
        """Delete questions that were done more than `days` ago; returns how many."""
