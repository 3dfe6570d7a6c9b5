"""What is done with an update: a turn, a command, a press, or nothing. Knows no lanes."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from rich_agent.domain.message import TurnRequest, User, thread_of
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.telegram.access import Access
from rich_agent.telegram.apologies import apology
from rich_agent.telegram.commands import Commands
from rich_agent.telegram.delivery import Delivery, Hold, Post, Target
from rich_agent.telegram.inbound import (
    Command,
    DraftStopped,
    Ignored,
    Press,
    Turn,
    Unsupported,
    locale_of,
    read_updates,
)
from rich_agent.telegram.outbound import AnswerWriter, Manner
from rich_agent.telegram.presses import Presses
from rich_agent.telegram.rendering import links_in
from rich_agent.telegram.stopping import Stopping
from rich_agent.telegram.unsupported import tell_unsupported
from rich_agent.telegram_api import RenderedMessage
from rich_agent.telegram_ports import StoredUpdate
from rich_agent.turns import TurnRunner

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class UpdateHandler:
    """Answers updates; the same updates again edit what the first try sent."""

    turns: TurnRunner
    post: Post
    stopping: Stopping
    access: Access = field(default_factory=Access)
    commands: Commands = field(default_factory=Commands)
    presses: Presses = field(default_factory=Presses)
    manner: Manner = field(default_factory=Manner)

    def drain(self) -> None:
        """Stop running turns before their next node; they then raise TurnDrainedError."""
        self.turns.drain()

    async def handle(self, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        """Answer one update, or the parts of one album.

        Raises: RichAgentError when the turn failed or its answer could not be delivered.
        """
        match read_updates(updates):
            case Ignored() as ignored:
                _log.info("telegram.ignored", reason=ignored.reason)
            case Press() as press:
                await self._handle_press(press, hold)
            case DraftStopped() as stopped:
                await self.stopping.ask(stopped.user_id, stopped.draft_id)
            case Turn() as turn:
                await self._handle_turn(turn, updates, hold)
            case (Command() | Unsupported()) as asked:
                await self._handle_asked(asked, updates[0].update_id, hold)

    async def announce_queued(self, update: StoredUpdate, hold: Hold) -> bool:
        """Tell the user that a message waits behind the one that is being answered.

        The notice is the message that will grow into the answer. False: try again later.
        """
        inbound = read_updates([update])
        if not isinstance(inbound, Turn) or not self._permits(inbound.message.user):
            return True
        target = _target(inbound, update.update_id, reply_to=inbound.message.message_id)
        notice = RenderedMessage(say(target.locale, "status-queued"))
        return await Delivery(self.post, target, hold).announce(notice)

    async def apologize(
        self, updates: Sequence[StoredUpdate], error: Exception, hold: Hold
    ) -> None:
        """Tell the user in one sentence that the answer failed.

        Raises: UpstreamError, DatabaseUnavailableError.
        """
        inbound = read_updates(updates)
        if isinstance(inbound, Turn | Command | Unsupported):
            target = _target(inbound, updates[0].update_id)
            delivery = Delivery(self.post, target, hold)
            # A turn that failed after its answer was shown has nothing to be sorry for.
            if not await delivery.is_answered():
                text = apology(error, target.locale)
                await delivery.complete([RenderedMessage(text)])

    async def _handle_turn(self, turn: Turn, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        first = updates[0]
        target = _target(turn, first.update_id)
        if not self._permits(turn.message.user):
            await self._refuse(turn.message.user, target, hold)
            return
        await self.post.users.remember(turn.message.user)
        request = TurnRequest(
            thread_id=thread_of(turn.message.user.telegram_user_id),
            request_id=f"tg:{first.update_id}",
            message=turn.message,
        )
        writer = AnswerWriter(self.post, Delivery(self.post, target, hold), self.manner)
        async with self.stopping.watching(target.update_id) as stop:
            await writer.write(self.turns.run(request, stop))

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

    def _permits(self, user: User) -> bool:
        return self.access.permits(user.telegram_user_id)

    async def _refuse(self, user: User, target: Target, hold: Hold) -> None:
        _log.warning("telegram.not_allowed", user=tag_of(user.telegram_user_id))
        # As text: a number would be shown with separators.
        text = say(target.locale, "not-allowed", user_id=str(user.telegram_user_id))
        await Delivery(self.post, target, hold).complete([RenderedMessage(text)])


def tag_of(user_id: int) -> str:
    """A name for a user in logs, the same each time, that is not their id."""
    return hashlib.sha256(f"telegram:{user_id}".encode()).hexdigest()[:12]


def _target(
    inbound: Turn | Command | Unsupported, update_id: int, reply_to: int | None = None
) -> Target:
    text = inbound.message.text if isinstance(inbound, Turn) else ""
    return Target(update_id, inbound.chat_id, locale_of(inbound), links_in(text), reply_to)
