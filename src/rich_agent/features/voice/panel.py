"""The panel by which users choose which answers are spoken."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from rich_agent.feature import Arguments, Asker, Outcome, Tool, say
from rich_agent.feature.panels import Panel, PanelContent, PanelField, PanelForm, PanelRequest
from rich_agent.features.voice.repository import VoiceChoices
from rich_agent.features.voice.sound import SpeechMode


class ChooseVoice(Arguments):
    """A choice of spoken answers."""

    speech: SpeechMode


@dataclass(frozen=True, slots=True)
class VoicePanel:
    """Shows and changes the choice.

    `default` returns the operator's choice, None if the bot cannot speak.
    """

    choices: VoiceChoices
    default: Callable[[], SpeechMode | None]

    def panel(self) -> Panel:
        """The panel."""
        tool = Tool("choose_speech", "", ChooseVoice, self.choose, "change", self.take_back)
        return Panel(
            name="voice",
            heading="voice-page",
            compose=self.compose,
            tools=[tool],
            page="settings",
            order=70,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """The choice, or that there is none."""
        locale, default = request.locale, self.default()
        if default is None:
            return PanelContent(sentences=[say(locale, "voice-none")])
        mode = await self.choices.find(request.user_id) or default
        choices = [(one, say(locale, f"voice-{one.replace('_', '-')}")) for one in _MODES]
        field = PanelField("speech", mode, "choice", choices, label=say(locale, "voice"))
        return PanelContent(forms=[PanelForm(say(locale, "panel-save"), "choose_speech", [field])])

    async def choose(self, arguments: ChooseVoice, asker: Asker) -> Outcome:
        """Store the choice."""
        before = await self.choices.find(asker.user_id) or self.default()
        done = await self._choose(arguments.speech, asker)
        return Outcome({}, done=done, undo={"speech": before})

    async def take_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Store the choice of before."""
        return await self._choose(undo["speech"], asker)

    async def _choose(self, mode: SpeechMode, asker: Asker) -> str:
        await self.choices.choose(asker.user_id, mode)
        return say(asker.locale, "voice-chosen", mode=mode)


_MODES: tuple[SpeechMode, ...] = get_args(SpeechMode)
