"""/tokens: the programs that a user lets into the bot."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.text import shorten, utf16_length, whole_number
from rich_agent.domain.tokens import LONGEST_NAME, MOST_TOKENS, ApiToken, NewApiToken
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage, TextEntity
from rich_agent.ports.program_access import ApiTokens
from rich_agent.rendering.notices import section, together, unlinked
from rich_agent.rendering.spans import join
from rich_agent.times import Clocks

TOKENS_VERB = "tokens1"
MAKE_VERB = "maketoken1"
REVOKE_VERB = "endtoken1"
_NAME_BYTES = 48
"""Of the name in a button's data, which has up to 64."""


@dataclass(frozen=True, slots=True)
class TokenCommand:
    """Lists, makes and revokes tokens; `address` is where programs reach the bot, None if nowhere.

    A token is shown in a message that is edited, never in one of the outbox, which is kept.
    """

    tokens: ApiTokens
    address: str | None

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"tokens": self.answer},
            {TOKENS_VERB: self.show, MAKE_VERB: self.make, REVOKE_VERB: self.revoke},
        )

    async def answer(self, request: CommandRequest) -> Reply:
        """The tokens; words after the command are the name of the one to be made."""
        name = _name_of(request.args)
        return Reply(await self._list(request.user_id, request.clocks, name))

    async def show(self, press: PressRequest) -> PressReply:
        """The list again, in place of a token."""
        return PressReply(message=await self._list(press.user_id, press.clocks, ""))

    async def make(self, press: PressRequest) -> PressReply:
        """Make a token, and show it this once."""
        if self.address is None:
            return PressReply(say(press.locale, "tokens-unreachable"))
        name = press.argument or say(press.locale, "tokens-name")
        token = await self.tokens.make(NewApiToken(press.user_id, name))
        if token is None:
            return PressReply(say(press.locale, "tokens-too-many", most=MOST_TOKENS))
        return PressReply(message=_with_token(press.locale, token, self.address))

    async def revoke(self, press: PressRequest) -> PressReply:
        """End a token of the user; it is not an error if it has ended already."""
        number = whole_number(press.argument)
        if number is None:
            return PressReply(say(press.locale, "button-outdated"))
        await self.tokens.revoke(number, press.user_id)
        listing = await self._list(press.user_id, press.clocks, "")
        return PressReply(say(press.locale, "tokens-revoked"), listing)

    async def _list(self, user_id: int, clocks: Clocks, name: str) -> RenderedMessage:
        locale, now = clocks.locale, clocks.now
        working = [one for one in await self.tokens.all_of(user_id) if one.is_open(now)]
        parts = [unlinked(say(locale, "tokens-none" if not working else "tokens-about"))]
        if working:
            lines = (
                f"{number}. {_token_line(one, clocks)}" for number, one in enumerate(working, 1)
            )
            parts.append(section(say(locale, "tokens-open"), *lines))
        if self.address is None:
            parts.append(unlinked(say(locale, "tokens-unreachable")))
        listing = together(*parts)
        make = _make_button(locale, name) if self.address else ()
        return RenderedMessage(listing.text, listing.entities, (*_revoke_buttons(working), *make))


def _name_of(text: str) -> str:
    """A name that fits into a button's data."""
    name = shorten(" ".join(text.split()), LONGEST_NAME)
    return name.encode()[:_NAME_BYTES].decode(errors="ignore")


def _token_line(token: ApiToken, clocks: Clocks) -> str:
    locale, used, ends = clocks.locale, token.last_used_at, token.expires_at
    facts = [say(locale, "tokens-made-on", day=clocks.day_of(token.created_at))]
    facts.append(
        say(locale, "tokens-used-on", day=clocks.day_of(used))
        if used
        else say(locale, "tokens-unused")
    )
    if ends:
        facts.append(say(locale, "tokens-ends-on", day=clocks.day_of(ends)))
    return " · ".join((token.name, ", ".join(sorted(token.scopes)), *facts))


def _make_button(locale: str, name: str) -> Keyboard:
    words = say(locale, "tokens-make-named", name=name) if name else say(locale, "tokens-make")
    return ((Button(words, f"{MAKE_VERB}:{name}"),),)


def _revoke_buttons(tokens: Sequence[ApiToken]) -> Keyboard:
    buttons = [Button(f"✕ {n}", f"{REVOKE_VERB}:{one.id}") for n, one in enumerate(tokens, 1)]
    return tuple(tuple(buttons[start : start + 5]) for start in range(0, len(buttons), 5))


def _with_token(locale: str, token: str, address: str) -> RenderedMessage:
    """The token to be copied with a tap, and a button that takes it out of the chat."""
    code = RenderedMessage(token, (TextEntity("code", 0, utf16_length(token)),))
    notice = join(unlinked(say(locale, "tokens-made", address=address)), code)
    hide = Button(say(locale, "tokens-hide"), f"{TOKENS_VERB}:list")
    return RenderedMessage(notice.text, notice.entities, ((hide,),))
