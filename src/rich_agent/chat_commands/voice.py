"""/voice: which answers are spoken."""

from dataclasses import dataclass, replace
from typing import get_args

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.voice import SpeechMode
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import Button, RenderedMessage

VERB = "voice1"
_MODES: tuple[SpeechMode, ...] = get_args(SpeechMode)
_WORDS: dict[str, SpeechMode] = {
    **{mode: mode for mode in _MODES},
    "on": "always",
    "kind": "in_kind",
    "in kind": "in_kind",
}


@dataclass(frozen=True, slots=True)
class VoiceCommand:
    """Shows and changes the choice; `default` is the operator's, None if the bot has no voice."""

    accounts: Accounts
    default: SpeechMode | None

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"voice": self.answer}, {VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """Set the choice if one was given, else show it."""
        locale, wanted = request.locale, request.args.casefold()
        if self.default is None:
            return Reply.of(say(locale, "voice-none"))
        if not wanted:
            return Reply(_choice(locale, request.account.speech or self.default))
        mode = _WORDS.get(wanted)
        if mode is None:
            return Reply.of(say(locale, "voice-unknown"))
        return Reply(await self._choose(request.user_id, mode, locale))

    async def press(self, press: PressRequest) -> PressReply:
        """Set the choice, and show it in the same message."""
        mode = _WORDS.get(press.argument)
        if mode is None or self.default is None:
            return PressReply(say(press.locale, "button-outdated"))
        await press.hold()
        shown = await self._choose(press.user_id, mode, press.locale)
        return PressReply(message=shown)

    async def _choose(self, user_id: int, mode: SpeechMode, locale: str) -> RenderedMessage:
        await self.accounts.choose_speech(user_id, mode)
        return replace(_choice(locale, mode), text=say(locale, "voice-chosen", mode=mode))


def _choice(locale: str, chosen: SpeechMode) -> RenderedMessage:
    """The question, with the present choice marked."""
    labels = ((mode, say(locale, f"voice-{mode.replace('_', '-')}")) for mode in _MODES)
    rows = tuple(
        (Button(("✓ " if mode == chosen else "") + label, f"{VERB}:{mode}"),)
        for mode, label in labels
    )
    return RenderedMessage(say(locale, "voice"), buttons=rows)
