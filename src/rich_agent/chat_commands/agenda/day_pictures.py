"""The button under /today that sends the schedule of the day as a picture."""

from dataclasses import dataclass
from datetime import date

from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.domain.agenda.day_timeline import DayTimeline
from rich_agent.phrases import say
from rich_agent.ports.agenda import Schedule
from rich_agent.ports.bot_api import Button

VERB = "daypicture1"


def picture_button(day: date, locale: str) -> Button:
    """The button for a day."""
    return Button(say(locale, "timeline-button"), f"{VERB}:{day.isoformat()}")


@dataclass(frozen=True, slots=True)
class DayPictures:
    """Sends the day of a button; the list above it holds the same as text."""

    schedule: Schedule

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """The day, to be drawn below the list."""
        try:
            day = date.fromisoformat(press.argument)
        except ValueError:
            return PressReply(say(press.locale, "button-outdated"))
        blocks = await self.schedule.day(press.user_id, day)
        if not blocks:
            return PressReply(say(press.locale, "timeline-empty"))
        return PressReply(day=DayTimeline.of(day, blocks))
