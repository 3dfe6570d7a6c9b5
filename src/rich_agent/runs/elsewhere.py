"""Records turns and commands of Telegram as runs, for users who may have a web page open.

While somebody follows a turn, its events are stored as they come; otherwise they are stored at its
end. A failure of the recording never costs the user in Telegram their answer.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import cast

import structlog
from typing_extensions import override

from rich_agent.chat_commands.registry import Commands
from rich_agent.chat_commands.replies import CommandRequest, Reply
from rich_agent.domain.message import (
    AskedBefore,
    TurnRequest,
    client_thread_in,
    client_thread_of,
    thread_of,
    update_of,
)
from rich_agent.domain.people import has_telegram
from rich_agent.domain.runs import Run, RunAsked
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.news import News
from rich_agent.ports.runs import Runs
from rich_agent.runs.recording import RunRecorder, open_recorder
from rich_agent.runs.work import OpenQuestions, reply_text
from rich_agent.runtime.concurrency import survived
from rich_agent.runtime.fencing import current_update, is_first_attempt, lane_cache
from rich_agent.turns.runner import Finished, QuestionAsked, TurnEvent, TurnRunner

_PAUSE_S = 0.1
_LOOK_S = 1.0
_FAILED = "runs.not_written_down"
Events = AsyncGenerator[TurnEvent]
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Notebook:
    """Begins the runs of turns and messages that were not requested over HTTP.

    Each function of `open_pages` returns whether a user may have a page open. If it fails or takes
    longer than a second, it counts as false.
    """

    runs: Runs
    news: News
    open_pages: Sequence[Callable[[int], Awaitable[bool]]] = ()

    async def begin(
        self, conversation: str, user_id: int, update_id: int, request: RunAsked
    ) -> Run:
        """See `News.begin`. Raises: NobodyReadsError, DatabaseUnavailableError."""
        thread = client_thread_in(user_id, conversation)
        if client_thread_of(user_id, thread) != conversation:
            raise NobodyReadsError  # a topic, or a group
        run = Run(update_id, user_id, f"tg:{update_id}", thread, request)
        is_shown, lane_runs = await self._is_shown(user_id), lane_cache(self.news)
        if lane_runs is not None:
            is_first = is_first_attempt() and update_id == current_update()
            if not (is_shown or lane_runs) and is_first:
                raise NobodyReadsError  # there is no run of an earlier attempt or lane
            lane_runs[update_id] = run
        stored_run = await self.news.begin(run, is_shown=is_shown)
        if stored_run is None or stored_run.state == "ended" or not stored_run.is_from_elsewhere:
            raise NobodyReadsError
        return stored_run

    async def _is_shown(self, user_id: int) -> bool:
        """Whether the user may have a page open, or has nothing but pages."""
        if not has_telegram(user_id):
            return True
        for has_page in self.open_pages:
            try:
                async with asyncio.timeout(_LOOK_S):
                    if await has_page(user_id):
                        return True
            except Exception:  # noqa: BLE001 - a feature's failure costs nobody their answer
                _log.warning("runs.pages_unknown", exc_info=True)
        return False

    async def say(
        self, conversation: str, user_id: int, update_id: int, question: str, answer: str
    ) -> None:
        """Record, once, an answer outside of turns; with the question "", a message."""
        with survived(_FAILED, DatabaseUnavailableError):
            await self._write(conversation, user_id, update_id, (question, answer))

    async def tell(self, user_id: int, update_id: int, text: str) -> None:
        """Write a message, once, into the main conversation of a person without Telegram.

        Raises: DatabaseUnavailableError, LaneLostError.
        """
        await self._write(thread_of(user_id), user_id, update_id, ("", text))

    async def _write(
        self, conversation: str, user_id: int, update_id: int, said: tuple[str, str]
    ) -> None:
        question, answer = said
        with suppress(NobodyReadsError):
            run = await self.begin(conversation, user_id, update_id, RunAsked(question))
            recorder = RunRecorder(self.runs, run)
            recorder.begin()
            recorder.write(answer, ())
            recorder.end("success")
            await recorder.keep()


class NobodyReadsError(Exception):
    """No open page would show the answer, so that it is not recorded."""


@dataclass(frozen=True, slots=True)
class WrittenTurns:
    """Implements `TurnRunner` for Telegram, and records its turns for open pages."""

    turns: TurnRunner
    notebook: Notebook
    questions: OpenQuestions
    clock: Callable[[], float] = time.monotonic

    async def run(
        self, request: TurnRequest, stop: asyncio.Event | None = None
    ) -> AsyncIterator[TurnEvent]:
        """See `TurnRunner.run`."""
        update_id = update_of(request.request_id)
        async with aclosing(cast("Events", self.turns.run(request, stop))) as events:
            if update_id is None or request.audience != "user":
                async for event in events:
                    yield event
                return
            async with self.notebook.news.reading(update_id) as is_read:
                recording = await self._open(request, update_id, is_read)
                async for event in events:
                    yield event
                    await recording.take(event)

    async def _open(
        self, request: TurnRequest, update_id: int, is_read: asyncio.Event
    ) -> "_TurnRecording":
        """The recording of a turn; one without a recorder if nobody would read it."""
        message = request.message
        run_request = RunAsked(
            message.words(),
            tuple(photo.file_id for photo in message.photos),
            message.files,
            answers=request.answers,
            is_spoken=bool(message.media_text) and message.media_text == message.text,
        )
        user_id = message.user.telegram_user_id
        recording = _TurnRecording(self.notebook, self.questions, request, is_read, self.clock)
        with survived(_FAILED, DatabaseUnavailableError), suppress(NobodyReadsError):
            run = await self.notebook.begin(request.thread_id, user_id, update_id, run_request)
            recording.recorder = await open_recorder(self.notebook.runs, run)
            if recording.recorder.seq:
                is_read.set()
            recording.recorder.begin()
        return recording

    async def accepts(self, request: TurnRequest) -> bool:
        """See `TurnRunner.accepts`."""
        return await self.turns.accepts(request)

    async def last_asked(self, thread_id: str) -> QuestionAsked | None:
        """See `TurnRunner.last_asked`."""
        return await self.turns.last_asked(thread_id)

    async def last_question(self, thread_id: str) -> AskedBefore | None:
        """See `TurnRunner.last_question`."""
        return await self.turns.last_question(thread_id)

    def drain(self) -> None:
        """See `TurnRunner.drain`."""
        self.turns.drain()


@dataclass(slots=True)
class _TurnRecording:
    """The recording of one turn; without a `recorder` nothing is recorded."""

    notebook: Notebook
    questions: OpenQuestions
    request: TurnRequest
    followed: asyncio.Event
    clock: Callable[[], float]
    recorder: RunRecorder | None = None
    _kept_at: float = field(default=float("-inf"))

    async def take(self, event: TurnEvent) -> None:
        """Record an event; store the recorded events if somebody follows, at most every 0.1 s."""
        if self.recorder is None:
            return
        with survived(_FAILED, DatabaseUnavailableError):
            await self.questions.note(event, self.recorder, self.request)
        if isinstance(event, Finished):
            await self._close(self.recorder, event)
        elif self.followed.is_set() and self.clock() >= self._kept_at + _PAUSE_S:
            await self._keep()
            self._kept_at = self.clock()

    async def _close(self, recorder: RunRecorder, end: Finished) -> None:
        """Record the end of the turn, and the turn that the run belongs to."""
        turn = end.outcome.request_id or recorder.run.request_id
        recorder.go_on_with(turn)
        recorder.end("success")
        with survived(_FAILED, DatabaseUnavailableError):
            await self.notebook.news.finish(recorder.run, turn)
        # The last step, so that followers find the run in its turn.
        await self._keep()

    async def _keep(self) -> None:
        """Store the recorded events; without the database, stop recording."""
        try:
            assert self.recorder is not None  # noqa: S101 - the callers' condition
            await self.recorder.keep()
        except DatabaseUnavailableError:
            self.recorder = None  # the transcript will have the answer


@dataclass(frozen=True, slots=True)
class WrittenCommands(Commands):
    """Commands of Telegram, whose replies are recorded for open pages.

    Two kinds are not recorded: commands of admins, because programs with a token may not read
    them, and commands with a secret, whose messages are deleted in Telegram. Of an unknown command
    only the name is recorded.
    """

    notebook: Notebook | None = None

    @override
    async def answer(self, request: CommandRequest) -> Reply:
        secret_check = _SecretCheck(request)
        reply = await Commands.answer(self, secret_check.observe())
        is_shown = request.name not in self.for_admins and not secret_check.is_told
        if self.notebook and is_shown and reply.again is None:
            shown_args = request.args if self.knows(request.name) else ""
            command_text = f"/{request.name} {shown_args}".strip()
            ids = (request.thread_id, request.user_id, request.update_id)
            await self.notebook.say(*ids, command_text, reply_text(reply, request))
        return reply

    @classmethod
    def over(cls, commands: Commands, notebook: Notebook) -> "WrittenCommands":
        """The same commands, with their replies recorded in the notebook."""
        parts = (commands.for_all, commands.for_admins, commands.access, commands.prepare)
        return cls(*parts, commands.menu, commands.shorten, notebook)


@dataclass(slots=True)
class _SecretCheck:
    """Finds out whether a command holds a secret, because its handler deletes the message."""

    request: CommandRequest
    is_told: bool = False

    def observe(self) -> CommandRequest:
        """The request; `is_told` is set once its message is to be deleted."""
        return (
            replace(self.request, take_away=self._take_away)
            if self.request.take_away
            else self.request
        )

    async def _take_away(self) -> bool:
        self.is_told = True
        assert self.request.take_away is not None  # noqa: S101 - see `watched`
        return await self.request.take_away()
