"""/voice: shows and changes a user's choice of spoken answers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import get_args

from rich_agent.feature import Button, CommandRequest, PressReply, PressRequest, Reply, say
from rich_agent.feature.telegram import RenderedMessage
from rich_agent.features.voice.repository import VoiceChoices
from rich_agent.features.voice.sound import SpeechMode

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
    """Shows and changes the choice.

    `default` returns the operator's choice, None if the bot cannot speak.
    """

    choices: VoiceChoices
    default: Callable[[], SpeechMode | None]

    async def answer(self, request: CommandRequest) -> Reply:
        """Set the choice if the command names one, else show the present choice."""
        locale, argument = request.locale, request.args.casefold()
        default = self.default()
        if default is None:
            return Reply.of(say(locale, "voice-none"))
        if not argument:
            choice = await self.choices.find(request.user_id)
            return Reply(_choice(locale, choice or default))
        mode = _WORDS.get(argument)
        if mode is None:
            return Reply.of(say(locale, "voice-unknown"))
        return Reply(await self._choose(request.user_id, mode, locale))

    async def press(self, press: PressRequest) -> PressReply:
        """Set the choice, and show it in the same message."""
        mode = _WORDS.get(press.argument)
        if mode is None or self.default() is None:
            return PressReply(say(press.locale, "button-outdated"))
        await press.hold()
        message = await self._choose(press.user_id, mode, press.locale)
        return PressReply(message=message)

    async def _choose(self, user_id: int, mode: SpeechMode, locale: str) -> RenderedMessage:
        await self.choices.choose(user_id, mode)
        return replace(_choice(locale, mode), text=say(locale, "voice-chosen", mode=mode))


def _choice(locale: str, present_mode: SpeechMode) -> RenderedMessage:
    """The question, with a mark at the present choice."""
    labels = ((mode, say(locale, f"voice-{mode.replace('_', '-')}")) for mode in _MODES)
    rows = tuple(
        (Button(("✓ " if mode == present_mode else "") + label, f"{VERB}:{mode}"),)
        for mode, label in labels
    )
    return RenderedMessage(say(locale, "voice"), buttons=rows)
