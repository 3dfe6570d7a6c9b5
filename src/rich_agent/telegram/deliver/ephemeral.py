"""Delivers an answer in a group so that only the user who asked sees it.

Each message is sent without content first. Only if the Bot API server says that one user alone sees
it, the content is put in its place, by a method that older servers do not know.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import structlog
from typing_extensions import override

from rich_agent.errors import (
    DeliveryPostponedError,
    EntitiesRefusedError,
    LaneLostError,
    MessageGoneError,
    PassingUpstreamError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
)
from rich_agent.phrases import say
from rich_agent.ports.bot_api import (
    EphemeralApi,
    EphemeralPlace,
    NotEphemeralError,
    RenderedMessage,
)
from rich_agent.ports.outbox import EPHEMERAL_CHAT
from rich_agent.rendering.answers import without_entities
from rich_agent.runtime.concurrency import survived
from rich_agent.runtime.fencing import require_lease
from rich_agent.telegram.deliver.delivery import NOTHING_MADE, Delivery
from rich_agent.telegram.deliver.message_parts import MessagePart, MessageParts
from rich_agent.telegram.deliver.messenger import Hold, Messenger, Recipe, ReplyTarget

FIRST = 2_000
"""Part number in the outbox of the first ephemeral message; the others follow."""
_LAST = FIRST + 99
_ASKED_AGAIN_S = 600.0
_log = structlog.get_logger()


@dataclass(slots=True)
class EphemeralSupport:
    """Knows whether the Bot API server takes ephemeral messages.

    A server that does not is asked again after ten minutes, because it may have been upgraded.
    """

    api: EphemeralApi
    clock: Callable[[], float] = time.monotonic
    _is_known: bool = False
    _asked_at: float | None = field(default=None, init=False)

    async def is_given(self, place: EphemeralPlace) -> bool:
        """Whether an ephemeral message may be tried. Raises: UpstreamError, if that may pass."""
        is_recent = self._asked_at is not None and self.clock() - self._asked_at < _ASKED_AGAIN_S
        if not (self._is_known or is_recent):
            self._is_known = await self.api.is_known(place)
            self._asked_at = self.clock()
        return self._is_known

    def withdraw(self) -> None:
        """Note that the server showed to everybody what was meant for one."""
        self._is_known, self._asked_at = False, self.clock()


class EphemeralDelivery(Delivery):
    """Delivers one answer in ephemeral messages.

    `target` is the place of the question in the group. What Telegram refuses is given up, so that
    the answer can be sent elsewhere. Buttons are left out.
    """

    def __init__(
        self,
        messenger: Messenger,
        target: ReplyTarget,
        hold: Hold,
        place: EphemeralPlace,
        support: EphemeralSupport,
    ) -> None:
        super().__init__(messenger, target, hold)
        self._parts = MessageParts(messenger, replace(target, chat_id=EPHEMERAL_CHAT), hold)
        self._place = place
        self._support = support
        self._placeholder = RenderedMessage(say(target.locale, "status-thinking"))

    async def open(self) -> bool:
        """Show a message without content, unless that was done; False if Telegram refuses it.

        Raises: DeliveryPostponedError, LaneLostError.
        """
        row = await self._messenger.outbox.find(self.target.update_id, FIRST)
        if row is not None and (row.state == "failed" or row.message_id is not None):
            return row.state != "failed"
        if not await self._is_supported():
            return False
        try:
            await self._put_patiently(FIRST, self._placeholder)
        except UpstreamRefusedError as error:
            await self._give_up(FIRST, error)
        return not self.is_undeliverable

    async def _is_supported(self) -> bool:
        """Whether the server knows ephemeral messages. Raises: DeliveryPostponedError."""
        try:
            return await self._support.is_given(self._place)
        except PassingUpstreamError as error:
            wait_s = self._messenger.retry_policy.postponed_s
            if isinstance(error, UpstreamRateLimitedError):
                wait_s = error.retry_after_s or wait_s
            raise DeliveryPostponedError(wait_s, str(error)) from error

    @override
    async def grow(self, message: RenderedMessage, *, spare: int = 0) -> bool:
        return await self._try_to_show(replace(message, buttons=()), number=FIRST, spare=spare)

    @override
    async def complete(
        self, messages: Sequence[RenderedMessage], recipes: Mapping[int, Recipe] = NOTHING_MADE
    ) -> None:
        """Show the final messages; `is_undeliverable` tells whether Telegram refused one.

        Recipes are left out: what they make can only be sent, not put in place of a placeholder.

        Raises: DeliveryPostponedError, LaneLostError.
        """
        for number, message in enumerate(messages, FIRST):
            try:
                is_shown = await self._put_patiently(number, replace(message, buttons=()))
            except UpstreamRefusedError as error:
                await self._give_up(number, error)
            if self.is_undeliverable:
                return
            if is_shown:
                await self._parts.finalize(number, message.text)

    async def take_back(self) -> None:
        """Delete what was shown if the answer is sent elsewhere; failures are logged."""
        first = await self._messenger.outbox.find(self.target.update_id, FIRST)
        if first is None or first.state != "failed":
            return
        for part in await self._messenger.outbox.after(self.target.update_id, FIRST - 1):
            if part.part <= _LAST and part.message_id is not None:
                await self._hold()
                with survived("telegram.ephemeral_stays", UpstreamError):
                    await self._support.api.delete(self._place, part.message_id)

    @override
    async def _put(self, part: MessagePart, message: RenderedMessage | Recipe) -> None:
        assert isinstance(message, RenderedMessage)  # noqa: S101 - `complete` takes no recipes
        with require_lease():
            if part.message_id is None:
                await self._begin(part)
            if message != self._placeholder:
                await self._edit(part, message)

    async def _begin(self, part: MessagePart) -> None:
        """Send the placeholder of a part, and record it."""
        place = self._place if part.number == FIRST else replace(self._place, reply_to=None)
        try:
            part.message_id = await self._support.api.send(place, self._placeholder)
        except NotEphemeralError as error:
            self._support.withdraw()
            with survived("telegram.placeholder_stays", UpstreamError):
                await self._messenger.api.delete_message(place.chat_id, error.message_id)
            raise
        try:
            await self._parts.record(part)
        except LaneLostError:
            with survived("telegram.ephemeral_stays", UpstreamError):
                await self._support.api.delete(place, part.message_id)
            raise

    async def _edit(self, part: MessagePart, message: RenderedMessage) -> None:
        assert part.message_id is not None  # noqa: S101 - it was begun
        edit = self._support.api.edit
        try:
            try:
                await edit(self._place, part.message_id, message)
            except EntitiesRefusedError:
                if not message.entities:
                    raise
                await edit(self._place, part.message_id, without_entities(message))
        except MessageGoneError as error:
            # It expired. A new one would be refused for a question that is older than 15 s.
            raise UpstreamRefusedError(error.service, str(error)) from error

    @override
    async def _look_back(self, part: MessagePart) -> None:
        """Nobody can find a lost placeholder, which has no content and is gone in a while."""
        if part.doubtful:
            await self._parts.settle(part)

    @override
    async def _move_down(self, part: MessagePart, message: RenderedMessage | Recipe) -> None:
        """An ephemeral message is in no history that it could be above of."""

    @override
    async def _give_up(self, number: int, error: UpstreamError) -> None:
        """Record at the first part that the answer is sent elsewhere, from now on."""
        if self._is_given_up:
            return
        self._is_given_up = True
        update_id = self.target.update_id
        _log.info("telegram.not_ephemeral", update_id=update_id, error=str(error))
        await self._messenger.outbox.note_failure(update_id, FIRST, str(error))
