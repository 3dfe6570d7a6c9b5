"""Interfaces of what comes in: updates, the lanes that answer them, each user's latest question.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """A raw update; `attempt` is 1 when it is handed out for the first time.

    One `over_cap` is not answered: it stands for all that its user sent too much. It has waited for
    a busy model server `holds` times before, the first time `held_s` seconds ago.
    """

    update_id: int
    raw: bytes
    attempt: int
    over_cap: bool = False
    holds: int = 0
    held_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Lane:
    """A user's turn to be served, held under `fence` until the lease ends.

    `updates` are answered together: one update, an album, or the pieces of a long text. Those of a
    lane that `is_spent` used up their attempts: nothing is left to do but to say so.
    """

    user_id: int
    fence: int
    updates: tuple[StoredUpdate, ...] = ()
    is_spent: bool = False


@dataclass(frozen=True, slots=True)
class ReceivedUpdate:
    """An update as it came in; `user_id` 0 when it names nobody.

    `urgent` updates (button presses, commands) do not wait behind the user's other updates;
    `media_group_id` joins the parts of an album; `text_units` is the length of a text that may be
    a piece of a longer one, in UTF-16 units, None for everything else; `topic_id` is the topic of
    the chat that it was written in.
    """

    update_id: int
    user_id: int
    raw: bytes
    media_group_id: str | None = None
    urgent: bool = False
    text_units: int | None = None
    topic_id: int | None = None


SPLIT_TEXT_UNITS = 4_000
"""From this length on a text may go on in the next message: clients split at up to 4,096 units."""


MOST_QUEUED = 3
"""Waiting messages that the user is told of; who writes faster does not need to hear of each."""


@dataclass(frozen=True, slots=True)
class InboxDepth:
    """Updates not done yet, the age of the oldest in seconds (0 without any), and dead letters.

    `unsent_s` is the age of the oldest message of an answer to one of them of which it is not known
    yet whether it was sent. `held` of the updates wait for a busy model server.
    """

    pending: int
    oldest_s: float
    dead: int
    unsent_s: float = 0.0
    held: int = 0


@dataclass(frozen=True, slots=True)
class InboxRules:
    """How long a lane is held without renewal, when an update is given up, what is awaited.

    An album is complete after `album_quiet_s` without a new part, at the latest `album_longest_s`
    after its first; Telegram does not say how many parts it has, and takes up to 2 s for ten. The
    pieces of a long text come within `text_gap_s` of each other. Of a user's ordinary updates at
    most `max_pending` wait; what comes on top is dropped, and the user is told once. What cannot
    be delivered is put back for `longest_postponed_s` in all, as long as Telegram keeps an update.

    `max_attempts` ends an update that takes its process along each time. It is high, because it
    hits also what was merely under way while processes died in a row; a turn that fails without
    that is tried less often, see `WorkerOptions`.
    """

    lease_s: float = 10.0
    max_attempts: int = 10
    album_quiet_s: float = 0.5
    album_longest_s: float = 2.5
    text_gap_s: float = 1.5
    max_pending: int = 50
    longest_postponed_s: float = 86_400.0


class Inbox(Protocol):
    """Durable updates, a lane for each user, in order; only the database's clock counts."""

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Commit the updates and wake a worker; how many were new (a known update_id is not).

        What a user sends over the cap counts as new, is known by its id and not handed out; but the
        first message of a burst comes as an urgent update, marked. A burst ends when nothing of the
        user waits. Urgent updates have a cap of their own, of the same size.
        """

    async def claim(self, *, urgent: bool = False) -> Lane | None:
        """Lease the lane that waits longest, with what is to be answered next in it; or None."""

    async def extend(self, lane: Lane) -> None:
        """Renew the lease.

        Raises: LaneLostError if another worker holds the lane now.
        """

    async def finish(self, lane: Lane) -> None:
        """Mark the lane's updates done, drop their bytes, free the lane for its next update.

        Raises: LaneLostError.
        """

    async def retry(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back for `delay_s`; False when the attempts are used up (dead letter).

        Raises: LaneLostError.
        """

    async def bury(self, lane: Lane, error: str) -> None:
        """Give the lane's updates up as dead letters, and free the lane for its next update.

        Raises: LaneLostError.
        """

    async def release(self, lane: Lane, *, counted: bool) -> None:
        """Give the lane back, at once claimable by anyone (shutdown).

        `counted` says whether this attempt was one; a clean hand-over is none.

        Raises: LaneLostError.
        """

    async def postpone(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back for `delay_s`; the attempt is not counted, for nothing failed in it.

        False when they have waited for too long (dead letter).

        Raises: LaneLostError.
        """

    async def hold(self, lane: Lane, error: str, delay_s: float) -> None:
        """Put the updates back until a busy model server may be asked again; no attempt is counted.

        Those of an urgent lane go on in the ordinary one: commands do not wait for a model.

        Raises: LaneLostError.
        """

    async def claim_user(self, user_id: int) -> Lane | None:
        """Lease a user's lane without an update, None while another holds it (terminal)."""

    async def queued(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """The first 3 that wait behind a held lane, never handed out; a bundle counts once."""

    async def wait(self, timeout_s: float, *, urgent: bool = False) -> None:
        """Return when a lane may be ready to be claimed, at the latest after `timeout_s`."""

    async def depth(self) -> InboxDepth:
        """How much waits."""

    async def prune(self, days: float) -> int:
        """Forget updates that were done more than `days` ago; how many.

        What was over the cap, or came from somebody who may not use the bot, goes after a day.
        """


MOST_EDITS_WAITING = 100
"""Waiting updates among which the edits of a question are looked for."""


@dataclass(frozen=True, slots=True)
class EditableQuestion:
    """A user's question as it reads now: its messages, and the raw update of each.

    `update_id` is the first that it came with, and names its answer. `revision` is the last update
    that edited it, 0 without one; `answered` the revision that was answered, None if none was.
    `told` are older messages whose edits the user was told come too late.
    """

    user_id: int
    update_id: int
    message_ids: tuple[int, ...]
    updates: tuple[bytes, ...]
    revision: int = 0
    answered: int | None = None
    told: tuple[int, ...] = ()

    def edited(self, message_id: int, update: StoredUpdate) -> "EditableQuestion":
        """The question with one of its messages as an update has it now."""
        place = self.message_ids.index(message_id)
        updates = (*self.updates[:place], update.raw, *self.updates[place + 1 :])
        return replace(self, updates=updates, revision=update.update_id)


class Questions(Protocol):
    """The latest question of each user: only that one is answered again when it is edited."""

    async def begin(self, question: EditableQuestion) -> None:
        """Keep a question, or its new form, as the user's latest; an older one changes nothing."""

    async def finish(self, question: EditableQuestion) -> None:
        """Note that the question was answered in this form."""

    async def latest(self, user_id: int) -> EditableQuestion | None:
        """The user's latest question, None if they never asked one."""

    async def note_told(self, user_id: int, message_id: int) -> None:
        """Note that the user was told that an edit of this message comes too late."""

    async def waiting(self, user_id: int, after: int) -> tuple[StoredUpdate, ...]:
        """What the user sent after an update and waits to be handled, in order (at most 100)."""

    async def prune(self, days: float) -> int:
        """Forget questions that were done more than `days` ago; how many."""
