"""Performs runs on a worker's lane, records their events, and writes texts for programs."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from rich_agent.chat_commands.registry import Commands, Presses
from rich_agent.chat_commands.replies import CommandRequest, PressRequest, Reply
from rich_agent.chat_commands.suggestions import ASK_VERB
from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.budget import fit_text
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import (
    AskedBefore,
    Forwarded,
    IncomingMessage,
    Photo,
    TurnRequest,
    User,
    update_of,
)
from rich_agent.domain.runs import COMMAND, Run
from rich_agent.domain.text import LONGEST_ANSWER
from rich_agent.domain.tools import ToolCall
from rich_agent.domain.usage_limits import Payer
from rich_agent.errors import MalformedOutputError, QuestionClosedError, TurnHeldError
from rich_agent.graph.services import Services
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account, Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.models import Prompt, Shaper
from rich_agent.ports.news import News
from rich_agent.ports.runs import Runs
from rich_agent.ports.tools import Asker, Tools
from rich_agent.ports.turns import QUESTION_OPEN_S, Clarifications
from rich_agent.prompts import render_prompt
from rich_agent.rendering.message_markdown import as_markdown
from rich_agent.runs.recording import RunRecorder, open_recorder
from rich_agent.runs.service import file_id_of
from rich_agent.runtime.concurrency import unless
from rich_agent.runtime.metering import Billing, bill_to
from rich_agent.times import Clocks
from rich_agent.turns.apologies import apology, code_of
from rich_agent.turns.runner import (
    Finished,
    QuestionAsked,
    QuestionClosed,
    ToolsCalled,
    TurnEvent,
    TurnRunner,
)

_NODE = "errand"
Written = tuple[str, tuple[Mapping[str, Any], ...]]
"""A text, and the usage of models for it, by kind and model."""


@dataclass(frozen=True, slots=True)
class Completions:
    """Writes the texts of errands, which count against the daily limits of their users."""

    services: Services
    billing: Billing
    shaper: Shaper

    async def write(self, run: Run) -> Written:
        """Write the text of a run, as JSON if the program sent a schema.

        Raises: UpstreamError, DailyLimitError, LaneLostError, DatabaseUnavailableError.
        """
        wish = await self._fit_to_window(run.asked.text)
        prompt = render_prompt("client_errand", wish=wish)
        if run.asked.shape:
            return await self._bill(run, wish, self._shape_as_text(prompt, run.asked.shape))
        return await self._bill(run, wish, self.services.summarizer.summarize(prompt))

    async def shape(self, run: Run, answer: str) -> Written:
        """Put an answer into JSON of the schema that the program sent.

        Raises: MalformedOutputError if the model fails to, and the errors of `write`.
        """
        answer = await self._fit_to_window(answer)
        prompt = render_prompt("client_shape", question=run.asked.text, answer=answer)
        return await self._bill(run, answer, self._shape_as_text(prompt, run.asked.shape))

    async def _shape_as_text(self, prompt: Prompt, schema: Mapping[str, Any]) -> str:
        """The JSON object of a schema as text.

        Raises: MalformedOutputError if it is too long.
        """
        text = json.dumps(await self.shaper.shape(prompt, schema), ensure_ascii=False)
        if len(text) > LONGEST_ANSWER:
            raise MalformedOutputError("model", "its answer is too long")
        return text

    async def _fit_to_window(self, text: str) -> str:
        """The text, cut to the model's window."""
        services = self.services
        budget = services.limits.within(await services.window()).max_context_tokens
        return fit_text(text, budget, services.count_tokens)

    async def _bill(self, run: Run, text: str, pending_answer: Awaitable[str]) -> Written:
        """The answer and its usage, charged to the run's user."""
        payer = Payer(run.user_id, run.request_id)
        async with self.billing.of_turn(payer, text) as meter:
            with bill_to(meter, _NODE):
                answer = await pending_answer
            return answer, tuple(meter.used_in(_NODE))


