"""A turn that is asked for over HTTP, and what happens in it, step by step."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import Decided, SentFile, client_thread_of

RunState = Literal["queued", "running", "ended"]
BusyPolicy = Literal["queue", "interrupt", "refuse"]
"""What a run does while another answer to its user is being written: it waits, it stops that one
first, or it is not taken."""
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
- `answer`: message `message` is complete: `text`, `citations`, `locale`, the `day` that is drawn
  below it, or "", whether it `is_turn` (a command is none), and what surfaces offer:
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
"""Source: Bot API, BotCommand. A path with more slashes is none."""
_TOLD_BY = 500
"""Characters of a question by which its language is told."""


@dataclass(frozen=True, slots=True)
class RunAsked:
    """A client's request for a run: the user's words, images, or the answer to a question back.

    `images` are ids of uploads, and so are those of `files`. `answers` is the request whose
    question is answered; `decision`, `approves` and `edits` are as in `TurnRequest`, and a question
    that asks for no approval can be "cancelled" too. `language` is a BCP 47 tag of the client,
    `message_id` its id of the message. `is_spoken`: the text is what a microphone heard.
    An errand is no turn: the client wants a text for itself, such as a title. `shape` is the JSON
    Schema of the object that a program wants as its answer, {} for words. `replaces` is the turn
    that is answered again, as it was asked, or with this `text` if that `is_edited`. `context` is
    what a program knows besides: material, as if the user had forwarded it.
    """

    text: str
    images: tuple[str, ...] = ()
    files: tuple[SentFile, ...] = ()
    answers: str = ""
    decision: Decided = ""
    approves: str = ""
    edits: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    language: str = ""
    message_id: str = ""
    is_errand: bool = False
    is_spoken: bool = False
    shape: Mapping[str, Any] = field(default_factory=dict)
    replaces: str = ""
    is_edited: bool = False
    context: str = ""

    @property
    def is_command(self) -> bool:
        """Whether it is a command and nothing else."""
        has_more = self.images or self.files or self.is_spoken or self.shape or self.decision
        is_other = has_more or self.is_errand or self.replaces
        return not is_other and COMMAND.match(self.text) is not None


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is stored; `update_id` is that of its work in the inbox, a negative number."""

    update_id: int
    user_id: int
    run_id: str
    thread: str
    asked: RunAsked
    state: RunState = "queued"

    @property
    def request_id(self) -> str:
        """The request by which the run's turn is known in every record."""
        return f"tg:{self.update_id}"

    @property
    def is_from_elsewhere(self) -> bool:
        """Whether its turn was asked for in Telegram, and is written down for open pages only."""
        return self.run_id == self.request_id

    @property
    def conversation(self) -> str:
        """The thread of the graph in which the run's turn takes place."""
        return client_thread_of(self.user_id, self.thread)


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Something that happened in a run, stored `at` that time; numbered from 1 without gaps."""

    seq: int
    kind: RunEventKind
    data: Mapping[str, Any] = field(default_factory=dict)
    at: datetime | None = None


def verbatim(run: Run, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
    """Return a run's text so far as one answer that is `verbatim`, and its end if it is over."""
    parts, number = [], 0
    locale = choose_locale(run.asked.text[:_TOLD_BY], run.asked.language or None)
    for event in events:
        if event.kind == "text" and event.data["message"] == number:
            parts.append(event.data["delta"])
        elif event.kind in {"text", "rewritten", "answer"}:
            number = event.data["message"]
            parts = [event.data.get("text") or event.data.get("delta", "")]
            locale = event.data.get("locale") or locale
    answer = {"message": number, "text": "".join(parts), "citations": [], "is_cut": False}
    last = events[-1]
    replay = [RunEvent(last.seq - 1, "answer", {**answer, "locale": locale, "verbatim": True})]
    if last.kind == "ended":
        # A question that is not shown cannot be answered.
        is_asked = last.data["outcome"] == "question"
        replay.append(replace(last, data={**last.data, "outcome": "success"}) if is_asked else last)
    return replay
