"""Handles an update: runs a turn or a command, answers a press, or ignores the update.

Lanes are unknown here.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import structlog

from rich_agent.chat_commands.registry import Commands, Presses
from rich_agent.domain.access import Access, UserTags
from rich_agent.domain.answer.links import links_in
from rich_agent.domain.message import AskedBefore, TurnRequest
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account, Accounts, TakeStartCode
from rich_agent.ports.bot_api import FileToSend, RenderedMessage
from rich_agent.ports.inbox import EditableQuestion, StoredUpdate
from rich_agent.ports.turns import Clarifications
from rich_agent.rendering.notices import unlinked
from rich_agent.runtime.memberships import NoteMember, ignore_member
from rich_agent.telegram.deliver.asking_back import close_question, is_choice, take_choice
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.media import MediaMessages
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions, AnswerWriter
from rich_agent.telegram.deliver.update_context import (
    Threads,
    UpdateContext,
    WrittenUpdate,
    target_of,
    user_of,
)
from rich_agent.telegram.receive.inbound import (
    Command,
    DraftStopped,
    Edit,
    Ignored,
    Inbound,
    MemberChanged,
    Press,
    Turn,
    Unsupported,
    read_updates,
)
from rich_agent.telegram.serve.approving import Approving
from rich_agent.telegram.serve.binding import Binding
from rich_agent.telegram.serve.edits import Edits, Running, TooLate, question_from, turn_of
from rich_agent.telegram.serve.guests import GuestAnswers
from rich_agent.telegram.serve.internal_work import InternalKinds
from rich_agent.telegram.serve.menus import republish_admin_menu
from rich_agent.telegram.serve.redelivery import Redelivery, open_delivery
from rich_agent.telegram.serve.replies import (
    answer_press,
    close_choices,
    command_in,
    command_request,
    complete_press,
    notify,
    press_request,
    refresh_widget,
)
from rich_agent.turns.runner import QuestionClosed, TurnRunner
from rich_agent.turns.stopping import Stopping

_log = structlog.get_logger()


async def tell_no_followers(_update_id: int, _failure: Exception) -> None:
    """Callback for a bot whose turns no web page follows."""


@dataclass(frozen=True, slots=True)
class UpdateHandler:
    """Answers updates.

    If an update is tried again, the messages of the first attempt are edited.
    """

    turns: TurnRunner
    messenger: Messenger
    stopping: Stopping
    edits: Edits
    accounts: Accounts
    clarifications: Clarifications
    approving: Approving
    media: MediaMessages
    internal: InternalKinds = field(default_factory=InternalKinds)
    access: Access = field(default_factory=Access)
    commands: Commands = field(default_factory=Commands)
    presses: Presses = field(default_factory=Presses)
    answer_options: Callable[[], AnswerOptions] = AnswerOptions
    tags: UserTags = field(default_factory=UserTags)
    guests: GuestAnswers | None = None
    binding: Binding | None = None
    threads: Threads = field(default_factory=Threads)
    tell_followers: Callable[[int, Exception], Awaitable[None]] = tell_no_followers
    note_member: NoteMember = ignore_member
    start_codes: Sequence[TakeStartCode] = ()

    async def handle(self, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        """Answer one update, or several updates that belong together.

        Raises: RichAgentError if the turn failed or its answer could not be delivered.
        """
        if await self.internal.do(updates, hold):
            return
        if self.guests and await self.guests.take(updates[0], hold):
            return
        inbound = read_updates(updates)
        if isinstance(inbound, MemberChanged):
            await self.note_member(inbound.user_id, inbound.chat_id, inbound.is_member)
            return
        inbound = await self.binding.take(inbound) if self.binding else inbound
        inbound = await self._take_start_code(inbound)
        await self._handle_inbound(inbound, updates, hold)

    async def _take_start_code(self, inbound: Inbound) -> Inbound:
        """The update; /start without its code if a feature has taken that."""
        if not (isinstance(inbound, Command) and inbound.name == "start" and inbound.args):
            return inbound
        user_id, code = inbound.user.telegram_user_id, inbound.args.strip()
        for take in self.start_codes:
            if await take(user_id, code):
                return replace(inbound, args="")
        return inbound

    async def _handle_inbound(
        self, inbound: Inbound, updates: Sequence[StoredUpdate], hold: Hold
    ) -> None:
        if updates[0].over_cap:
            await self._say_too_many(inbound, updates, hold)
            return
        # An attempt that was postponed is not counted.
        was_begun = not updates[0].is_new
        inbound = await complete_press(self.messenger, inbound, was_begun=was_begun)
        match inbound:
            case Ignored() as ignored:
                _log.info("telegram.ignored", reason=ignored.reason)
            case Press() as press if is_choice(press):
                await self._handle_choice(press, updates, hold)
            case Press() as press:
                await self._handle_press(press, hold)
            case DraftStopped() as stopped:
                await self.stopping.ask(stopped.user_id, stopped.draft_id)
            case Edit() as edit:
                await self._handle_edit(edit, updates, hold)
            case Command() as command:
                await self._handle_command(command, updates, hold)
            case (Turn() | Unsupported()) as message:
                await self._handle_message(message, updates, hold)

    async def delivery_of(self, updates: Sequence[StoredUpdate], hold: Hold) -> Delivery | None:
        """The delivery for the answer to these updates, None if they expect no answer.

        Raises: DatabaseUnavailableError, LaneLostError.
        """
        if target := await self.internal.target_of(updates):
            return Delivery(self.messenger, target, hold)
        if self.guests:
            group_delivery = await self.guests.delivery_of(updates[0], hold)
            if group_delivery:
                return group_delivery
        inbound = read_updates(updates)
        if isinstance(inbound, Edit | Turn | Unsupported):
            return await self._delivery_of_question(inbound, updates, hold)
        if isinstance(inbound, Command) or is_choice(inbound):
            return self._delivery(await self._open(inbound, updates, hold))
        return None

    async def _handle_turn(self, turn: Turn, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        context = await self._open(turn, updates, hold)
        if not context.is_permitted:
            await self._refuse(turn, context)
            return
        await self.messenger.users.remember(turn.message.user)
        full_turn = await self.media.read(turn, context.target.update_id)
        if isinstance(full_turn, Turn) and await self.approving.take_reply(full_turn, context):
            return
        await self._answer(question_from(turn, updates), context)

    async def _handle_message(
        self, inbound: Turn | Unsupported, updates: Sequence[StoredUpdate], hold: Hold
    ) -> None:
        """Answer a message as a new question, or as a part of the previous question."""
        if question := await self.edits.question_with(inbound, updates):
            context = await self._open(inbound, updates, hold)
            await self._delivery(context).retract()
            if context.is_permitted and not question.is_answered:
                await self._answer(question, context)
        elif isinstance(inbound, Turn):
            await self._handle_turn(inbound, updates, hold)
        else:
            await self._handle_command(inbound, updates, hold)

    async def _handle_edit(self, edit: Edit, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        context = await self._open(edit, updates, hold)
        if not context.is_permitted:
            return
        revision = await self.edits.revise(edit, updates[0])
        if isinstance(revision, EditableQuestion):
            await self._answer(revision, context)
        elif isinstance(revision, TooLate):
            await tell_in_reply(self.messenger, edit.message_id, "edit-too-late", context)
            await self.edits.note_late_edit(edit)

    async def _answer(self, question: EditableQuestion, context: UpdateContext) -> None:
        """Answer a question; if it changes meanwhile, answer its new form."""
        account, handled_id = context.account, context.target.update_id

        async def write(question: EditableQuestion, running: Running) -> None:
            turn_or_unsupported = await self.media.read(turn_of(question), question.update_id)
            target = replace(
                target_of(turn_or_unsupported, account, question.update_id), handled_id=handled_id
            )
            delivery = await open_delivery(self.messenger, target, context.hold, question)
            if isinstance(turn_or_unsupported, Unsupported):
                await delivery.complete([unsupported_notice(turn_or_unsupported, target.locale)])
                return
            request = context.request(
                turn_or_unsupported.message, question.update_id, question.revision
            )
            writer = AnswerWriter(self.messenger, delivery, self.answer_options())
            async with (
                self.stopping.watching(target.in_hand) as stop_event,
                running.following(self.turns.run(request, stop_event)) as events,
            ):
                await writer.write(events)

        await self.edits.answer(question, write)

    async def _delivery_of_question(
        self, inbound: Edit | Turn | Unsupported, updates: Sequence[StoredUpdate], hold: Hold
    ) -> Delivery:
        """The delivery for an answer. If the latest question was changed, it is for its answer."""
        context = await self._open(inbound, updates, hold)
        question = await self.edits.questions.latest(user_of(inbound).telegram_user_id)
        if question and question.revision == updates[-1].update_id:
            target = replace(context.target, update_id=question.update_id)
            return Redelivery(self.messenger, target, hold)
        return self._delivery(context)

    async def _answer_again(self, earlier: AskedBefore, context: UpdateContext) -> None:
        account, message = context.account, earlier.message
        locale = account.locale_for(message.words(), message.user.language_code)
        update_id = context.target.update_id
        target = replace(
            context.target,
            locale=locale,
            allowed_links=links_in(message.text),
            handled_id=update_id,
            media_text=message.media_text,
        )
        request = replace(context.request(message), replaces=earlier.request_id)
        await self._run(request, replace(context, target=target))

    async def _run(self, request: TurnRequest, context: UpdateContext) -> None:
        """Run the turn of a request that cannot be edited, and deliver its answer."""
        writer = AnswerWriter(self.messenger, self._delivery(context), self.answer_options())
        async with self.stopping.watching(context.target.update_id) as stop:
            await writer.write(self.turns.run(request, stop))

    async def _handle_command(
        self, inbound: Command | Unsupported, updates: Sequence[StoredUpdate], hold: Hold
    ) -> None:
        context = await self._open(inbound, updates, hold)
        target = context.target
        if not context.is_permitted:
            await self._refuse(inbound, context)
            return
        await self.messenger.users.remember(inbound.user)
        if isinstance(inbound, Unsupported):
            await self._delivery(context).complete([unsupported_notice(inbound, target.locale)])
            return
        had_question = await self._give_up_question(context)
        if inbound.name == "start" and self.access.is_admin(inbound.user.telegram_user_id):
            await republish_admin_menu(
                self.messenger.api, inbound.user.telegram_user_id, self.commands.menu
            )
        request = await command_request(self.messenger, inbound, context)
        reply = await self.commands.answer(replace(request, ended_question=had_question))
        if reply.again:
            await self._answer_again(reply.again, context)
            return
        if reply.file:
            await send_file(self.messenger, target, hold, reply.file)
        await self._delivery(context).complete([reply.message])

    async def _give_up_question(self, context: UpdateContext) -> bool:
        """Close the conversation's open question; return whether there was one.

        If calls of tools waited for its answer, its message then says that they are not done.
        """
        question = await self.turns.last_asked(context.thread_id)
        request_id = await self.clarifications.cancel(context.thread_id)
        if request_id and question:
            card = question if question.refusal else None
            closed_question = QuestionClosed(question.shown_by or request_id, card)
            await close_question(self.messenger, context.target, closed_question)
        return request_id is not None

    async def _handle_press(self, press: Press, hold: Hold) -> None:
        account = await self.accounts.find(user_of(press).telegram_user_id)
        request = press_request(press, account, hold)
        notice = self._refusal(press, account, request.locale)
        notice = notice or await answer_press(self.messenger, self.presses, press, request)
        if not press.data:
            await refresh_widget(self.messenger, press)
        await notify(self.messenger, press, notice)

    async def _handle_choice(
        self, press: Press, updates: Sequence[StoredUpdate], hold: Hold
    ) -> None:
        """Take the choice for a question of the bot. Only the first choice counts."""
        context = await self._open(press, updates, hold)
        target = context.target
        if refusal := self._refusal(press, context.account, target.locale):
            await notify(self.messenger, press, refusal)
            return
        if command := command_in(press):
            await notify(self.messenger, press, "")
            await self._handle_command(command, updates, hold)
            return
        request = await take_choice(self.turns, self.messenger, press, context)
        if request is None:
            await close_choices(self.messenger, press)
        await notify(
            self.messenger, press, "" if request else say(target.locale, "button-outdated")
        )
        if request:
            await self._run(request, context)

    def _refusal(self, press: Press, account: Account, locale: str) -> str:
        """The notice that refuses a press, "" if it is accepted."""
        user_id = press.user.telegram_user_id
        if press.chat_id != user_id:
            return say(locale, "button-not-yours")
        is_permitted = self._permits(press, account)
        return "" if is_permitted else say(locale, "not-allowed", user_id=str(user_id))

    async def _say_too_many(
        self, inbound: Inbound, updates: Sequence[StoredUpdate], hold: Hold
    ) -> None:
        if not isinstance(inbound, Turn | Unsupported):
            return
        context = await self._open(inbound, updates, hold)
        if context.is_permitted:
            _log.warning("telegram.too_many")
            await tell_in_reply(self.messenger, inbound.message_id, "too-many", context)

    async def _open(
        self, inbound: WrittenUpdate | Press, updates: Sequence[StoredUpdate], hold: Hold
    ) -> UpdateContext:
        account = await self.accounts.find(user_of(inbound).telegram_user_id)
        is_permitted = self._permits(inbound, account)
        target = target_of(inbound, account, updates[0].update_id, is_permitted=is_permitted)
        thread_id = self.threads.of(user_of(inbound).telegram_user_id, target.topic_id)
        return UpdateContext(account, target, hold, thread_id, is_permitted)

    def _delivery(self, context: UpdateContext) -> Delivery:
        return Delivery(self.messenger, context.target, context.hold)

    def _permits(self, inbound: WrittenUpdate | Press, account: Account) -> bool:
        return self.access.permits(user_of(inbound).telegram_user_id, account.is_allowed)

    async def _refuse(self, inbound: WrittenUpdate | Press, context: UpdateContext) -> None:
        user_id = user_of(inbound).telegram_user_id
        _log.warning("telegram.not_allowed", user=self.tags.of(user_id))
        # As text, because Fluent would format a number with separators.
        text = say(context.target.locale, "not-allowed", user_id=str(user_id))
        await self._delivery(context).complete([RenderedMessage(text)])


_FILE_PART = 1
"""Part number of the file in the outbox. Part 0 is the message below the file."""


async def send_file(
    messenger: Messenger, target: ReplyTarget, hold: Hold, file: FileToSend
) -> None:
    """Send the file, unless an earlier attempt did; if the outcome is unknown, send it again.

    A file that arrives twice does no harm, and the text that follows it is sent once.

    Raises: UpstreamError, DatabaseUnavailableError, LaneLostError.
    """
    await messenger.limiter.take(target.chat_id)
    await hold()
    part = await messenger.outbox.begin(target.update_id, _FILE_PART, target.place)
    if part.message_id is None and part.state != "failed":
        message_id = await messenger.api.send_file(target.chat_id, file, topic_id=target.topic_id)
        await messenger.outbox.note_sent(target.update_id, _FILE_PART, message_id)


_LONGEST_NAME = 60
_OWN_WORDS = frozenset(
    {
        "animation", "contact", "dice", "location", "poll", "sticker", "story", "venue", "video",
    }
)  # fmt: skip


async def tell_in_reply(
    messenger: Messenger, message_id: int, phrase: str, context: UpdateContext
) -> None:
    """Reply to a message with a phrase instead of an answer.

    Raises: UpstreamError, DatabaseUnavailableError.
    """
    target = replace(context.target, reply_to=message_id)
    notice = RenderedMessage(say(target.locale, phrase))
    await Delivery(messenger, target, context.hold).complete([notice])


def unsupported_notice(message: Unsupported, locale: str) -> RenderedMessage:
    """The notice that the bot cannot read a kind of message, and what it can do instead.

    A file name in the notice never becomes a link.
    """
    phrase = "cannot-read"
    if message.kind in _OWN_WORDS:
        phrase = f"cannot-read-{message.kind}"
    if message.phrase:
        phrase = message.phrase
    return unlinked(say(locale, phrase, detail=shorten(message.detail, _LONGEST_NAME) or "blank"))