def command_of(run: Run, account: Account, user: User, *, ended_question: bool) -> CommandRequest:
    """The request for the command that a run consists of."""
    match = COMMAND.match(run.asked.text)
    assert match is not None  # noqa: S101 - see `RunAsked.is_command`
    return CommandRequest(
        match[1].lower(),
        run.asked.text[match.end() :].strip(),
        user,
        account.locale_for(client=run.asked.language or None),
        run.update_id,
        account,
        run.conversation,
        ended_question,
    )


def reply_text(reply: Reply, command: CommandRequest) -> str:
    """A reply as Markdown. Buttons that ask a question become lines.

    For a file or other buttons, a sentence says that they are in Telegram.
    """
    elsewhere = say(command.locale, "only-in-telegram", command=f"/{command.name}")
    if reply.file is not None:
        return elsewhere
    buttons = [button for row in reply.message.buttons for button in row]
    questions = [button.text for button in buttons if button.data.startswith(f"{ASK_VERB}:")]
    parts = [as_markdown(reply.message), "\n".join(f"- {question}" for question in questions)]
    if len(questions) < len(buttons):
        parts.append(elsewhere)
    return "\n\n".join(filter(None, parts))


Watching = Callable[[int], AbstractAsyncContextManager[asyncio.Event]]
"""Opens a context with an event that is set when the answer to an update has to stop."""
_NOT_IN_SCHEMA = (
    "The model could not put its answer into the schema of response_format. Ask for fewer fields, "
    "or without a schema."
)


@dataclass(frozen=True, slots=True)
class OpenQuestions:
    """Records questions with the end of the time for an answer, and calls with their cards."""

    clarifications: Clarifications
    tools: Tools
    open_for: timedelta = timedelta(seconds=QUESTION_OPEN_S)

    async def note(self, event: TurnEvent, recorder: RunRecorder, request: TurnRequest) -> None:
        """Record an event of a request's turn, with the cards of its calls.

        Raises: DatabaseUnavailableError; then nothing was recorded.
        """
        if isinstance(event, QuestionAsked):
            recorder.ask(event, self.tools.parameters_of, datetime.now(UTC) + self.open_for)
        elif isinstance(event, ToolsCalled):
            recorder.call(event.calls, await self._cards_of(event.calls, request))
        else:
            recorder.take(event)

    async def _cards_of(
        self, calls: Iterable[ToolCall], request: TurnRequest
    ) -> Sequence[ApprovalCard]:
        """The cards of calls, in the language of their user."""
        message = request.message
        user = message.user
        locale = user.locale or choose_locale(message.words(), user.language_code)
        ids = user.telegram_user_id, request.thread_id, request.request_id
        asker = Asker(*ids, locale, user.time_zone)
        return [await self.tools.card(call, asker) for call in calls]


