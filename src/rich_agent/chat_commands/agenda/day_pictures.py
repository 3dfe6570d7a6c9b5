"""The button under /today that sends the schedule of the day as a picture."""

from dataclasses import dataclass
from datetime import date

from rich_agent.chat_commands.presses import target_below
from rich_agent.domain.agenda.day_timeline import DayTimeline
from rich_agent.phrases import say
from rich_agent.ports.agenda import Schedule
from rich_agent.ports.bot_api import Button
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger
from rich_agent.telegram.deliver.pictures import PICTURE, DrawnDay
from rich_agent.telegram.receive.inbound import Press

VERB = "daypicture1"


def picture_button(day: date, locale: str) -> Button:
    """The button for a day."""
    return Button(say(locale, "timeline-button"), f"{VERB}:{day.isoformat()}")


@dataclass(frozen=True, slots=True)
class DayPictures:
    """Sends the day of a button; the list above it holds the same as text."""

    schedule: Schedule
    messenger: Messenger

    async def press(self, press: Press, locale: str, hold: Hold) -> str:
        """Send the picture; several tries send one."""
        try:
            day = date.fromisoformat(press.argument)
        except ValueError:
            return say(locale, "button-outdated")
        blocks = await self.schedule.day(press.user.telegram_user_id, day)
        if not blocks:
            return say(locale, "timeline-empty")
        drawn = DrawnDay(DayTimeline.of(day, blocks), locale)
        delivery = Delivery(self.messenger, target_below(press, locale), hold)
        await delivery.complete([], {PICTURE: drawn})
        return ""
