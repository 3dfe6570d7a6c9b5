"""👍 👎 and "Why?" under answers; the data of a thumb is the rating that a press sets."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.chat_commands.passages import passage_buttons
from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.chat_commands.suggestions import continue_buttons
from rich_agent.chat_commands.why import WHY_VERB
from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.message import thread_of
from rich_agent.domain.text import whole_number
from rich_agent.phrases import say
from rich_agent.ports.accounts import Feedback, Rating
from rich_agent.ports.bot_api import Button, Keyboard

VERB = "rate1"
_SIGNS: dict[Rating, str] = {"up": "👍", "down": "👎"}


def rating_row(update_id: int, locale: str, rating: Rating | None = None) -> tuple[Button, ...]:
    """The row under the answer to an update; the current rating is marked.

    A marked button removes the rating. A press that is handled twice changes nothing.
    """
    row = [
        Button(
            f"{sign} ✓" if rated == rating else sign,
            f"{VERB}:{'none' if rated == rating else rated}:{update_id}",
        )
        for rated, sign in _SIGNS.items()
    ]
    return (*row, Button(say(locale, "why-button"), f"{WHY_VERB}:{update_id}"))


def feedback_buttons(update_id: int, locale: str, answer: Answer) -> Keyboard:
    """The rows under a finished, unrated answer: its passages, then the thumbs.

    If the answer was cut off, a button that asks for the rest comes first.
    """
    return (
        *(continue_buttons(locale) if answer.is_cut else ()),
        *passage_buttons(update_id, answer),
        *([rating_row(update_id, locale)] if answer.worth_rating else []),
    )


def _is_rating(row: Sequence[Button]) -> bool:
    return any(button.data.startswith(f"{VERB}:") for button in row)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Stores the users' ratings of their answers."""

    feedback: Feedback

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """Store the rating of one of the user's own answers, and mark it in the row of buttons."""
        wanted, _, number = press.argument.partition(":")
        rating: Rating | None = "up" if wanted == "up" else "down" if wanted == "down" else None
        update_id = whole_number(number)
        if update_id is None:
            return PressReply(say(press.locale, "button-outdated"))
        # The thread belongs to the user who pressed, so nobody can rate another user's answer.
        thread_id = thread_of(press.user_id)
        if not await self.feedback.rate(thread_id, f"tg:{update_id}", rating):
            return PressReply(say(press.locale, "button-outdated"))
        others = (row for row in press.keyboard if not _is_rating(row))
        rows = (*others, rating_row(update_id, press.locale, rating))
        told = say(press.locale, "rated" if rating else "rating-withdrawn")
        return PressReply(told, buttons=rows)
