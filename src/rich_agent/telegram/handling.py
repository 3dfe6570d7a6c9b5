"""What is done with an update: a turn, a command, a press, or nothing. Knows no lanes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import structlog

from rich_agent.domain.message import TurnRequest, User, thread_of
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.telegram.access import Access
from rich_agent.telegram.apologies import apology
from rich_agent.telegram.commands import Commands
from rich_agent.telegram.delivery import NOTICE, Delivery, Hold, Post, Target
from rich_agent.telegram.edits import Edits, Running, TooLate, question_of, turn_of
from rich_agent.telegram.inbound import (
    Command,
    DraftStopped,
    Edit,
    Ignored,
    Inbound,
    Press,
    Turn,
    Unsupported,
    locale_of,
    read_updates,
)
from rich_agent.telegram.outbound import AnswerWriter, Manner
from rich_agent.telegram.presses import Presses
from rich_agent.telegram.redelivery import Redelivery, open_delivery
from rich_agent.telegram.rendering import links_in
from rich_agent.telegram.stopping import Stopping
from rich_agent.telegram.tags import UserTags
from rich_agent.telegram.unsupported import tell_unsupported
from rich_agent.telegram_api import RenderedMessage
from rich_agent.telegram_ports import Question, StoredUpdate
from rich_agent.turns import TurnRunner

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class UpdateHandler:
    """Answers updates; the same updates again edit what the first try sent."""

    turns: TurnRunner
    post: Post
    stopping: Stopping
    edits: Edits
    access: Access = field(default_factory=Access)
    commands: Commands = field(default_factory=Commands)
    presses: Presses = field(default_factory=Presses)
    manner: Manner = field(default_factory=Manner)
    tags: UserTags = field(default_factory=UserTags)

    def drain(self) -> None:
        """Stop running turns before their next node; they then raise TurnDrainedError."""
        self.turns.drain()

    async def handle(self, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        """Answer one update, or those that belong together.

        Raises: RichAgentError when the turn failed or its answer could not be delivered.
        """
        inbound = read_updates(updates)
        if updates[0].over_cap:
            await self._say_too_many(inbound, updates[0].update_id, hold)
            return
        match inbound:
            case Ignored() as ignored:
                _log.info("telegram.ignored", reason=ignored.reason)
            case Press() as press:
                await self._handle_press(press, hold)
            case DraftStopped() as stopped:
                await self.stopping.ask(stopped.user_id, stopped.draft_id)
            case Turn() as turn:
                await self._handle_turn(turn, updates, hold)
            case Edit() as edit:
                await self._handle_edit(edit, updates, hold)
            case (Command() | Unsupported()) as asked:
                await self._handle_asked(asked, updates[0].update_id, hold)

    async def announce_queued(self, update: StoredUpdate, behind: int, hold: Hold) -> bool:
        """Tell the user that a message waits for the answer to update `behind`.

        The notice will grow into the answer, so it waits until the answer before it has a message;
        where answers do not grow in messages, it is one of its own. False: try again later.
        """
        inbound = read_updates([update])
        if isinstance(inbound, Edit):
            self.edits.notice(inbound, update)
        if not isinstance(inbound, Turn) or not self._permits(inbound.message.user):
            return True
        target = _target(inbound, update.update_id, reply_to=inbound.message.message_id)
        notice = RenderedMessage(say(target.locale, "status-queued"))
        delivery = Delivery(self.post, target, hold)
        if self.manner.streaming != "edit":
            return await delivery.announce(notice, number=NOTICE)
        before = await self.post.outbox.find(behind, 0)
        if before is None or before.message_id is None:
            return False
        return await delivery.announce(notice)

    async def apologize(
        self, updates: Sequence[StoredUpdate], error: Exception, hold: Hold
    ) -> None:
        """Tell the user in one sentence that the answer failed.

        Raises: UpstreamError, DatabaseUnavailableError.
        """
        inbound = read_updates(updates)
        if isinstance(inbound, Edit):
            delivery = await self._delivery_of_edit(inbound, updates[0], hold)
        elif isinstance(inbound, Turn | Command | Unsupported):
            delivery = Delivery(self.post, _target(inbound, updates[0].update_id), hold)
        else:
            return
        # A turn that failed after its answer was shown has nothing to be sorry for.
        if not await delivery.is_answered():
            await delivery.complete([RenderedMessage(apology(error, delivery.target.locale))])

    async def _handle_turn(self, turn: Turn, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        if not self._permits(turn.message.user):
            target = _target(turn, updates[0].update_id)
            await self._refuse(turn.message.user, target, hold)
            return
        await self.post.users.remember(turn.message.user)
        await self._answer(question_of(turn, updates), updates, hold)

    async def _handle_edit(self, edit: Edit, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        if not self._permits(edit.user):
            return
        update = updates[0]
        asked = await self.edits.revise(edit, update)
        if isinstance(asked, Question):
            await self._answer(asked, updates, hold)
        elif isinstance(asked, TooLate):
            target = _target(edit.turn, update.update_id, reply_to=edit.message_id)
            hint = RenderedMessage(say(target.locale, "edit-too-late"))
            await Delivery(self.post, target, hold).complete([hint])
            await self.edits.told(edit)

    async def _answer(
        self, question: Question, in_hand: Sequence[StoredUpdate], hold: Hold
    ) -> None:
        """Answer a question in its present form, which may change on the way."""
        handled_id = in_hand[0].update_id

        async def write(question: Question, running: Running) -> None:
            turn = turn_of(question)
            target = replace(_target(turn, question.update_id), handled_id=handled_id)
            request = TurnRequest(
                thread_id=thread_of(question.user_id),
                request_id=f"tg:{question.update_id}",
                message=turn.message,
                revision=question.revision,
            )
            delivery = await open_delivery(self.post, target, hold, question)
            writer = AnswerWriter(self.post, delivery, self.manner)
            async with (
                self.stopping.watching(target.in_hand) as stop,
                running.following(self.turns.run(request, stop)) as events,
            ):
                await writer.write(events)

        await self.edits.answer(question, write)

    async def _delivery_of_edit(self, edit: Edit, update: StoredUpdate, hold: Hold) -> Delivery:
        """Where an edit is answered: in the answer to its question, if it is the latest."""
        question = await self.edits.questions.latest(edit.user.telegram_user_id)
        if question and question.revision == update.update_id:
            return Redelivery(self.post, _target(edit.turn, question.update_id), hold)
        return Delivery(self.post, _target(edit.turn, update.update_id), hold)

    async def _handle_asked(self, asked: Command | Unsupported, update_id: int, hold: Hold) -> None:
        target = _target(asked, update_id)
        if not self._permits(asked.user):
            await self._refuse(asked.user, target, hold)
            return
        await self.post.users.remember(asked.user)
        if isinstance(asked, Command):
            text = await self.commands.answer(asked, target.locale)
        else:
            text = tell_unsupported(asked, target.locale)
        await Delivery(self.post, target, hold).complete([RenderedMessage(text)])

    async def _handle_press(self, press: Press, hold: Hold) -> None:
        locale = locale_of(press)
        if self._permits(press.user):
            notice = await self.presses.answer(press, locale, hold)
        else:
            notice = say(locale, "not-allowed", user_id=str(press.user.telegram_user_id))
        try:
            await self.post.api.answer_callback(press.callback_id, notice)
        except UpstreamError as error:
            # A press can be answered for 150 s only; what it asked for is done.
            _log.info("telegram.press_unanswered", error=str(error))

    async def _say_too_many(self, inbound: Inbound, update_id: int, hold: Hold) -> None:
        if not isinstance(inbound, Turn | Unsupported):
            return
        user = inbound.message.user if isinstance(inbound, Turn) else inbound.user
        if self._permits(user):
            _log.warning("telegram.too_many")
            asked = inbound.message if isinstance(inbound, Turn) else inbound
            target = _target(inbound, update_id, reply_to=asked.message_id)
            notice = RenderedMessage(say(target.locale, "too-many"))
            await Delivery(self.post, target, hold).complete([notice])

    def _permits(self, user: User) -> bool:
        return self.access.permits(user.telegram_user_id)

    async def _refuse(self, user: User, target: Target, hold: Hold) -> None:
        _log.warning("telegram.not_allowed", user=self.tags.of(user.telegram_user_id))
        # As text: a number would be shown with separators.
        text = say(target.locale, "not-allowed", user_id=str(user.telegram_user_id))
        await Delivery(self.post, target, hold).complete([RenderedMessage(text)])


def _target(
    inbound: Turn | Command | Unsupported, update_id: int, reply_to: int | None = None
) -> Target:
    text = inbound.message.text if isinstance(inbound, Turn) else ""
    return Target(update_id, inbound.chat_id, locale_of(inbound), links_in(text), reply_to)
