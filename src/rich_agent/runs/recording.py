"""Recording of a turn as the events of its run, for those who follow it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.answer.markdown import plain_markdown
from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.runs import Run, RunEvent, RunEventKind
from rich_agent.domain.text import LONGEST_ANSWER, shorten
from rich_agent.domain.tools import ToolCall
from rich_agent.ports.runs import Runs
from rich_agent.ports.tools import UNDO_MINUTES
from rich_agent.runtime.concurrency import happens_within, task_group
from rich_agent.turns.runner import (
    Answered,
    CallSoFar,
    Finished,
    QuestionAsked,
    QuestionClosed,
    RoutePlanned,
    StageChanged,
    TextSoFar,
    ToolsCalled,
    ToolsReturned,
    TurnEvent,
    Withheld,
)

_RESULT_CHARS = 20_000
_PAUSE_S = 0.04
"""Seconds between two writes; text that grows meanwhile is stored in one event."""


ParametersOf = Callable[[str], Mapping[str, Any]]
"""Returns the JSON Schema of the arguments of a tool, by its name."""


@dataclass(slots=True)
class RunRecorder:
    """Records the events of one run. Events stored before a crash are not recorded again.

    Followers can only append text. So text is recorded only while it continues the text recorded
    before. After a retry, or if the answer differs, nothing is added until the whole text is known.
    The same applies to the arguments of a call.

    - `seq`: the number of the last stored event.
    - `message`: the number of the present message; each round of tool calls begins a new one.
    - `told`: the text of that message recorded so far.
    - `called`, `calling`: the ids of the finished calls; the arguments so far of calls by id.
    """

    runs: Runs
    run: Run
    seq: int = 0
    message: int = 0
    told: str = ""
    called: set[str] = field(default_factory=set)
    calling: dict[str, str] = field(default_factory=dict)
    is_over: bool = False
    _stage: Mapping[str, Any] | None = None
    _is_complete: bool = False
    is_asking: bool = False
    _turn: str = ""
    _not_done: str = ""
    _used: tuple[Mapping[str, Any], ...] = ()
    _pending: list[tuple[RunEventKind, Mapping[str, Any]]] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _closing: asyncio.Event = field(default_factory=asyncio.Event)

    def recall(self, events: Iterable[RunEvent]) -> None:
        """Restore the state of the recorder from the events that an earlier try stored."""
        for event in events:
            self.seq, data = event.seq, event.data
            match event.kind:
                case "text":
                    self._turn_to(data["message"])
                    self.told += data["delta"]
                case "rewritten" | "answer":
                    self._turn_to(data["message"])
                    self.told = data["text"]
                    self._is_complete = event.kind == "answer"
                case "calling":
                    self.calling[data["id"]] = self.calling.get(data["id"], "") + data["delta"]
                case "called":
                    self.called.add(data["id"])
                case "returned":
                    self._turn_to(data["message"])
                case "question":
                    self.is_asking = True
                case "ended":
                    self.is_over = True
                case _:
                    pass

    def begin(self) -> None:
        """Record that a worker has taken the run."""
        if not self.seq and not self._pending:
            self._add("started")

    def take(self, event: TurnEvent) -> None:
        """Record an event of the turn; for its question and its end see `ask` and `end`."""
        match event:
            case RoutePlanned(intent, plan, acts):
                self._add("planned", intent=intent, plan=plan, acts=acts)
            case StageChanged(stage, tool):
                self.tell_stage({"stage": stage, **({"tool": tool} if tool else {})})
            case TextSoFar(text):
                # A text that ends here, because it is stopped, ends without white space.
                if not self.calling:
                    self._grow(text.rstrip())
            case CallSoFar():
                self._write_call(event)
            case ToolsCalled(calls):
                self.call(calls)
            case ToolsReturned():
                self._return(event)
            case QuestionClosed():
                self._not_done = event.notice
            case _:
                self._end_text(event)

    def _end_text(self, event: TurnEvent) -> None:
        """Record the text of an event that completes an answer."""
        match event:
            case Answered(answer):
                self._complete(answer)
            case Withheld(notice):
                self._complete(Answer(notice, worth_rating=False))
            case Finished(outcome, used):
                self._used = used
                if not self.is_asking:
                    self._complete(outcome.answer)
            case _:
                pass

    def shape(self, text: str, used: tuple[Mapping[str, Any], ...]) -> None:
        """Record the answer in the JSON form that the client asked for."""
        self._add("shaped", text=text)
        self._used = (*self._used, *used)

    def write(self, text: str, used: tuple[Mapping[str, Any], ...]) -> None:
        """Record the whole text of a run that is no turn, cut to `LONGEST_ANSWER` characters."""
        self.reply(text)
        self._used = used

    def reply(
        self,
        text: str,
        living: LivingBlock | None = None,
        notice: str = "",
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        """Record the reply to a command or a press, the block that it is, and its pictures."""
        is_cut = len(text) > LONGEST_ANSWER
        answer = Answer(
            text[:LONGEST_ANSWER], worth_rating=False, is_cut=is_cut, attachments=attachments
        )
        extra = {"living": living.to_json()} if living else {}
        self._complete(answer, is_turn=False, **extra, **({"notice": notice} if notice else {}))

    def tell_stage(self, stage: Mapping[str, Any]) -> None:
        """Record the stage of the bot's work if it has changed."""
        if stage != self._stage:
            self._stage = stage
            self._add("stage", **stage)

    def ask(self, question: QuestionAsked, parameters: ParametersOf, expires_at: datetime) -> None:
        """Record the question for whose answer the run waits, once."""
        if self.is_asking:
            return
        self.is_asking = True
        # The order of the arguments is stored, because the database does not keep it.
        calls = [
            {
                **call.to_state(),
                "parameters": parameters(call.name),
                "order": list(call.arguments),
            }
            for call in question.calls
        ]
        self._add(
            "question",
            request_id=question.request_id,
            question=question.question,
            choices=list(question.choices),
            approves=question.approves,
            calls=calls,
            cards=[card.to_state() for card in question.cards],
            expires_at=expires_at.isoformat(timespec="seconds"),
            files=list(question.files),
        )

    def go_on_with(self, turn: str) -> bool:
        """Note which turn the run belongs to; return whether it went on with an earlier turn."""
        is_earlier = turn != self.run.request_id and not self.run.asked.answers
        self._turn = turn if is_earlier else ""
        return is_earlier

    def end(self, outcome: str, code: str = "", message: str = "") -> None:
        """Record the end of the run, once."""
        if not self.is_over:
            outcome = "question" if outcome == "success" and self.is_asking else outcome
            usage = [dict(call_usage) for call_usage in self._used]
            turn = {"turn": self._turn} if self._turn else {}
            self._add("ended", outcome=outcome, code=code, message=message, usage=usage, **turn)
            self.is_over = True

    async def keep(self) -> None:
        """Store the events recorded so far. Raises: LaneLostError, DatabaseUnavailableError."""
        pending_events, self._pending = _join_texts(self._pending), []
        events = [
            RunEvent(self.seq + position, *pending_event)
            for position, pending_event in enumerate(pending_events, 1)
        ]
        self.seq += len(events)
        await self.runs.append(self.run, events)

    @asynccontextmanager
    async def keeping(self) -> AsyncIterator[None]:
        """Store events as they are recorded while the block runs, and the last ones at its end.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        async with task_group() as group:
            group.create_task(self._keep_on())
            try:
                yield
            finally:
                self._closing.set()
                self._news.set()

    async def _keep_on(self) -> None:
        """Store events as they are recorded, until the recording closes."""
        while not (self._closing.is_set() and not self._pending):
            await self._news.wait()
            self._news.clear()
            await self.keep()
            await happens_within(self._closing, _PAUSE_S)

    def _grow(self, text: str) -> None:
        """Record new text, if it continues the text so far."""
        if self._is_complete or not text.startswith(self.told):
            return
        if delta := text[len(self.told) :]:
            self.told = text
            self._add("text", message=self.message, delta=delta)

    def _complete(self, answer: Answer, *, is_turn: bool = True, **extra: object) -> None:
        """Record the whole answer, once."""
        if self._is_complete:
            return
        if self._not_done:
            text = f"{answer.text}\n\n{plain_markdown(self._not_done)}"
            answer = replace(answer, text=text)
        if answer.text.startswith(self.told):
            self._grow(answer.text)
        else:
            self.told = answer.text
            self._add("rewritten", message=self.message, text=answer.text)
        self._is_complete = True
        self._add(
            "answer",
            message=self.message,
            text=answer.text,
            citations=[citation.to_state() for citation in answer.citations],
            locale=answer.locale,
            is_turn=is_turn,
            worth_rating=answer.worth_rating,
            is_cut=answer.is_cut,
            undo=answer.undo,
            undo_until=_undo_until() if answer.undo else "",
            attachments=[
                # What is no turn has no transcript that would have the content.
                {"kind": one.kind, "caption": one.caption} if is_turn else one.to_state()
                for one in answer.attachments
            ],
            files=list(answer.files),
            **extra,
        )

    def _write_call(self, call: CallSoFar) -> None:
        """Record new arguments of a growing call."""
        text_so_far = self.calling.get(call.id, "")
        is_new = call.id not in self.calling
        delta = call.arguments.removeprefix(text_so_far)
        if (
            call.id in self.called
            or not call.arguments.startswith(text_so_far)
            or not (is_new or delta)
        ):
            return
        self.calling[call.id] = call.arguments
        self._add("calling", id=call.id, name=call.name, delta=delta, message=self.message)

    def call(self, calls: Iterable[ToolCall], cards: Iterable[ApprovalCard] = ()) -> None:
        """Record tool calls of the model, with the cards that users read."""
        card_states = {card.call_id: card.to_state() for card in cards}
        for call in calls:
            if call.id not in self.called:
                self.called.add(call.id)
                details: dict[str, Any] = (
                    {"card": card_states[call.id]} if call.id in card_states else {}
                )
                details["arguments"] = dict(call.arguments)
                self._add("called", id=call.id, name=call.name, message=self.message, **details)

    def _return(self, results: ToolsReturned) -> None:
        """Record the results of calls, and begin a new message."""
        if not self.run.asked.answers:
            # The calls are recorded already, unless the worker died before.
            self.call(call for call, _ in results.results)
        self._turn_to(self.message + 1)
        for call, tool_result in results.results:
            content = shorten(tool_result.content, _RESULT_CHARS)
            self._add(
                "returned",
                id=call.id,
                status=tool_result.status,
                content=content,
                message=self.message,
            )

    def _turn_to(self, message: int) -> None:
        """Begin a new message if the number differs."""
        if message != self.message:
            self.message, self.told = message, ""
            self.calling.clear()

    def _add(self, kind: RunEventKind, **data: Any) -> None:  # noqa: ANN401 - JSON of any shape
        """Add an event to those that wait to be stored."""
        self._pending.append((kind, data))
        self._news.set()


def _join_texts(
    notes: Iterable[tuple[RunEventKind, Mapping[str, Any]]],
) -> list[tuple[RunEventKind, Mapping[str, Any]]]:
    """The events, with successive pieces of text joined into one event."""
    events: list[tuple[RunEventKind, Mapping[str, Any]]] = []
    for (kind, message), group in groupby(notes, lambda note: (note[0], note[1].get("message"))):
        group_data = [data for _, data in group]
        if kind == "text":
            delta = "".join(data["delta"] for data in group_data)
            group_data = [{"message": message, "delta": delta}]
        events += [(kind, data) for data in group_data]
    return events


def _undo_until() -> str:
    """The time until which changes can be undone, ISO 8601."""
    until = datetime.now(UTC) + timedelta(minutes=UNDO_MINUTES)
    return until.isoformat(timespec="seconds")


async def open_recorder(runs: Runs, run: Run) -> RunRecorder:
    """Open the recorder of a run; new events follow those that an earlier try stored.

    Raises: DatabaseUnavailableError.
    """
    recorder = RunRecorder(runs, run)
    recorder.recall(await runs.events(run))
    return recorder
