"""Runs: turns that are requested over HTTP, and the events that happen in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import Decided, SentFile, client_thread_of

RunState = Literal["queued", "running", "ended"]
BusyPolicy = Literal["queue", "interrupt", "refuse"]
"""What happens to a new run while the bot writes another answer to the user: the run waits, it
stops the other answer first, or it is refused."""
RunEventKind = Literal[
    "started",
    "planned",
    "stage",
    "text",
    "rewritten",
    "calling",
    "called",
    "returned",
    "answer",
    "shaped",
    "question",
    "ended",
]
"""The kinds of events, and the fields of their `data`:

- `started`: a worker has the run.
- `planned`: `intent`, `plan`; `acts`, whether tools are offered.
- `stage`: what the bot does now, as `turns.events.StageChanged`; `until` while a model is busy.
- `text`: `delta`, to be appended to message number `message`.
- `rewritten`: message `message` reads `text` from its first character.
- `calling`: `delta`, to be appended to the JSON of the arguments of call `id` of tool `name`, which
  the model writes after message `message`. No text is appended to that message any more.
- `called`: tool call `id` of tool `name`, with `arguments`, after message `message`; `card` is what
  users read of it. A call that was only ever `calling` is dropped.
- `returned`: what call `id` gave: `content`, `status`.
- `answer`: message `message` is complete: `text`, `citations`, `locale`, the `attachments` that
  are drawn below it, those of a press with their content, whether it `is_turn` (a command is
  none), the `living` block that a reply is, as JSON, the `notice` of a press, and what surfaces
  offer:
  `worth_rating`, `files` that may be remembered, and `undo`, the request whose changes can be taken
  back until `undo_until`. One that is `verbatim` is shown as code: nothing is computed from it.
- `shaped`: the answer as `text` in JSON, where the run asks for a shape.
- `question`: what the run waits for, as `turns.events.QuestionAsked`, until `expires_at`; each of
  its `calls` with the JSON Schema of its arguments (`parameters`), and their `order`. `cards` are
  what is shown of them; an event from before there were any has none. `files` are as in `answer`.
- `ended`: `outcome` is "success", "question", "cancelled" or "error", with `code` and `message`;
  `usage` is what the run used, by kind and model.
"""


COMMAND = re.compile(r"/([a-z0-9_]{1,32}+)(?=\s|\Z)", re.IGNORECASE | re.ASCII)
"""A command at the beginning of a text. A path is no command. Source: Bot API, BotCommand."""
_TOLD_BY = 500
"""Characters of a question from which its language is detected."""


@dataclass(frozen=True, slots=True)
class RunAsked:
    """A client's request for a run: a message of the user, or an answer to a question back."""

    text: str
    """Text of the user."""
    images: tuple[str, ...] = ()
    """Ids of uploaded images."""
    files: tuple[SentFile, ...] = ()
    """Uploaded files; their ids are those of uploads."""
    answers: str = ""
    """Request id of the turn whose question back this run answers."""
    decision: Decided = ""
    """Decision on waiting calls, as in `TurnRequest`. A question that asks for no approval can be
    "cancelled" too."""
    approves: str = ""
    """Fingerprint of the waiting calls, as in `TurnRequest`."""
    edits: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    """Changed arguments of approved calls, as in `TurnRequest`."""
    language: str = ""
    """Language of the client, as a BCP 47 tag."""
    message_id: str = ""
    """The client's id of the message."""
    is_errand: bool = False
    """Whether the client wants a text for itself, such as a title. An errand is no turn."""
    is_spoken: bool = False
    """Whether the text was spoken into a microphone."""
    shape: Mapping[str, Any] = field(default_factory=dict)
    """JSON Schema of the object that a program wants as the answer; {} for text."""
    replaces: str = ""
    """Request id of the turn that is answered again."""
    is_edited: bool = False
    """Whether `text` replaces the question of the turn that is answered again."""
    context: str = ""
    """Further material of a program, treated like a forwarded message."""
    press: str = ""
    """Data of a button that was pressed in a living block; there is no text then."""
    of_run: str = ""
    """Run that began the living block with that button."""

    @property
    def is_command(self) -> bool:
        """Whether the request is a chat command and nothing else."""
        has_more = self.images or self.files or self.is_spoken or self.shape or self.decision
        is_other = has_more or self.is_errand or self.replaces
        return not is_other and COMMAND.match(self.text) is not None


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run. `update_id` is the id of its work in the inbox, a negative number."""

    update_id: int
    user_id: int
    run_id: str
    thread: str
    asked: RunAsked
    state: RunState = "queued"

    @property
    def request_id(self) -> str:
        """The id of the run's turn in every record."""
        return f"tg:{self.update_id}"

    @property
    def is_from_elsewhere(self) -> bool:
        """Whether the turn was requested in Telegram, and is recorded only for open pages."""
        return self.run_id == self.request_id

    @property
    def conversation(self) -> str:
        """The thread id of the conversation in which the run's turn takes place."""
        return client_thread_of(self.user_id, self.thread)


@dataclass(frozen=True, slots=True)
class RunEvent:
    """An event of a run. `seq` counts from 1 without gaps; `at` is the time of storing."""

    seq: int
    kind: RunEventKind
    data: Mapping[str, Any] = field(default_factory=dict)
    at: datetime | None = None


def verbatim(run: Run, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
    """Return the run's text so far as one `verbatim` answer, and the end of the run if it ended."""
    text_parts, message_number = [], 0
    locale = choose_locale(run.asked.text[:_TOLD_BY], run.asked.language or None)
    for event in events:
        if event.kind == "text" and event.data["message"] == message_number:
            text_parts.append(event.data["delta"])
        elif event.kind in {"text", "rewritten", "answer"}:
            message_number = event.data["message"]
            text_parts = [event.data.get("text") or event.data.get("delta", "")]
            locale = event.data.get("locale") or locale
    answer = {
        "message": message_number,
        "text": "".join(text_parts),
        "citations": [],
        "is_cut": False,
    }
    last_event = events[-1]
    events_to_replay = [
        RunEvent(last_event.seq - 1, "answer", {**answer, "locale": locale, "verbatim": True})
    ]
    if last_event.kind == "ended":
        # A question that is not shown cannot be answered.
        if last_event.data["outcome"] == "question":
            last_event = replace(last_event, data={**last_event.data, "outcome": "success"})
        events_to_replay.append(last_event)
    return events_to_replay
