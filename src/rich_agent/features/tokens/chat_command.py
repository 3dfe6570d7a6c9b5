"""The command /tokens, by which users let programs ask in their name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich_agent.feature import (
    Button,
    Clocks,
    CommandRequest,
    PressReply,
    PressRequest,
    Reply,
    say,
)
from rich_agent.feature.conversation import PressAnswer
from rich_agent.feature.telegram import (
    Keyboard,
    RenderedMessage,
    TextEntity,
    join,
    section,
    together,
    unlinked,
    utf16_length,
)
from rich_agent.feature.text import shorten, whole_number
from rich_agent.features.tokens.ports import ApiTokens
from rich_agent.features.tokens.records import (
    LONGEST_NAME,
    MOST_TOKENS,
    ApiToken,
    NewApiToken,
)

TOKENS_VERB = "tokens1"
MAKE_VERB = "maketoken1"
REVOKE_VERB = "endtoken1"
_NAME_BYTES = 48
"""Of the name in a button's data, which has up to 64."""


@dataclass(frozen=True, slots=True)
class TokenCommand:
    """Lists, makes and revokes tokens.

    A token is shown in a message that is edited, never in one of the outbox, which is kept.
    """

    tokens: ApiTokens
    address: str | None
    """The address at which programs reach the bot, None if there is none."""

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to presses of the buttons."""
        return {TOKENS_VERB: self.show, MAKE_VERB: self.make, REVOKE_VERB: self.revoke}

    async def answer(self, request: CommandRequest) -> Reply:
        """List the tokens. The words after the command become the name of a new token."""
        name = _name_of(request.args)
        return Reply(await self._list(request.user_id, request.clocks, name))

    async def show(self, press: PressRequest) -> PressReply:
        """Show the list again, in place of a token."""
        return PressReply(message=await self._list(press.user_id, press.clocks, ""))

    async def make(self, press: PressRequest) -> PressReply:
        """Make a token, and show it. It is shown only once."""
        if self.address is None:
            return PressReply(say(press.locale, "tokens-unreachable"))
        name = press.argument or say(press.locale, "tokens-name")
        token = await self.tokens.make(NewApiToken(press.user_id, name))
        if token is None:
            return PressReply(say(press.locale, "tokens-too-many", most=MOST_TOKENS))
        return PressReply(message=_with_token(press.locale, token, self.address))

    async def revoke(self, press: PressRequest) -> PressReply:
        """Revoke a token of the user. It is not an error if it is revoked already."""
        number = whole_number(press.argument)
        if number is None:
            return PressReply(say(press.locale, "button-outdated"))
        await self.tokens.revoke(number, press.user_id)
        listing = await self._list(press.user_id, press.clocks, "")
        return PressReply(say(press.locale, "tokens-revoked"), listing)

    async def _list(self, user_id: int, clocks: Clocks, name: str) -> RenderedMessage:
        locale, now = clocks.locale, clocks.now
        valid = [one for one in await self.tokens.all_of(user_id) if one.is_open(now)]
        parts = [unlinked(say(locale, "tokens-none" if not valid else "tokens-about"))]
        if valid:
            lines = (f"{number}. {_token_line(one, clocks)}" for number, one in enumerate(valid, 1))
            parts.append(section(say(locale, "tokens-open"), *lines))
        if self.address is None:
            parts.append(unlinked(say(locale, "tokens-unreachable")))
        listing = together(*parts)
        make = _make_button(locale, name) if self.address else ()
        return RenderedMessage(listing.text, listing.entities, (*_revoke_buttons(valid), *make))


def _name_of(text: str) -> str:
    """A name that fits into a button's data."""
    name = shorten(" ".join(text.split()), LONGEST_NAME)
    return name.encode()[:_NAME_BYTES].decode(errors="ignore")


def token_facts(token: ApiToken, clocks: Clocks) -> Sequence[str]:
    """The scopes of a token, and when it was made, was last used, and ends."""
    locale, last_use, end = clocks.locale, token.last_used_at, token.expires_at
    facts = [say(locale, "tokens-made-on", day=clocks.day_of(token.created_at))]
    facts.append(
        say(locale, "tokens-used-on", day=clocks.day_of(last_use))
        if last_use
        else say(locale, "tokens-unused")
    )
    if end:
        facts.append(say(locale, "tokens-ends-on", day=clocks.day_of(end)))
    return (", ".join(sorted(token.scopes)), *facts)


def _token_line(token: ApiToken, clocks: Clocks) -> str:
    return " · ".join((token.name, *token_facts(token, clocks)))


def _make_button(locale: str, name: str) -> Keyboard:
    label = say(locale, "tokens-make-named", name=name) if name else say(locale, "tokens-make")
    return ((Button(label, f"{MAKE_VERB}:{name}"),),)


def _revoke_buttons(tokens: Sequence[ApiToken]) -> Keyboard:
    buttons = [Button(f"✕ {n}", f"{REVOKE_VERB}:{one.id}") for n, one in enumerate(tokens, 1)]
    return tuple(tuple(buttons[start : start + 5]) for start in range(0, len(buttons), 5))


def _with_token(locale: str, token: str, address: str) -> RenderedMessage:
    """The token, which a tap copies, and a button that removes it from the chat."""
    code = RenderedMessage(token, (TextEntity("code", 0, utf16_length(token)),))
    notice = join(unlinked(say(locale, "tokens-made", address=address)), code)
    hide = Button(say(locale, "tokens-hide"), f"{TOKENS_VERB}:list")
    return RenderedMessage(notice.text, notice.entities, ((hide,),))
