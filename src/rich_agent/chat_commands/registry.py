"""Routes commands and presses of buttons to those who answer them, on any surface.

Only /retry, sessions and /forget with words call models. A press runs no turn.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

import structlog

from rich_agent.attachments import drawable
from rich_agent.chat_commands.menu import Menu
from rich_agent.chat_commands.replies import (
    CommandAnswer,
    CommandRequest,
    PressAnswer,
    PressReply,
    PressRequest,
    Reply,
    refer_to_telegram,
)
from rich_agent.domain.access import Access
from rich_agent.domain.text import shorten
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.notices import unlinked
from rich_agent.runtime.memberships import Prepare, prepare_nothing
from rich_agent.runtime.reach import log_failure

_log = structlog.get_logger()
_SHOWN_NAME_LENGTH = 32
_ALIKE = 0.65
"""Least similarity, 0..1, of a misspelt name to a suggestion. Source: difflib's default."""
_ELSEWHERE: Mapping[str, str] = {
    "cancel": "stop",
    "clear": "new",
    "commands": "help",
    "delete": "forget",
    "docs": "sources",
    "file": "files",
    "documents": "sources",
    "info": "help",
    "lang": "language",
    "menu": "help",
    "regenerate": "retry",
    "reset": "new",
    "restart": "new",
    "settings": "help",
    "topics": "help",
    "usage": "status",
}
"""Common names of commands in other bots, with the name here."""


_ALONE = frozenset({"new"})
"""What ends something and takes no words: with words behind it something else may be meant."""

Shorten = Callable[[int, str], Awaitable[None]]


async def store_nothing(_update_id: int, _name: str) -> None:
    """Callback that shortens nothing, because commands are not stored here."""


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands that the bot knows, by name.

    `prepare` is called with the user's id before each, to learn what the user may read. What `menu`
    leaves out says why when it is sent. `shorten` leaves of a stored command only its name, by the
    number of its update: of one with a secret, and of one that is unknown.
    """

    for_all: Mapping[str, CommandAnswer] = field(default_factory=dict)
    for_admins: Mapping[str, CommandAnswer] = field(default_factory=dict)
    access: Access = field(default_factory=Access)
    prepare: Prepare = prepare_nothing
    menu: Menu = field(default_factory=Menu)
    shorten: Shorten = store_nothing

    def without_admins(self) -> "Commands":
        """The same where a token of an admin may only chat: admins are referred to Telegram."""
        referrals = dict.fromkeys(self.for_admins, refer_to_telegram)
        return replace(self, for_admins=referrals)

    async def answer(self, request: CommandRequest) -> Reply:
        """The answer to a command; for an unknown one, a hint to /help.

        If the database is unavailable, the answer says so; a late answer would be of no use.
        """
        try:
            if request.name in self.menu.secret and request.args.strip():
                return await self._answer_secret(request)
            return await self._answer(request)
        except DatabaseUnavailableError as error:
            log_failure("telegram.command_without_database", error)
            return Reply.of(say(request.locale, "database-away"))

    async def _answer(self, request: CommandRequest) -> Reply:
        name, may_give = request.name, self._answers_for(request.user_id)
        if name not in may_give:
            return await self._refuse(request, may_give)
        if name in _ALONE and request.args.strip():
            return Reply.of(say(request.locale, "command-alone", command=f"/{name}"))
        await self.prepare(request.user_id)
        return await may_give[name](request)

    async def _refuse(self, request: CommandRequest, may_give: Collection[str]) -> Reply:
        """The answer to a command that does not exist for its user."""
        if request.name in self.for_admins:
            return Reply.of(say(request.locale, "admins-only"))
        if request.args.strip():
            # A secret, if the command is misspelt or belongs to a feature that is not loaded.
            await self.shorten(request.update_id, request.name)
        return Reply(_unknown(request, may_give))

    async def _answer_secret(self, request: CommandRequest) -> Reply:
        """The answer to a command with a secret, which is lost here before anything else.

        Also where nobody answers it, because its feature did not open.
        """
        is_gone = await request.take_away() if request.take_away else False
        await self.shorten(request.update_id, request.name)
        if request.take_away is None and self.knows(request.name):
            return await refer_to_telegram(request)
        reply = await self._answer(request)
        if is_gone or request.take_away is None:
            return reply
        warning = f"{reply.message.text}\n\n{say(request.locale, 'secret-delete-yourself')}"
        return replace(reply, message=replace(reply.message, text=warning))

    def knows(self, name: str) -> bool:
        """Whether a handler answers a command of this name."""
        return name in self.for_all or name in self.for_admins

    def _answers_for(self, user_id: int) -> Mapping[str, CommandAnswer]:
        is_admin = self.access.is_admin(user_id)
        return {**self.for_all, **self.for_admins} if is_admin else self.for_all


@dataclass(frozen=True, slots=True)
class Presses:
    """The buttons that the bot understands, by their verbs."""

    answers: Mapping[str, PressAnswer] = field(default_factory=dict)

    async def answer(self, press: PressRequest) -> PressReply:
        """The reply to a press.

        A button that is unknown, or whose pictures no feature draws, is reported as out of date.
        """
        handler = self.answers.get(press.verb)
        if handler is None:
            return PressReply(say(press.locale, "button-outdated"))
        try:
            reply = await handler(press)
        except DatabaseUnavailableError as error:
            log_failure("telegram.press_without_database", error)
            return PressReply(say(press.locale, "database-away"))
        pictures = reply.attachments
        if pictures and reply == PressReply(attachments=pictures) and not drawable(pictures):
            return PressReply(say(press.locale, "button-outdated"))
        return reply


def _unknown(request: CommandRequest, may_give: Collection[str]) -> RenderedMessage:
    """A notice that the command does not exist, with the closest name."""
    name = request.name.casefold()[:_SHOWN_NAME_LENGTH]
    similar_names = get_close_matches(name, may_give, n=1, cutoff=_ALIKE)
    suggestion = _ELSEWHERE.get(name) or next(iter(similar_names), "")
    command = shorten(f"/{request.name}", _SHOWN_NAME_LENGTH)
    if suggestion in may_give:
        return unlinked(
            say(request.locale, "unknown-command-near", command=command, near=suggestion)
        )
    return unlinked(say(request.locale, "unknown-command", command=command))