@dataclass(frozen=True, slots=True)
class RunWork:
    """Performs runs; a run that is tried again goes on where the earlier try ended."""

    runs: Runs
    accounts: Accounts
    permits: Callable[[int, bool | None], bool]
    turns: TurnRunner
    watching: Watching
    questions: OpenQuestions
    errands: Completions
    commands: Commands
    presses: Presses
    news: News

    async def do(self, update_id: int) -> None:
        """Perform the run that an update stands for; do nothing if it was deleted, or is over.

        Raises: RichAgentError when the run failed, and may be tried again.
        """
        run = await self.runs.of_update(update_id)
        if run is None or run.state == "ended":
            return
        recorder = await open_recorder(self.runs, run)
        account = await self.accounts.find(run.user_id)
        if not self.permits(run.user_id, account.is_allowed):
            recorder.end("error", "not_allowed", "This user may not use the bot any more.")
            await recorder.keep()
            return
        recorder.begin()
        if run.asked.decision == "cancelled" and not run.asked.approves:
            await self.questions.clarifications.cancel(run.conversation)
            recorder.end("cancelled")
            await recorder.keep()
            return
        try:
            async with recorder.keeping():
                if run.asked.is_errand:
                    await self._write(recorder)
                elif run.asked.press:
                    await self._press(account, recorder)
                elif run.asked.is_command:
                    await self._obey(await self._request(run, account), account, recorder)
                elif run.asked.replaces:
                    await self._replace(await self._request(run, account), account, recorder)
                else:
                    await self._answer(await self._request(run, account), recorder)
        except QuestionClosedError:
            recorder.end("error", "question_closed", "The question was answered, or expired.")
            await recorder.keep()

    async def hold(self, update_id: int, delay: TurnHeldError) -> None:
        """Tell the followers of a run when the model can be asked again.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        if run := await self.runs.of_update(update_id):
            recorder = await open_recorder(self.runs, run)
            until = datetime.now(UTC) + timedelta(seconds=delay.wait_s)
            recorder.tell_stage({"stage": "busy", "until": until.isoformat(timespec="seconds")})
            await recorder.keep()

    async def tell(self, update_id: int, failure: Exception) -> None:
        """Tell the followers of an update of Telegram why there is no answer, or none yet.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        if isinstance(failure, TurnHeldError):
            await self.hold(update_id, failure)
        else:
            await self.fail(update_id, failure)

    async def fail(self, update_id: int, failure: Exception) -> None:
        """End a run that failed for good, with an apology to its user.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        if run := await self.runs.of_update(update_id):
            recorder = await open_recorder(self.runs, run)
            account = await self.accounts.find(run.user_id)
            recorder.end("error", code_of(failure), apology(failure, _clocks_of(run, account)))
            await recorder.keep()

    async def _obey(self, request: TurnRequest, account: Account, recorder: RunRecorder) -> None:
        """Answer a command; if it asks a question, as /retry does, run a turn for that."""
        run, user = recorder.run, request.message.user
        question = await self.turns.last_asked(run.conversation)
        closed_request = await self.questions.clarifications.cancel(run.conversation)
        if closed_request and question and question.refusal:
            recorder.take(QuestionClosed(closed_request, question))
        command = command_of(run, account, user, ended_question=closed_request is not None)
        reply = await self.commands.answer(command)
        if reply.again is None:
            recorder.reply(reply_text(reply, command), reply.message.living)
            recorder.end("success")
            return
        await self._answer(_again(request, reply.again), recorder)

    async def _press(self, account: Account, recorder: RunRecorder) -> None:
        """Answer a press of a button in a living block; its reply is the block as it is now."""
        run = recorder.run
        user = account.in_turn(User(run.user_id, language_code=run.asked.language or None))
        locale = account.locale_for(client=run.asked.language or None)
        block = await self.runs.living_block(run.user_id, run.asked.of_run)
        if block is None or run.asked.press not in block.action_data:
            # Only what the bot has shown can be pressed; the page may show an older block.
            recorder.reply("", block, say(locale, "button-outdated"))
            recorder.end("success")
            return
        press = PressRequest(
            run.asked.press,
            user,
            update_id=run.update_id,
            locale=locale,
            account=account,
            block=block,
        )
        reply = await self.presses.answer(press)
        message = reply.message or reply.below or RenderedMessage("")
        recorder.reply(as_markdown(message), message.living, reply.notice, reply.attachments)
        recorder.end("success")

    async def _replace(self, request: TurnRequest, account: Account, recorder: RunRecorder) -> None:
        """Answer the last question again, perhaps in an edited form, and replace its answer.

        After a crash, the last question is already that of this run, and its turn goes on.
        """
        run = recorder.run
        last_question = await self.turns.last_question(run.conversation)
        if last_question is None or not await self._is_replaced_by(run, last_question):
            sentence = say(_clocks_of(run, account).locale, "run-not-latest")
            recorder.end("error", "not_latest", sentence)
            return
        if last_question.request_id != run.request_id:
            await self.questions.clarifications.cancel(run.conversation)
        if run.asked.is_edited:
            last_question = replace(
                last_question, message=_with_text(last_question.message, run.asked.text)
            )
        await self._answer(
            replace(_again(request, last_question), replaces=run.asked.replaces), recorder
        )

    async def _is_replaced_by(self, run: Run, last_question: AskedBefore) -> bool:
        """Whether the last question is the one that this run answers again.

        It may also be the question of this run itself, or of a failed run that was to replace the
        same answer.
        """
        if last_question.request_id in {run.asked.replaces, run.request_id}:
            return True
        update_id = update_of(last_question.request_id)
        other_run = await self.runs.of_update(update_id) if update_id is not None else None
        return other_run is not None and other_run.asked.replaces == run.asked.replaces

    async def _answer(self, request: TurnRequest, recorder: RunRecorder) -> None:
        """Run a turn, and record its events."""
        async with self.watching(recorder.run.update_id) as stop:
            async for event in self.turns.run(request, stop):
                await self.questions.note(event, recorder, request)
                if isinstance(event, Finished):
                    await self._settle(recorder, event.outcome.request_id)
            if recorder.run.asked.shape and not (recorder.is_asking or stop.is_set()):
                await self._shape(recorder)
            recorder.end("cancelled" if stop.is_set() else "success")

    async def _settle(self, recorder: RunRecorder, turn: str) -> None:
        """Record that the run went on with an earlier turn, before its end is announced."""
        if turn and recorder.go_on_with(turn):
            await self.news.finish(recorder.run, turn)

    async def _shape(self, recorder: RunRecorder) -> None:
        """Record the answer in the form that the client asked for."""
        try:
            recorder.shape(*await self.errands.shape(recorder.run, recorder.told))
        except MalformedOutputError:
            recorder.end("error", "not_in_schema", _NOT_IN_SCHEMA)

    async def _write(self, recorder: RunRecorder) -> None:
        """Write the text of an errand, and record it."""
        async with self.watching(recorder.run.update_id) as stop:
            written_text = await unless(stop, self.errands.write(recorder.run))
            if written_text is not None:
                recorder.write(*written_text)
            recorder.end("cancelled" if written_text is None else "success")

    async def _request(self, run: Run, account: Account) -> TurnRequest:
        """The request of the run's turn."""
        request, name_by_user_id = run.asked, await self.accounts.names([run.user_id])
        user = User(
            run.user_id,
            name_by_user_id.get(run.user_id, ""),
            language_code=request.language or None,
        )
        photos = tuple(Photo(file_id_of(run.user_id, image)) for image in request.images)
        files = tuple(
            replace(file, file_id=file_id_of(run.user_id, file.file_id)) for file in request.files
        )
        return TurnRequest(
            thread_id=run.conversation,
            request_id=run.request_id,
            message=IncomingMessage(
                account.in_turn(user),
                request.text,
                photos,
                files=files,
                forwarded=Forwarded(request.context) if request.context else None,
                media_text=request.text if request.is_spoken else "",
            ),
            fresh_from=account.fresh_from,
            answers=request.answers,
            decision=request.decision,
            approves=request.approves,
            edits=request.edits,
        )


def _with_text(message: IncomingMessage, text: str) -> IncomingMessage:
    """The message with another text of its user; its photos and files stay."""
    return replace(message, text=text, media_text="", links=None, is_only_links=False)


def _again(request: TurnRequest, earlier_question: AskedBefore) -> TurnRequest:
    """The request that answers an earlier question again, and replaces its turn.

    If the question is that of the request itself, nothing is replaced.
    """
    message = replace(earlier_question.message, user=request.message.user)
    turn_to_replace = (
        "" if earlier_question.request_id == request.request_id else earlier_question.request_id
    )
    return replace(request, message=message, answers="", replaces=turn_to_replace)


def _clocks_of(run: Run, account: Account) -> Clocks:
    """The language and time zone of the run's user."""
    locale = account.locale_for(run.asked.text, run.asked.language or None)
    return Clocks(locale, account.time_zone)
